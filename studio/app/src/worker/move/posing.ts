// Joints posed by hand: what the gizmo and the fields do to a pose, shown at once and keyed when the hand lets go.
import type { Ptr, snGizmoInput, snQuat } from "@sinew/core";
import type { Desk } from "../desk";
import { sn, type Vec3 } from "../library";

type Part = 1 | 2 | 3; // x, y, z, as snGizmoPart counts
type Locals = Ptr<"snTrs">;

const sub = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const along = (a: Vec3, d: Vec3, k: number): Vec3 => ({ x: a.x + d.x * k, y: a.y + d.y * k, z: a.z + d.z * k });
const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: Vec3, b: Vec3): Vec3 => ({ x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x });
const unit = (a: Vec3): Vec3 => along({ x: 0, y: 0, z: 0 }, a, 1 / Math.max(1e-12, Math.sqrt(dot(a, a))));
const AXES: Vec3[] = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
];
function rotate(q: snQuat, v: Vec3): Vec3 {
  const u = { x: q.x, y: q.y, z: q.z };
  const t = cross(u, v);
  const s = along(t, v, q.w);
  return along(v, cross(u, s), 2);
}
function turnAbout(axis: Vec3, angle: number): snQuat {
  const s = Math.sin(angle / 2);
  return { x: axis.x * s, y: axis.y * s, z: axis.z * s, w: Math.cos(angle / 2) };
}

// A drag: what was taken, and where.
interface Hold {
  kind: "turn" | "move" | "free";
  axis: Vec3;
  at: Vec3;
  from: number; // angle or way along the axis at first
  normal: Vec3; // of the plane that a free hand moves in
  offset: Vec3;
}

export class Posing {
  private poser: Ptr<"snJointPoser"> | null = null;
  private start: Locals | null = null; // as the clip has it
  private now: Locals | null = null;
  private joints: number[] = [];
  private hold: Hold | null = null;
  private count = 0;

  constructor(private readonly desk: Desk) {}

  private get core() {
    return this.desk.core;
  }
  private get bytes(): number {
    return this.count * this.core.sizeOf("snTrs");
  }
  get active(): boolean {
    return this.hold !== null;
  }

  private hands(): Ptr<"snJointPoser"> | null {
    const { model } = this.desk.session;
    if (!model) return null;
    if (!this.poser) {
      const { skeleton } = this.core.read("snModel", model);
      this.count = this.core.read("snSkeleton", skeleton).joint_count;
      if (this.count === 0) return null;
      this.poser = this.core.sn_joint_poser_create(skeleton, null);
    }
    return this.poser;
  }

  // The skeleton is about to go.
  release(): void {
    this.drop();
    if (this.poser) this.core.sn_joint_poser_destroy(this.poser);
    this.poser = null;
  }
  private drop(): void {
    if (this.start) this.core.free(this.start);
    if (this.now) this.core.free(this.now);
    this.start = this.now = null;
    this.hold = null;
  }

  limb(joint: number): number[] | null {
    const poser = this.hands();
    if (!poser || joint < 0 || joint >= this.count) return null;
    const out = new Uint32Array(3);
    return this.core.sn_joint_poser_limb(poser, joint, out) ? Array.from(out) : null;
  }
  // What the move tool does with a joint: a limb reaches, what carries all goes somewhere else.
  reach(joint: number): "limb" | "whole" | "none" {
    if (!this.hands() || joint < 0) return "none";
    if (this.limb(joint)) return "limb";
    const { joints } = this.desk.session.describe();
    return joints[joint]?.parent === -1 || joints[joints[joint].parent]?.parent === -1 ? "whole" : "none";
  }

  // Where a joint is in what is shown.
  place(joint: number): { translation: Vec3; rotation: snQuat } | null {
    const poser = this.hands();
    const locals = this.now ?? this.sample();
    if (!poser || !locals) return null;
    const { rotation, translation } = this.core.sn_joint_poser_world(poser, locals, joint);
    if (locals !== this.now) this.core.free(locals);
    return { rotation, translation };
  }
  gizmo(joint: number, tool: "turn" | "move", hot: number): snGizmoInput | null {
    if (tool === "move" && this.reach(joint) === "none") return null;
    const place = this.place(joint);
    if (!place) return null;
    const kind = tool === "turn" ? sn.SN_GIZMO_TURN : sn.SN_GIZMO_MOVE;
    const axes = tool === "turn" ? place.rotation : { x: 0, y: 0, z: 0, w: 1 };
    return { kind, at: place.translation, axes, pane: Math.max(0, this.desk.picture.documentPane), hot };
  }

  // The pose of the clip that is shown, at its moment; the caller frees it.
  private sample(): Locals | null {
    const { session, player } = this.desk;
    if (!session.model || !this.hands()) return null;
    return player.pose(session.model) as Locals;
  }

  // ------------------------------------------------------------------------------------------------------ hands

  begin(joint: number, kind: Hold["kind"], part: Part | 0, x: number, y: number): boolean {
    const poser = this.hands();
    const place = this.place(joint);
    if (!poser || !place) return false;
    this.desk.player.play(false);
    this.start = this.sample();
    this.now = this.core.alloc(this.bytes) as Locals;
    this.joints = kind === "turn" ? [joint] : (this.limb(joint) ?? [joint]);
    const axis = part === 0 ? AXES[0] : kind === "turn" ? unit(rotate(place.rotation, AXES[part - 1])) : AXES[part - 1];
    const { direction } = this.desk.picture.ray(x, y);
    this.hold = { kind, axis, at: place.translation, from: 0, normal: unit(direction), offset: { x: 0, y: 0, z: 0 } };
    this.hold.from = this.measure(x, y);
    if (kind === "free") this.hold.offset = sub(place.translation, this.meet(x, y));
    this.reset();
    return true;
  }
  private reset(): void {
    this.core.u8(this.now!, this.bytes).set(this.core.u8(this.start!, this.bytes));
  }

  // Where the ray of a pixel meets the plane of the hand.
  private meet(x: number, y: number): Vec3 {
    const { at, normal } = this.hold!;
    const { origin, direction } = this.desk.picture.ray(x, y);
    const across = dot(direction, normal);
    return Math.abs(across) < 1e-6 ? at : along(origin, direction, dot(sub(at, origin), normal) / across);
  }
  // The angle about the axis, or the way along it, that a pixel means.
  private measure(x: number, y: number): number {
    const { kind, at, axis } = this.hold!;
    const { origin, direction } = this.desk.picture.ray(x, y);
    if (kind === "move") {
      // The point of the axis that is nearest to the ray.
      const w = sub(at, origin);
      const b = dot(axis, direction);
      const c = dot(direction, direction);
      const d = c - b * b;
      return Math.abs(d) < 1e-9 ? 0 : (b * dot(direction, w) - c * dot(axis, w)) / d;
    }
    if (kind === "free") return 0;
    const across = dot(direction, axis);
    const edge = Math.abs(across) < 0.15; // a ring seen from its side: as a lever
    const met = edge ? this.lever(x, y) : along(origin, direction, dot(sub(at, origin), axis) / across);
    const u = unit(Math.abs(axis.y) < 0.9 ? cross(axis, AXES[1]) : cross(axis, AXES[0]));
    const v = cross(axis, u);
    const r = sub(met, at);
    return Math.atan2(dot(r, v), dot(r, u));
  }
  private lever(x: number, y: number): Vec3 {
    const { at, axis, normal } = this.hold!;
    const { origin, direction } = this.desk.picture.ray(x, y);
    const side = unit(cross(axis, normal));
    const across = dot(direction, normal);
    const met = along(origin, direction, dot(sub(at, origin), normal) / (Math.abs(across) < 1e-6 ? 1 : across));
    const way = dot(sub(met, at), side);
    return along(along(at, side, way), normal, -0.25);
  }

  drag(x: number, y: number): void {
    const { hold, core } = this;
    if (!hold || !this.poser || !this.now) return;
    this.reset();
    const joint = this.joints[this.joints.length - 1];
    if (hold.kind === "turn") {
      let angle = this.measure(x, y) - hold.from;
      if (angle > Math.PI) angle -= 2 * Math.PI;
      if (angle < -Math.PI) angle += 2 * Math.PI;
      core.sn_joint_poser_rotate(this.poser, this.now, joint, turnAbout(hold.axis, angle));
    } else {
      const to = hold.kind === "move" ? along(hold.at, hold.axis, this.measure(x, y) - hold.from) : along(this.meet(x, y), hold.offset, 1);
      this.put(joint, to);
    }
    this.show();
  }
  private put(joint: number, to: Vec3): void {
    if (this.core.sn_joint_poser_reach(this.poser!, this.now!, joint, to)) return;
    this.core.sn_joint_poser_move(this.poser!, this.now!, joint, to);
  }
  // The surface as it is posed; flesh is at rest in it until the hand lets go.
  private show(): void {
    const character = this.desk.session.character();
    if (!character) return;
    this.core.sn_character_pose_locals(character, this.now!);
    this.desk.panes.update();
    this.desk.redraw();
  }

  // Keys what the hand has done. False: nothing.
  end(keep: boolean, key: (joints: number[], locals: Locals) => void): boolean {
    if (!this.hold || !this.now) return false;
    const moved = keep && this.differs();
    try {
      if (moved) key(this.joints, this.now);
    } finally {
      this.drop();
    }
    return moved;
  }
  private differs(): boolean {
    const a = this.core.u8(this.start!, this.bytes);
    const b = this.core.u8(this.now!, this.bytes);
    return a.some((byte, i) => byte !== b[i]);
  }

  // By numbers: a turn about an axis of the joint's own, or a way along one of the world.
  by(joint: number, axis: 0 | 1 | 2, amount: number, kind: "turn" | "move", key: (joints: number[], locals: Locals) => void): void {
    const place = this.place(joint);
    if (!place || !this.poser) return;
    this.start = this.sample();
    this.now = this.core.alloc(this.bytes) as Locals;
    this.reset();
    this.joints = kind === "turn" ? [joint] : (this.limb(joint) ?? [joint]);
    if (kind === "turn") this.core.sn_joint_poser_rotate(this.poser, this.now, joint, turnAbout(unit(rotate(place.rotation, AXES[axis])), amount));
    else this.put(joint, along(place.translation, AXES[axis], amount));
    try {
      key(this.joints, this.now);
    } finally {
      this.drop();
    }
  }
  // The pose as it is.
  asIs(joints: number[], key: (joints: number[], locals: Locals) => void): void {
    const locals = this.sample();
    if (!locals) return;
    try {
      key(joints, locals);
    } finally {
      this.core.free(locals);
    }
  }
}
