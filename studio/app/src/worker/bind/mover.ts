// Joints dragged by hand: into the middle of the flesh, or along an axis. Where weights stay, so does the skin, and bones alone show
// where they will be until the hand lets go. Where the body is bound anew, bones go first, and it follows: coarsely while the hand
// moves (heat over large cells), and finely once it rests.
import type { Selection, Touch } from "../../protocol";
import type { snGizmoInput, snMarkInput } from "@sinew/core";
import { NONE, sn, type Vec3 } from "../library";
import { ACCENT } from "../picture";
import { REST, type BindBench } from "./bench";

const COARSE = { method: sn.SN_WEIGHTS_HEAT, cells: 16 } as const;
const AXES: Vec3[] = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
];

const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const minus = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const along = (a: Vec3, way: Vec3, by: number): Vec3 => ({ x: a.x + way.x * by, y: a.y + way.y * by, z: a.z + way.z * by });

export class Mover {
  coarse = false;
  private held: { joint: number; other: number; axis: number; from: Vec3; grip: number; off: { x: number; y: number }; normal: Vec3; moved: boolean } | null = null;
  private target: Vec3 | null = null;
  private seen: Vec3 | null = null; // the target that bones were shown for
  private hot = 0;
  private waits = false;
  private moved = 0; // when the hand moved last
  private bound = { at: 0, took: 0 }; // when the body was bound last, and for how long; ms
  private shown: Map<number, Vec3> | null = null; // where joints will be, while the document has them elsewhere

  constructor(private readonly bench: BindBench) {}

  get active(): boolean {
    return this.held !== null;
  }

  gizmo(): snGizmoInput | null {
    const { bench } = this;
    if (bench.options.tool !== "move" || bench.chosen < 0 || bench.desk.player.poser || bench.desk.player.state.clip >= 0) return null;
    const [x, y, z] = this.placeOf(bench.chosen) ?? bench.placeOf(bench.chosen);
    return { kind: sn.SN_GIZMO_MOVE, at: { x, y, z }, pane: Math.max(0, bench.desk.picture.documentPane), hot: this.hot as 0 };
  }

  // Joints are shown elsewhere than they are.
  get ghost(): boolean {
    return this.shown !== null;
  }
  placeOf(joint: number): [number, number, number] | null {
    const at = this.shown?.get(joint);
    return at ? [at.x, at.y, at.z] : null;
  }
  // The joints that the hand moves, with the bones that hang on them.
  marks(): snMarkInput[] {
    const { bench, shown } = this;
    if (!shown) return [];
    const { picture } = bench.desk;
    const color = picture.dark ? ACCENT.dark : ACCENT.light;
    const all = { color, on_top: true, panes: 3 } as const;
    const places = bench.places();
    const at = (joint: number): Vec3 => shown.get(joint) ?? places[joint];
    return bench.joints.flatMap(({ parent }, j): snMarkInput[] => [
      ...(parent >= 0 && (shown.has(j) || shown.has(parent)) ? [{ kind: sn.SN_MARK_LINE, a: at(parent), b: at(j), size: 2 * picture.ratio, ...all }] : []),
      ...(shown.has(j) ? [{ kind: sn.SN_MARK_POINT, a: at(j), size: 9 * picture.ratio, ...all }] : []),
    ]);
  }
  // What the drag will do to the skeleton: the joint, its twin, and what hangs below where that goes along.
  private foresee(place: Vec3): void {
    const { bench, held } = this;
    const places = bench.places();
    this.shown = new Map([[held!.joint, place]]);
    if (held!.other !== held!.joint) this.shown.set(held!.other, { ...place, x: -place.x });
    if (!bench.options.children) return;
    const whose = (joint: number): number => {
      for (let j = joint; j >= 0; j = bench.joints[j].parent) if (j === held!.joint || j === held!.other) return j;
      return -1;
    };
    const ways = new Map([...this.shown].map(([joint, to]) => [joint, minus(to, places[joint])]));
    bench.joints.forEach((_, j) => {
      const by = ways.get(whose(j));
      if (by) this.shown!.set(j, along(places[j], by, 1));
    });
  }

  hover(touch: Touch): void {
    const hot = this.bench.options.tool === "move" && this.bench.chosen >= 0 ? this.bench.desk.picture.gizmoPart(touch.x, touch.y) : 0;
    if (hot !== this.hot) this.bench.desk.redraw();
    this.hot = hot;
  }

  press(touch: Touch): boolean {
    const { bench } = this;
    const { picture, player, core, session } = bench.desk;
    const under = picture.joint(touch.x, touch.y); // a joint itself goes before arrows that cross it
    const axis = under === NONE && bench.chosen >= 0 ? picture.gizmoPart(touch.x, touch.y) : 0;
    const joint = axis > 0 ? bench.chosen : under;
    if (joint === NONE) return false;
    if (player.state.clip >= 0 || player.poser) bench.rest();
    if (joint !== bench.chosen) bench.desk.select({ kind: "joint", index: joint });
    const other = bench.options.mirror ? core.sn_document_mirror_joint(session.document!, joint) : joint;
    const [x, y, z] = bench.placeOf(joint);
    const from = { x, y, z };
    const { origin, direction } = picture.ray(touch.x, touch.y);
    const seen = picture.project(from);
    // It is taken where it is touched, so that it does not jump.
    const off = { x: touch.x - seen.x, y: touch.y - seen.y };
    this.held = { joint, other, axis, from, off, grip: axis > 0 ? this.onAxis(from, AXES[axis - 1], origin, direction) : 0, normal: direction, moved: false };
    this.hot = axis;
    return true;
  }

  // How far along an axis through `from` a ray comes nearest to it.
  private onAxis(from: Vec3, axis: Vec3, origin: Vec3, direction: Vec3): number {
    const b = dot(axis, direction) / Math.sqrt(dot(direction, direction));
    const unit = along({ x: 0, y: 0, z: 0 }, direction, 1 / Math.sqrt(dot(direction, direction)));
    const to = minus(origin, from);
    const flat = 1 - b * b;
    return flat < 1e-4 ? 0 : (dot(axis, to) - b * dot(unit, to)) / flat;
  }

  drag(touch: Touch): void {
    const { held, bench } = this;
    if (!held) return;
    const { picture } = bench.desk;
    const off = held.axis > 0 ? { x: 0, y: 0 } : held.off;
    const { origin, direction } = picture.ray(touch.x - off.x, touch.y - off.y);
    this.target = held.axis > 0 ? along(held.from, AXES[held.axis - 1], this.onAxis(held.from, AXES[held.axis - 1], origin, direction) - held.grip) : this.free(origin, direction);
    this.moved = performance.now();
  }
  // In the middle of the flesh, or in the plane that faces the camera where there is none.
  private free(origin: Vec3, direction: Vec3): Vec3 {
    const { bench, held } = this;
    const { core, session } = bench.desk;
    if (bench.options.snap && session.pickable) {
      const { out, met } = core.sn_document_pick_middle(session.document!, origin, direction);
      if (met) return out;
    }
    const across = dot(direction, held!.normal);
    return across === 0 ? held!.from : along(origin, direction, dot(minus(held!.from, origin), held!.normal) / across);
  }

  // Both sides, where they are mirrored.
  put(joint: number, place: [number, number, number]): boolean {
    const { bench } = this;
    const { core, session } = bench.desk;
    const other = bench.options.mirror ? core.sn_document_mirror_joint(session.document!, joint) : joint;
    this.move(joint, other, { x: place[0], y: place[1], z: place[2] });
    bench.trust([joint, other]);
    return true;
  }
  private move(joint: number, other: number, place: Vec3): void {
    const { core, session } = this.bench.desk;
    const { children } = this.bench.options;
    core.sn_document_move_joint(session.document!, joint, place, children);
    if (other !== joint) core.sn_document_move_joint(session.document!, other, { ...place, x: -place.x }, children);
  }

  private async apply(place: Vec3 | null, fine: boolean, last = false): Promise<void> {
    const { bench, held } = this;
    const { desk } = bench;
    const { core, session } = desk;
    if (!held) return;
    if (!held.moved) session.beginGesture("Move joint");
    held.moved = true;
    const bind = bench.options.live && (place !== null || fine);
    this.coarse = bench.options.live && !fine && !last;
    await desk.edit(() => {
      if (place) this.move(held.joint, held.other, place);
      if (bind) core.sn_bind_report_free(core.sn_document_bind(session.document!, fine ? bench.bindDef : COARSE, null));
      if (last) session.endGesture();
    });
  }

  // An edit takes the body out of the picture until it is done, so it waits until the frame is drawn. True: bones have moved.
  step(): boolean {
    if (!this.held || this.waits || this.bench.desk.busy) return false;
    const { live } = this.bench.options;
    if (live && this.target) this.coarse = true;
    const stepped = this.stepGhost();
    if (!live) return stepped;
    // Half of the time at most goes into binding, so that bones keep up with the hand.
    const now = performance.now();
    const due = this.target ? (now - this.bound.at > this.bound.took ? "coarse" : "") : this.coarse && now - this.moved > REST ? "fine" : "";
    if (!due) return stepped;
    this.waits = true;
    queueMicrotask(() => {
      this.waits = false;
      if (!this.held || this.bench.desk.busy) return;
      const { target } = this;
      this.target = null;
      this.shown = null;
      const since = performance.now();
      void this.apply(target, due === "fine").then(() => {
        const at = performance.now();
        this.bound = { at, took: at - since };
        this.bench.desk.spend(at - since);
      });
    });
    return stepped;
  }
  private stepGhost(): boolean {
    if (!this.target || this.seen === this.target) return false;
    this.seen = this.target;
    this.foresee(this.target);
    this.bench.tell();
    return true;
  }

  release(click: boolean): Selection | null {
    const { held, bench } = this;
    if (!held) return null;
    const chosen: Selection = { kind: "joint", index: held.joint };
    if (click || (!held.moved && !this.target)) {
      this.held = null;
      this.target = null;
      this.shown = null;
      return chosen;
    }
    const open = this.target !== null || this.coarse;
    bench.trust([held.joint, held.other]);
    this.coarse = false;
    this.shown = null;
    void this.apply(this.target, open, true);
    this.held = null;
    this.target = null;
    return chosen;
  }

  // Takes the drag back.
  escape(): void {
    const { held, bench } = this;
    this.held = null;
    this.target = null;
    this.coarse = false;
    if (this.shown) {
      this.shown = null;
      this.bench.tell();
      this.bench.desk.redraw();
    }
    if (held?.moved) void bench.desk.edit(() => bench.desk.session.cancelGesture());
  }
}
