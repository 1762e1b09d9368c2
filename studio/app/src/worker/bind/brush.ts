// The brush: weights of the chosen joint, softness of flesh, rigidity. Colors follow every dab; what they make of the body waits
// until the hand rests, for at rest, where weights are painted, it is the same body.
import type { Touch } from "../../protocol";
import type { snMarkInput, snPick } from "@sinew/core";
import { NONE, sn, type CharacterPtr, type Vec3 } from "../library";
import { REST, type BindBench } from "./bench";

const HOW = { add: sn.SN_PAINT_ADD, take: sn.SN_PAINT_TAKE, smooth: sn.SN_PAINT_SMOOTH, rigid: sn.SN_PAINT_RIGID, fill: sn.SN_PAINT_FILL };
const SPACING = 0.25; // of the radius, from one dab to the next
const RING = { dark: 0xffffffff, light: 0x16181bff };

export class Brush {
  private at: { pick: snPick; radius: number; normal: Vec3 } | null = null;
  private painting = false;
  private remade = false; // this stroke made a model of its own
  private last = { x: 0, y: 0 };
  private owed = false; // weights were painted that the body does not show yet
  private moved = 0; // when the hand moved last
  private waiting: { touch: Touch; pick: snPick } | null = null;

  constructor(private readonly bench: BindBench) {}

  // A ring on the surface, and one of the part that has its full strength.
  marks(): snMarkInput[] {
    const { at, bench } = this;
    if (!at || bench.options.tool !== "brush") return [];
    const { picture } = bench.desk;
    const color = picture.dark ? RING.dark : RING.light;
    const ring = { kind: sn.SN_MARK_RING, a: at.pick.position, b: at.normal, on_top: true, panes: 3 } as const;
    const marks: snMarkInput[] = [{ ...ring, radius: at.radius, size: 2 * picture.ratio, color }];
    if (bench.options.hardness > 0.02) marks.push({ ...ring, radius: at.radius * bench.options.hardness, size: 1 * picture.ratio, color: (color & ~0xff) >>> 0 | 0x99 });
    return marks;
  }

  private look(touch: Touch): snPick | null {
    const { session, picture } = this.bench.desk;
    const met = session.pickable ? picture.pick(session.document!, touch.x, touch.y) : null;
    if (!met) {
      this.at = null;
      return null;
    }
    this.at = { pick: met.pick, radius: this.bench.options.radius * picture.metres(met.pick.position), normal: this.normalAt(met.pick) };
    return met.pick;
  }
  // As it was posed last, which is what is seen.
  private get shown(): CharacterPtr {
    const { player, picture } = this.bench.desk;
    return player.character(picture.documentPane)!;
  }
  private normalAt(pick: snPick): Vec3 {
    const { core } = this.bench.desk;
    const { normals } = core.sn_character_surface(this.shown, pick.part);
    const [x, y, z] = core.floats((normals as number) + 12 * pick.vertex, 3);
    return { x, y, z };
  }

  hover(touch: Touch, sizing: boolean): void {
    if (this.bench.desk.busy) return;
    if (sizing && this.at) this.at = { ...this.at, radius: this.bench.options.radius * this.bench.desk.picture.metres(this.at.pick.position) };
    else this.look(touch);
    const weight = this.at ? this.weightAt(this.at.pick) : null;
    if (weight !== (this.bench.here?.weight ?? null)) {
      this.bench.here = weight === null ? null : { weight };
      this.bench.tell();
    }
    this.bench.desk.redraw();
  }
  leave(): void {
    this.at = null;
    if (!this.bench.here) return;
    this.bench.here = null;
    this.bench.tell();
  }
  // Of the chosen joint, where the pointer is.
  private weightAt(pick: snPick): number | null {
    const { core, session } = this.bench.desk;
    const { chosen } = this.bench;
    const model = core.read("snModel", session.model!);
    const [part] = core.readList("snPart", (model.parts as number) + pick.part * core.sizeOf("snPart") as typeof model.parts, 1);
    if (part.skin === NONE || chosen < 0) return null;
    const [skin] = core.readList("snSkin", (model.skins as number) + part.skin * core.sizeOf("snSkin") as typeof model.skins, 1);
    const entry = core.u32(skin.joints, skin.joint_count).indexOf(chosen);
    const n = part.weights.influences;
    const joints = core.u16(part.weights.joints, n * part.weights.vertex_count);
    const weights = core.floats(part.weights.weights, n * part.weights.vertex_count);
    let sum = 0;
    for (let c = 0; c < 3; c++)
      for (let i = n * pick.corners[c]; i < n * pick.corners[c] + n; i++) if (joints[i] === entry) sum += pick.barycentrics[c] * weights[i];
    return Number(sum.toFixed(3));
  }

  // ----------------------------------------------------------------------------------------------------- strokes

  press(touch: Touch): boolean {
    const pick = this.look(touch);
    const { bench } = this;
    if (!pick || (bench.options.paints !== "softness" && bench.chosen < 0)) return false;
    bench.desk.session.beginGesture(bench.options.paints === "softness" ? "Paint softness" : "Paint weights");
    this.painting = true;
    this.remade = false;
    this.dab(touch, pick);
    return true;
  }
  drag(touch: Touch): void {
    if (!this.painting) return;
    this.moved = performance.now();
    const pick = this.look(touch);
    this.bench.desk.redraw();
    if (pick && Math.hypot(touch.x - this.last.x, touch.y - this.last.y) >= SPACING * this.bench.options.radius) {
      this.waiting = { touch, pick };
    }
  }
  // The body does not show yet what was painted, and would look otherwise if it did.
  get ahead(): boolean {
    const { player } = this.bench.desk;
    return this.owed && (player.state.clip >= 0 || player.poser !== null);
  }
  // One dab a frame is as much as is seen.
  step(): boolean {
    const { desk } = this.bench;
    if (desk.busy) return false;
    if (!this.waiting) {
      if (this.owed && performance.now() - this.moved > REST) this.settle();
      return false;
    }
    const { touch, pick } = this.waiting;
    this.waiting = null;
    if (this.painting) this.dab(touch, pick);
    return true;
  }
  private settle(): void {
    this.owed = false;
    this.bench.desk.retouch(() => undefined, false);
    this.bench.tell();
  }
  end(): void {
    if (!this.painting) return;
    this.step();
    this.painting = false;
    this.owed = false;
    const { desk } = this.bench;
    const { session } = desk;
    // A gesture that made another model makes the character anew; so does a split view, whose other side has weights of its own.
    if (this.remade || desk.view.split) void desk.edit(() => session.endGesture());
    else desk.retouch(() => session.endGesture(), true);
  }

  private dab(touch: Touch, pick: snPick): void {
    const { bench, at } = this;
    const { desk, options } = bench;
    this.last = { x: touch.x, y: touch.y };
    const paint = () => (options.paints === "softness" ? this.paintSoftness(touch, pick) : this.paintWeights(touch, pick));
    if (!at) return;
    if (options.paints === "softness") {
      desk.retouch(paint, false);
      bench.repaint();
    } else if (this.inPlace) {
      paint();
      desk.picture.touch();
      desk.redraw();
      const told = this.ahead;
      this.owed = true;
      this.moved = performance.now();
      if (!told && this.ahead) bench.tell();
    } else {
      this.remade = true;
      const made = desk.edit(paint);
      const since = performance.now();
      void made.then(() => desk.spend(performance.now() - since));
    }
  }
  // The first stroke makes a model of its own.
  private get inPlace(): boolean {
    const { core, session } = this.bench.desk;
    const model = core.read("snModel", session.model!);
    return model.reskinned && (model.binding === 0 || model.rebound);
  }
  private brush(pick: snPick): { part: number; vertex: number; radius: number; hardness: number; mirror: boolean; positions: number } {
    const { core } = this.bench.desk;
    const { positions } = core.sn_character_surface(this.shown, pick.part);
    const { hardness, mirror } = this.bench.options;
    return { part: pick.part, vertex: pick.vertex, radius: this.at!.radius, hardness, mirror, positions: positions as number };
  }
  private paintWeights(touch: Touch, pick: snPick): void {
    const { core, session } = this.bench.desk;
    const { options, chosen } = this.bench;
    const rigid = options.paints === "rigidity";
    const action = rigid ? (options.action === "add" || options.action === "rigid" || options.action === "fill" ? "rigid" : "smooth") : touch.ctrl ? (options.action === "take" ? "add" : "take") : options.action;
    const brush = this.brush(pick);
    core.sn_document_paint_weights(session.document!, { ...brush, positions: brush.positions as never }, chosen, HOW[action], options.strength * touch.pressure);
  }
  private paintSoftness(touch: Touch, pick: snPick): void {
    const { core, session } = this.bench.desk;
    const { options } = this.bench;
    const action = touch.ctrl ? "take" : options.action === "rigid" ? "take" : options.action;
    const brush = this.brush(pick);
    core.sn_document_paint_softness(session.document!, { ...brush, positions: brush.positions as never }, HOW[action], options.strength * touch.pressure, options.softness);
  }
}
