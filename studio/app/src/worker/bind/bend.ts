// "Try a bend": the character in one move of the range of motion, as far as a slider says. It poses, nothing else.
import type { BindMove, BindState } from "../../protocol/bind";
import type { Ptr, snRange, snSkeleton } from "@sinew/core";
import type { Desk } from "../desk";
import { SinewError, text, type CharacterPtr } from "../library";

export class Bend {
  moves: BindMove[] = [];
  now: BindState["bend"] = { move: -1, share: 0 };
  private range: Ptr<"snRange"> | null = null;
  private joint = -2; // that the moves are of

  constructor(private readonly desk: Desk) {}

  // Before the model goes.
  forget(): void {
    if (this.range) this.desk.core.sn_range_destroy(this.range);
    this.range = null;
    this.joint = -2;
    this.desk.player.poser = null;
  }

  private make(): Ptr<"snRange"> | null {
    const { core, session } = this.desk;
    if (!session.model) return null;
    try {
      this.range ??= core.sn_range_create(session.model, null);
    } catch (error) {
      if (!(error instanceof SinewError)) throw error; // nothing moves skin: there is nothing to bend
    }
    return this.range;
  }

  // The moves that bend the chosen joint, when another is chosen.
  attend(joint: number): void {
    if (joint !== this.joint) this.moves = joint >= 0 ? this.list(joint) : [];
    this.joint = joint;
    const { now } = this;
    if (now.move >= 0 && !this.moves.some((move) => move.index === now.move)) this.set(-1, 0);
    else if (now.move >= 0 && !this.desk.player.poser) this.set(now.move, now.share); // the model is another one
  }
  private list(joint: number): BindMove[] {
    const range = this.make();
    if (!range) return [];
    const { core } = this.desk;
    const { moves, move_count } = core.read("snRange", range) as unknown as snRange;
    return core
      .readList("snRangeMove", moves, move_count)
      .map((move, index) => ({ index, name: text(core, move.name as unknown as number) || String(move.name), degrees: move.degrees, both: move.both }))
      .filter(({ index }) => core.sn_range_rotates(range, index, joint));
  }

  set(move: number, share: number): void {
    const was = this.now;
    this.now = { move, share };
    const { player } = this.desk;
    const idle = move < 0 || share === 0;
    player.poser = idle ? null : (character) => this.pose(character);
    if (idle && (was.move < 0 || was.share === 0)) return;
    if (!idle && player.state.playing) {
      player.state.playing = false;
      this.desk.patch({ play: { ...player.state } });
    }
    this.desk.pose();
  }

  private pose(character: CharacterPtr): void {
    const range = this.make();
    if (!range) return;
    const { core, session } = this.desk;
    const skeleton = core.read("snModel", session.model!).skeleton as Ptr<"snSkeleton">;
    const { joint_count } = core.read("snSkeleton", skeleton) as unknown as snSkeleton;
    const locals = core.alloc(joint_count * core.sizeOf("snTrs")) as unknown as Ptr<"snTrs">;
    core.sn_range_pose(range, skeleton, this.now.move, this.now.share, locals);
    core.sn_character_pose_locals(character, locals);
    core.free(locals as unknown as Parameters<typeof core.free>[0]);
  }
}
