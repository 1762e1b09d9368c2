// Move, in the worker: the timeline, poses by hand, the joint map, curves, contacts and volume.
import { emptyMove, type MoveCommand, type MoveState, type Strip } from "../../protocol/move";
import type { Command, Touch } from "../../protocol";
import type { Ptr } from "@sinew/core";
import type { Bench, Desk, Overlay } from "../desk";
import { fail } from "../fail";
import { Forces } from "./forces";
import { sn, type ModelPtr } from "../library";
import { post } from "../post";
import { readMap, readPicture } from "./mapping";
import { measureVolume } from "./measure";
import { Posing } from "./posing";
import { Softness } from "./softness";
import { readCurves, readMix, readTimeline, writeCurve, writeMix, type Mix } from "./timeline";

const BLEND = 0.3; // seconds by which a strip that is added comes into the one before
type Gesture = "one" | "begin" | "more" | "end";

export class MoveBench implements Bench {
  private state: MoveState = { ...emptyMove };
  private readonly posing: Posing;
  private readonly softness: Softness;
  private readonly forces: Forces;
  private own: ModelPtr | null = null; // the model that edits of clips change in place
  private hot = 0;
  private seen = { hash: "", clip: -2 };

  constructor(private readonly desk: Desk) {
    this.posing = new Posing(desk);
    this.softness = new Softness(desk);
    this.forces = new Forces(desk);
  }

  private get core() {
    return this.desk.core;
  }
  private get document() {
    return this.desk.session.document!;
  }
  private get joint(): number {
    const { selection } = this.desk;
    return selection.kind === "joint" ? selection.index : -1;
  }

  private tell(change: Partial<MoveState>): void {
    this.state = { ...this.state, ...change };
    this.desk.patch({ move: this.state });
  }

  // ----------------------------------------------------------------------------------------------- what is shown

  changed(): void {
    const { session, player } = this.desk;
    if (!session.document || !session.model) return this.tell({ ...emptyMove, tool: this.state.tool });
    const clip = player.state.clip;
    const timeline = readTimeline(this.core, this.document);
    const hash = session.hash;
    const change: Partial<MoveState> = { reach: this.posing.reach(this.joint), forces: this.shownForces(), curves: this.curves(), softness: this.softness.ofJoint(this.joint) };
    if (hash !== this.seen.hash || clip !== this.seen.clip) {
      const map = this.mapOf(clip, timeline?.clip === clip ? timeline.strips : []);
      Object.assign(change, {
        timeline,
        strip: Math.min(this.state.strip, (timeline?.strips.length ?? 0) - 1),
        contacts: this.contacts(clip),
        map,
        picture: map && this.state.picture ? readPicture(this.core, this.document, map.clip) : null,
        doubts: map ? map.pairs.filter((pair) => pair.doubtful).length : 0,
        stale: this.state.volume !== null && (this.state.volume.hash !== hash || this.state.volume.clip !== clip),
      });
      if (this.state.volume && this.state.volume.clip >= session.describe().clips.length) change.volume = null;
    }
    this.seen = { hash, clip };
    this.tell(change);
  }
  private curves() {
    return readCurves(this.core, this.document, this.desk.session.describe().joints[this.joint]?.name ?? "");
  }
  private shownForces() {
    return this.state.tool === "forces" ? this.forces.read() : null;
  }
  private mapOf(clip: number, strips: Strip[]) {
    const shown = strips[this.state.strip] ?? strips[0];
    return readMap(this.core, this.document, shown ? shown.clip : clip);
  }
  private contacts(clip: number): MoveState["contacts"] {
    const model = this.core.read("snModel", this.desk.session.model!);
    if (clip < 0 || clip >= model.clip_count || model.skin_count === 0) return [];
    const address = this.core.u32(model.clips, model.clip_count)[clip] as Ptr<"snClip">;
    const spans = this.core.sn_clip_contacts(model.skeleton, address, null);
    const { items, count } = this.core.read("snContactSpans", spans);
    const list = this.core.readList("snContactSpan", items, count);
    this.core.sn_contact_spans_destroy(spans);
    return list;
  }

  released(): void {
    this.posing.release();
    this.own = null;
  }
  exit(): void {
    this.endGesture();
    this.posing.end(false, () => {});
  }

  // ------------------------------------------------------------------------------------------------------- edits

  // An edit of clips. The first one may make a model to work on; those after it change that in place.
  private async edit(run: () => void, last = true): Promise<void> {
    const { session, player } = this.desk;
    const before = this.core.sn_document_timeline_clip(this.document);
    if (this.own !== session.model) {
      await this.desk.edit(run);
      this.own = session.model;
    } else this.desk.retouch(run, false);
    const { clips } = session.describe();
    const made = this.core.sn_document_timeline_clip(this.document);
    const { moment } = player;
    const clip = made !== before && made < clips.length ? made : Math.min(player.state.clip, clips.length - 1);
    player.choose(clip, clips[clip]?.duration ?? 0);
    // As if it had been played up to here, or at once while a drag goes on.
    player.time = Math.min(moment, player.state.duration);
    if (last) this.desk.retouch(() => {}, true);
    else this.tell({ timeline: readTimeline(this.core, this.document) });
    if (!last) this.desk.patch({ play: { ...player.state } });
    if (!player.state.playing && last) player.seek(moment, true);
    this.desk.redraw();
  }
  private begin(name: string, gesture: Gesture): void {
    if (gesture !== "one") this.desk.session.beginGesture(name);
  }
  private endGesture(): void {
    this.desk.session.endGesture();
  }
  // A drag is one step of the history.
  private async gestured(name: string, gesture: Gesture, run: () => void): Promise<void> {
    const last = gesture === "one" || gesture === "end";
    const all = () => {
      this.begin(name, gesture);
      try {
        run();
      } finally {
        if (last) this.endGesture();
      }
    };
    await this.edit(all, last);
  }

  private mix(): Mix {
    const mix = readMix(this.core, this.document);
    if (!mix) throw new Error("There is no timeline yet.");
    return mix;
  }
  private clips() {
    return this.desk.session.describe().clips;
  }

  // What a command does to the strips.
  private strips(command: MoveCommand): Strip[] {
    const { strips } = this.mix();
    const fresh = (clip: number, start: number): Strip => ({ clip, start, from: 0, to: this.clips()[clip].duration, speed: 1, rounds: 1, length: 0 });
    switch (command.type) {
      case "move:add": {
        const end = Math.max(0, ...strips.map((strip) => strip.start + strip.length));
        const blend = strips.length > 0 ? Math.min(BLEND, this.clips()[command.clip].duration / 2) : 0;
        return [...strips, fresh(command.clip, Math.max(0, end - blend))];
      }
      case "move:strip":
        return strips.map((strip, i) => (i === command.index ? { ...strip, ...command.strip } : strip));
      case "move:remove":
        return strips.filter((_, i) => i !== command.index);
      case "move:cut":
        return strips.flatMap((strip, i) => (i === command.index ? cut(strip, command.time) : [strip]));
      default:
        return strips;
    }
  }

  slow = async (command: Command): Promise<void> => {
    if (!this.desk.session.document) return;
    const move = command as MoveCommand;
    try {
      await this.apply(move);
    } catch (error) {
      this.endGesture();
      throw error;
    }
  };

  private async apply(command: MoveCommand): Promise<void> {
    const { core, document } = this;
    switch (command.type) {
      case "move:compose": {
        const { duration, name } = this.clips()[command.clip];
        const strip = { clip: command.clip, start: 0, from: 0, to: duration, speed: 1, rounds: 1, length: 0 };
        return this.edit(() => writeMix(core, document, { name: `${name} timeline`, strips: [strip] }));
      }
      case "move:add":
      case "move:cut":
      case "move:remove":
        await this.edit(() => writeMix(core, document, { ...this.mix(), strips: this.strips(command) }));
        return this.tell({ strip: command.type === "move:add" ? this.state.timeline!.strips.length - 1 : Math.min(this.state.strip, this.state.timeline!.strips.length - 1) });
      case "move:strip":
        return this.gestured("Move strip", command.gesture, () => writeMix(core, document, { ...this.mix(), strips: this.strips(command) }));
      case "move:travel":
        return this.edit(() => writeMix(core, document, { ...this.mix(), travel: command.travel }));
      case "move:clear":
        return this.edit(() => core.sn_document_set_timeline(document, null));
      case "move:shift":
        return this.gestured("Move keys", command.gesture, () => this.shift(command));
      case "move:unkey":
        return this.edit(() => core.sn_document_remove_keys(document, command.joint < 0 ? 0xffffffff : command.joint, command.time - 1e-3, command.time + 1e-3));
      case "move:key":
        if (this.joint >= 0) this.posing.asIs(this.posing.limb(this.joint) ?? [this.joint], this.key);
        return;
      case "move:turn":
        if (this.joint >= 0) this.posing.by(this.joint, command.axis, (command.degrees * Math.PI) / 180, "turn", this.key);
        return;
      case "move:put":
        if (this.joint >= 0 && this.state.reach !== "none") this.posing.by(this.joint, command.axis, command.metres, "move", this.key);
        return;
      case "move:pair":
      case "move:unpair":
        return this.pair(command);
      case "move:curve":
        return this.retouched(`Change ${command.key === "swing" ? "swing" : "volume"} over time`, command.gesture, () => writeCurve(core, document, command.key, command.points, command.loop));
      case "move:measure":
        return this.measure();
      case "move:soften":
        return this.retouched("Soften flesh", command.gesture, () => this.softness.setJoint(command.joint, command.softness));
      case "move:collide":
        return this.desk.retouch(() => this.forces.add(this.joint), true);
      case "move:collider":
        return this.desk.retouch(() => this.forces.change(command.index, command.change), true);
      case "move:uncollide":
        return this.desk.retouch(() => this.forces.remove(command.index), true);
    }
  }

  private shift(command: Extract<MoveCommand, { type: "move:shift" }>): void {
    const mix = this.mix();
    const near = (time: number) => Math.abs(time - command.time) < 0.5 / mix.fps;
    const to = Math.max(0, Math.round(command.to * mix.fps) / mix.fps);
    const kept = mix.keys.filter((key) => !(this.of(key.joint, command.joint) && Math.abs(key.time - to) < 0.5 / mix.fps && !near(key.time)));
    const keys = kept.map((key) => (this.of(key.joint, command.joint) && near(key.time) ? { ...key, time: to } : key));
    writeMix(this.core, this.document, { ...mix, keys });
  }
  private of(joint: number, wanted: number): boolean {
    return wanted < 0 || joint === wanted;
  }

  // A pose becomes keys at the moment that is shown.
  private readonly key = (joints: number[], locals: Ptr<"snTrs">): void => {
    const { player } = this.desk;
    const clip = player.state.clip < 0 ? sn.SN_CLIP_REST : player.state.clip;
    const timeline = this.core.sn_document_timeline_clip(this.document);
    if (timeline !== 0xffffffff && timeline !== clip) {
      post({ type: "note", text: "The pose was not kept: choose the timeline's clip first, so that it has a place to go." });
      return this.desk.pose();
    }
    const size = this.core.sizeOf("snTrs") * this.desk.session.describe().joints.length;
    const copy = this.core.alloc(size) as Ptr<"snTrs">; // an edit may let the hand go
    this.core.u8(copy, size).set(this.core.u8(locals, size));
    const moment = player.moment;
    const run = () => {
      this.core.sn_document_key_joints(this.document, clip, moment, joints, joints.length, copy);
    };
    void this.edit(run)
      .catch((error: unknown) => fail("Keeping the pose", error))
      .finally(() => this.core.free(copy));
  };

  private async pair(command: Extract<MoveCommand, { type: "move:pair" | "move:unpair" }>): Promise<void> {
    const { map } = this.state;
    const { session } = this.desk;
    if (!map) return;
    const joints = session.describe().joints;
    const other = command.type === "move:unpair" ? null : { target: joints[command.target].name, source: command.source < 0 ? null : map.sources[command.source] };
    await this.desk.work("Mapping the joint", (signal, progress) =>
      this.desk.edit(() => this.core.run("sn_document_remap_clip", this.document, map.clip, other, null, { signal, progress })),
    );
  }

  // An edit of settings: a drag is one step of the history, and shows on the way what it does.
  private async retouched(name: string, gesture: Gesture, run: () => void): Promise<void> {
    const { desk } = this;
    const last = gesture === "one" || gesture === "end";
    this.begin(name, gesture);
    desk.retouch(() => {
      try {
        run();
      } finally {
        if (last) this.endGesture();
      }
    }, last);
    if (!last) this.tell({ curves: this.curves(), softness: this.softness.ofJoint(this.joint) });
    else if (!desk.player.state.playing) desk.player.seek(desk.player.moment, true);
  }

  private async measure(): Promise<void> {
    const { player, session } = this.desk;
    const clip = player.state.clip;
    if (clip < 0) return;
    const { hash } = session;
    const volume = await this.desk.work("Measuring volume", (signal, progress) =>
      this.desk.edit(() => measureVolume(this.core, this.document, clip, hash, signal, progress)),
    );
    if (volume) this.tell({ volume: { ...volume, hash: session.hash }, stale: false });
  }

  // ------------------------------------------------------------------------------------------------------- quick

  quick(command: Command): boolean {
    switch (command.type) {
      case "move:tool":
        if (command.tool === "forces") this.forces.stand();
        this.tell({ tool: command.tool });
        this.tell({ forces: this.shownForces() });
        if ((command.tool === "turn" || command.tool === "move") && !this.desk.view.joints) this.desk.setView({ joints: true });
        this.desk.redraw();
        return true;
      case "move:choose":
        this.tell({ strip: command.index });
        this.seen.clip = -2;
        this.changed();
        return true;
      case "move:pick":
        this.forces.chosen = command.index;
        this.tell({ forces: this.shownForces() });
        this.desk.redraw();
        return true;
      case "move:compare":
        this.tell({ picture: command.on && this.state.map ? readPicture(this.core, this.document, this.state.map.clip) : null });
        return true;
      case "move:material":
        this.tell({ material: { ...this.state.material, ...(command.softness !== undefined ? { softness: command.softness } : {}), ...(command.radius !== undefined ? { radius: command.radius } : {}) } });
        return true;
      case "move:read":
        post({ type: "answer", id: command.id, value: this.places() });
        return true;
      default:
        return false;
    }
  }
  // Joints in pixels of the page, for hands and for tests.
  private places() {
    const { joints } = this.desk.session.describe();
    const places = joints.map((joint, i) => {
      const place = this.posing.place(i);
      return { name: joint.name, at: place?.translation ?? null, pixel: place ? this.desk.picture.project(place.translation) : null };
    });
    return { hash: this.desk.session.hash, joints: places, handles: this.state.tool === "forces" ? this.forces.places() : [], gizmo: this.onGizmo() };
  }
  // A place on it that no joint covers.
  private onGizmo(): { x: number; y: number } | null {
    const at = this.joint >= 0 ? this.posing.place(this.joint) : null;
    if (!at) return null;
    const { picture } = this.desk;
    const middle = picture.project(at.translation);
    for (let radius = 40; radius <= 120; radius += 4)
      for (let turn = 0; turn < 48; turn++) {
        const x = middle.x + radius * Math.cos((turn * Math.PI) / 24);
        const y = middle.y + radius * Math.sin((turn * Math.PI) / 24);
        if (picture.gizmoPart(x, y) && picture.joint(x, y) === 0xffffffff) return { x, y };
      }
    return null;
  }

  // ------------------------------------------------------------------------------------------------------- hands

  press(touch: Touch): boolean {
    const { tool } = this.state;
    const { picture } = this.desk;
    if (tool === "brush") return this.softness.begin(touch, this.state.material);
    if (tool === "forces") return this.forces.begin(touch);
    if (tool !== "turn" && tool !== "move") return false;
    const part = this.joint >= 0 ? picture.gizmoPart(touch.x, touch.y) : 0;
    const at = this.joint >= 0 ? this.posing.place(this.joint) : null;
    const middle = at ? picture.project(at.translation) : null;
    const inMiddle = tool === "move" && middle !== null && Math.hypot(middle.x - touch.x, middle.y - touch.y) < 9;
    if (inMiddle && this.posing.reach(this.joint) !== "none") return this.posing.begin(this.joint, "free", 0, touch.x, touch.y);
    if (part) return this.posing.begin(this.joint, tool, part as 1 | 2 | 3, touch.x, touch.y);
    const joint = picture.joint(touch.x, touch.y);
    if (joint === 0xffffffff) return false;
    if (joint !== this.joint) this.desk.select({ kind: "joint", index: joint });
    // A hand or a foot is dragged by itself.
    return tool === "move" && this.posing.reach(joint) !== "none" && this.posing.begin(joint, "free", 0, touch.x, touch.y);
  }
  drag(touch: Touch): void {
    if (this.state.tool === "brush") return this.softness.move(touch, this.state.material);
    if (this.state.tool === "forces") this.forces.move(touch);
    else this.posing.drag(touch.x, touch.y);
  }
  release(): undefined | null {
    if (this.state.tool === "brush") {
      this.softness.end();
      return null;
    }
    if (this.state.tool === "forces") {
      this.forces.end();
      return null;
    }
    if (!this.posing.end(true, this.key)) this.desk.pose();
    return null;
  }
  hover(touch: Touch): void {
    const { tool } = this.state;
    const hot = (tool === "turn" || tool === "move") && this.joint >= 0 ? this.desk.picture.gizmoPart(touch.x, touch.y) : 0;
    if (hot === this.hot) return;
    this.hot = hot;
    this.desk.redraw();
  }

  overlay(): Overlay {
    const { tool } = this.state;
    if (tool === "brush") return this.softness.overlay(this.state.material);
    if (tool === "forces" && this.desk.session.document && !this.desk.busy) return this.forces.overlay();
    if ((tool !== "turn" && tool !== "move") || this.joint < 0) return {};
    const gizmo = this.posing.gizmo(this.joint, tool, this.hot);
    return gizmo ? { gizmo } : {};
  }
}

// Two strips instead of one, at a moment of the timeline within it.
function cut(strip: Strip, time: number): Strip[] {
  const at = time - strip.start;
  if (!(at > 0.05 && at < strip.length - 0.05)) return [strip];
  const round = (strip.to - strip.from) / strip.speed;
  const whole = Math.floor(at / round + 1e-6);
  const rest = at - whole * round;
  const middle = strip.from + rest * strip.speed;
  if (strip.rounds > 1 && rest < 0.05) return [{ ...strip, rounds: whole }, { ...strip, start: strip.start + whole * round, rounds: strip.rounds - whole }];
  if (strip.rounds > 1) {
    // What is cut within a round plays that round up to here, and on from here.
    const before = whole > 0 ? [{ ...strip, rounds: whole }] : [];
    const first = { ...strip, start: strip.start + whole * round, to: middle, rounds: 1 };
    const second = { ...strip, start: time, from: middle, rounds: 1 };
    const left = strip.rounds - whole - 1;
    const after = left > 1e-3 ? [{ ...strip, start: strip.start + (whole + 1) * round, rounds: left }] : [];
    return [...before, first, second, ...after];
  }
  return [
    { ...strip, to: middle },
    { ...strip, start: time, from: middle },
  ];
}
