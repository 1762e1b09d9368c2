// Time: which clip plays, where it is, and the one or two characters that are posed by it.
import type { Play } from "../protocol";
import type { Ptr } from "@sinew/core";
import { sn, type CharacterPtr, type Core, type ModelPtr, type ScrubPtr } from "./library";

const STATES = 64 << 20; // bytes of states that scrubbing keeps, for each character
const SLICE = 12; // poses between two looks at the messages, on the way to a moment that is far

// A character, and the states that were kept on its way through the clip.
class Actor {
  private scrub: ScrubPtr | null = null;
  private scrubClip = -2;

  constructor(
    private readonly core: Core,
    readonly character: CharacterPtr,
    readonly model: ModelPtr,
    readonly own: boolean,
    private readonly other?: number, // its own clip, where it is not of the same model
  ) {}

  play(clip: number, time: number, wrap: number): void {
    if (this.scrub) this.core.sn_scrub_leave(this.scrub);
    this.core.sn_character_pose_clip(this.character, this.other ?? clip, time, wrap);
  }

  seek(shown: number, time: number): boolean {
    const clip = this.other ?? shown;
    if (this.scrubClip !== clip) this.drop();
    this.scrub ??= this.core.sn_scrub_create(this.character, this.model, clip, sn.SN_WRAP_CLAMP, STATES, null);
    this.scrubClip = clip;
    return this.core.sn_scrub_pose(this.scrub, time, SLICE);
  }

  // Time flows for the flesh alone: the pose stays.
  hold(locals: number, seconds: number): void {
    if (this.other !== undefined) return; // it has other joints
    if (this.scrub) this.core.sn_scrub_leave(this.scrub);
    this.core.sn_character_advance(this.character, locals as Ptr<"snTrs">, seconds);
  }

  // What it is made of has changed: kept states are of no use.
  drop(): void {
    if (this.scrub) this.core.sn_scrub_destroy(this.scrub);
    this.scrub = null;
    this.scrubClip = -2;
  }

  destroy(): void {
    this.drop();
    if (this.own) this.core.sn_character_destroy(this.character);
  }
}

export class Player {
  readonly state: Play = { clip: -1, duration: 0, playing: false, loop: true, speed: 1, scrubbing: false };
  time = 0; // seconds that have flowed since the clip began: rounds of a loop go on beyond its end
  private actors: (Actor | null)[] = [null, null];
  private there = false; // what was asked for is shown
  private finishing = false; // the hand has let go: once there, the clip goes on as before
  private again = false; // it must be posed anew though no time has passed
  poser: ((character: CharacterPtr) => void) | null = null; // poses instead of the clip, while a mode wants it

  constructor(private readonly core: Core) {}

  get clip(): number {
    return this.state.clip < 0 ? sn.SN_CLIP_REST : this.state.clip;
  }

  // The moment of the clip that is shown.
  get moment(): number {
    const { duration, loop } = this.state;
    if (!(duration > 0)) return 0;
    return loop && this.time > duration ? this.time % duration : Math.min(this.time, duration);
  }

  choose(clip: number, duration: number): void {
    const same = clip === this.state.clip;
    this.state.clip = clip;
    this.state.duration = duration;
    if (!same) this.time = 0;
    this.touch();
  }

  // Characters of the panes; they belong to the document, but for one that was made for a way of its own.
  setCharacter(pane: number, character: CharacterPtr | null, model: ModelPtr | null, own: boolean, clip?: number): void {
    this.actors[pane]?.destroy();
    this.actors[pane] = character && model ? new Actor(this.core, character, model, own, clip) : null;
    this.touch();
  }

  character(pane: number): CharacterPtr | null {
    return this.actors[pane]?.character ?? null;
  }

  // An edit changed what characters are made of.
  touch(): void {
    for (const actor of this.actors) actor?.drop();
    this.again = true;
  }

  play(playing: boolean): void {
    if (playing && !this.state.loop && this.time >= this.state.duration) this.time = 0;
    this.state.playing = playing;
    this.state.scrubbing = false;
  }
  loop(loop: boolean): void {
    this.time = this.moment;
    this.state.loop = loop;
    this.touch();
  }

  seek(time: number, done: boolean): void {
    this.time = Math.max(0, Math.min(time, this.state.duration));
    this.state.scrubbing = true;
    this.there = false;
    this.finishing = done;
  }

  // One frame later. True: characters were posed, and what is shown has changed.
  step(seconds: number, live: boolean): boolean {
    const { state } = this;
    if (this.poser) return this.poseByHand(this.poser);
    if (state.scrubbing) return this.seekOn();
    if (!state.playing && !live && !this.again) return false;
    if (!state.playing && live) return this.hold(seconds);
    if (state.playing) this.advance(seconds);
    const wrap = state.loop ? sn.SN_WRAP_LOOP : sn.SN_WRAP_CLAMP;
    for (const actor of this.actors) actor?.play(this.clip, this.time, wrap);
    this.again = false;
    return true;
  }

  private poseByHand(poser: (character: CharacterPtr) => void): boolean {
    if (!this.again) return false;
    this.again = false;
    for (const actor of this.actors) if (actor) poser(actor.character);
    return true;
  }

  // Flesh is pulled while the clip stands.
  private hold(seconds: number): boolean {
    const actor = this.actors[0];
    if (!actor) return false;
    const locals = this.pose(actor.model);
    for (const one of this.actors) one?.hold(locals, seconds);
    this.core.free(locals);
    return true;
  }

  // How far joints go below and above where they are now, over the whole clip: the camera keeps a jump in view.
  reach(): { below: number; above: number } {
    const actor = this.actors[0];
    if (!actor || this.state.clip < 0) return { below: 0, above: 0 };
    const now = this.heights(actor, this.moment);
    const all = Array.from({ length: 13 }, (_, i) => this.heights(actor, (this.state.duration * i) / 12));
    return { below: now.low - Math.min(now.low, ...all.map((one) => one.low)), above: Math.max(now.high, ...all.map((one) => one.high)) - now.high };
  }
  private heights(actor: Actor, moment: number): { low: number; high: number } {
    const skeleton = this.core.read("snModel", actor.model).skeleton;
    const { joint_count } = this.core.read("snSkeleton", skeleton);
    const locals = this.pose(actor.model, moment);
    const world = this.core.alloc(joint_count * 64);
    this.core.sn_skeleton_world(skeleton, locals as Ptr<"snTrs">, world as unknown as Ptr<"snMat4">);
    const matrices = this.core.floats(world, joint_count * 16);
    let low = Infinity;
    let high = -Infinity;
    for (let joint = 0; joint < joint_count; joint++) {
      low = Math.min(low, matrices[16 * joint + 13]);
      high = Math.max(high, matrices[16 * joint + 13]);
    }
    this.core.free(world);
    this.core.free(locals);
    return { low, high };
  }

  // A pose of the clip, in memory that the caller frees.
  pose(of: ModelPtr, moment = this.moment): number {
    const model = this.core.read("snModel", of);
    const skeleton = this.core.read("snSkeleton", model.skeleton);
    const size = this.core.sizeOf("snTrs") * skeleton.joint_count;
    const locals = this.core.alloc(size);
    this.core.u8(locals, size).set(this.core.u8(skeleton.rest, size));
    if (this.state.clip >= 0) {
      const clip = this.core.u32(model.clips, model.clip_count)[this.state.clip] as Ptr<"snClip">;
      this.core.sn_clip_sample(clip, moment, sn.SN_WRAP_CLAMP, skeleton.joint_count, locals as Ptr<"snTrs">);
    }
    return locals;
  }

  private advance(seconds: number): void {
    const { state } = this;
    this.time += seconds * state.speed;
    if (!state.loop && this.time >= state.duration) {
      this.time = state.duration;
      state.playing = false;
    }
    // Rounds of a loop flow on; after very many of them single precision would show.
    if (state.duration > 0 && this.time > 600 + state.duration) this.time %= state.duration;
  }

  private seekOn(): boolean {
    if (this.there && !this.again) {
      if (this.finishing) this.state.scrubbing = this.finishing = false;
      return false;
    }
    this.there = true;
    this.again = false;
    for (const actor of this.actors) if (actor && !actor.seek(this.clip, this.time)) this.there = false;
    return true;
  }

  destroy(): void {
    for (const actor of this.actors) actor?.destroy();
    this.actors = [null, null];
  }
}
