// Gravity, wind and colliders, as arrows and handles over the body.
import type { Collider, Forces as Shown } from "../../protocol/move";
import type { Touch, SettingValue } from "../../protocol";
import type { Ptr, snMarkInput } from "@sinew/core";
import type { Desk, Overlay } from "../desk";
import { lend, sn, text, type Vec3 } from "../library";

const NEAR = 12; // CSS pixels within which a handle is taken
const USUAL = { gravity: 9.81, wind: 10 }; // what makes an arrow a third of the body long
const DRAG = 2; // 1/s: of a wind that nothing felt before
const COLORS = { dark: { gravity: 0xff8a6bff, wind: 0x74a9ffff, collider: 0x5ccbbfff }, light: { gravity: 0xab3915ff, wind: 0x1f5fc4ff, collider: 0x0a6c62ff } };

type Arrow = "gravity" | "wind";
type End = "from" | "to" | "middle" | "radius";
type Handle = { at: Vec3 } & ({ arrow: Arrow } | { collider: number; end: End });
type Frame = (point: Vec3) => Vec3;

const add = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z });
const sub = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const times = (a: Vec3, k: number): Vec3 => ({ x: a.x * k, y: a.y * k, z: a.z * k });
const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const length = (a: Vec3): number => Math.sqrt(dot(a, a));
const cross = (a: Vec3, b: Vec3): Vec3 => ({ x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x });
const middle = (one: Collider): Vec3 => times(add(one.from, one.to), 0.5);

export class Forces {
  chosen = -1; // collider
  private hold: { handle: Handle; normal: Vec3; offset: Vec3; before: Collider | null } | null = null;
  private middle: Vec3 = { x: 0, y: 0, z: 0 }; // of the body, when the tool was taken up
  private size = 1;

  constructor(private readonly desk: Desk) {}

  private get core() {
    return this.desk.core;
  }
  private get document() {
    return this.desk.session.document!;
  }

  // Arrows stand beside the body as it is now.
  stand(): void {
    const { min, max } = this.desk.picture.bounds();
    this.middle = times(add(min, max), 0.5);
    this.size = Math.max(1e-3, max.y - min.y, max.x - min.x);
  }

  // -------------------------------------------------------------------------------------------- what is set

  read(): Shown {
    const { gravity, wind, drag, colliders, collider_count } = this.core.read("snSettings", this.core.sn_document_settings(this.document));
    const list = this.core.readList("snColliderDef", colliders, collider_count).map(({ joint, from, to, radius }) => ({ joint: text(this.core, joint), from, to, radius }));
    this.chosen = Math.min(this.chosen, list.length - 1);
    return { gravity, wind, drag, colliders: list, chosen: this.chosen };
  }
  // Of the body's size, in front of the chosen joint or of the middle, and moved by the joint where there is one.
  add(joint: number): void {
    const name = joint >= 0 ? this.desk.session.describe().joints[joint].name : "";
    this.stand();
    const at = name ? this.toWorld(name)({ x: 0, y: 0, z: 0 }) : add(this.middle, { x: 0, y: 0, z: 0.25 * this.size });
    const half = { x: 0.06 * this.size, y: 0, z: 0 };
    const back = this.toLocal(name);
    const list = this.read().colliders;
    this.write([...list, { joint: name, from: back(sub(at, half)), to: back(add(at, half)), radius: 0.04 * this.size }]);
    this.chosen = list.length;
  }
  change(index: number, change: Partial<Collider>): void {
    const list = this.read().colliders;
    const old = list[index];
    if (!old) return;
    // What hangs on another joint stays where it is seen.
    if (change.joint !== undefined && change.joint !== old.joint) {
      const out = this.toWorld(old.joint);
      const back = this.toLocal(change.joint);
      change = { from: back(out(old.from)), to: back(out(old.to)), ...change };
    }
    this.write(list.map((one, i) => (i === index ? { ...one, ...change } : one)));
  }
  remove(index: number): void {
    this.write(this.read().colliders.filter((_, i) => i !== index));
  }
  private write(list: Collider[]): void {
    const settings = this.core.sn_settings_copy(this.core.sn_document_settings(this.document), null);
    try {
      this.withNames(list, 0, [], (named) => this.core.sn_settings_set_colliders(settings, named as never, named.length));
      this.core.sn_document_set_settings(this.document, settings);
    } finally {
      this.core.sn_settings_destroy(settings);
    }
  }
  private withNames(list: Collider[], i: number, named: object[], run: (named: object[]) => void): void {
    if (i === list.length) return run(named);
    lend(this.core, list[i].joint, (joint) => this.withNames(list, i + 1, [...named, { ...list[i], joint }], run));
  }

  // ------------------------------------------------------------------------------------- joints' own spaces

  private matrix(name: string): Float32Array | null {
    const joint = name ? this.desk.session.describe().joints.findIndex((one) => one.name === name) : -1;
    const character = joint >= 0 ? this.desk.session.character() : null;
    if (!character) return null;
    const size = this.core.sizeOf("snMat4");
    const address = (this.core.sn_character_world(character) + joint * size) as Ptr<"float">;
    return this.core.floats(address, 16).slice();
  }
  private toWorld(name: string): Frame {
    const m = this.matrix(name);
    if (!m) return (p) => p;
    return (p) => ({ x: m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], y: m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13], z: m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14] });
  }
  private toLocal(name: string): Frame {
    const m = this.matrix(name);
    if (!m) return (p) => p;
    const [a, b, c, t] = [0, 4, 8, 12].map((i) => ({ x: m[i], y: m[i + 1], z: m[i + 2] }));
    const whole = dot(a, cross(b, c));
    return (p) => {
      const d = sub(p, t);
      return { x: dot(d, cross(b, c)) / whole, y: dot(d, cross(c, a)) / whole, z: dot(d, cross(a, b)) / whole };
    };
  }

  // ------------------------------------------------------------------------------------------------ handles

  private anchor(arrow: Arrow): Vec3 {
    const beside = (arrow === "gravity" ? -0.4 : 0.4) * this.size;
    return add(this.middle, { x: beside, y: 0.2 * this.size, z: 0 });
  }
  private metres(arrow: Arrow): number {
    return (0.33 * this.size) / USUAL[arrow];
  }
  private arrows(shown: Shown): { arrow: Arrow; from: Vec3; to: Vec3 }[] {
    return (["gravity", "wind"] as const).map((arrow) => {
      const from = this.anchor(arrow);
      return { arrow, from, to: add(from, times(shown[arrow], this.metres(arrow))) };
    });
  }
  // A place on the rim of a collider, across it and across the view.
  private rim(from: Vec3, to: Vec3, radius: number): Vec3 {
    const at = times(add(from, to), 0.5);
    const { x, y } = this.desk.picture.project(at);
    const { direction } = this.desk.picture.ray(x, y);
    const along = length(sub(to, from)) > 1e-6 ? sub(to, from) : { x: 1, y: 0, z: 0 };
    const out = cross(along, direction);
    return add(at, times(out, radius / Math.max(1e-9, length(out))));
  }
  private capsule(one: Collider): { from: Vec3; to: Vec3 } {
    const out = this.toWorld(one.joint);
    return { from: out(one.from), to: out(one.to) };
  }
  private handles(): Handle[] {
    const shown = this.read();
    const list: Handle[] = this.arrows(shown).map(({ arrow, to }) => ({ arrow, at: to }));
    shown.colliders.forEach((one, collider) => {
      const { from, to } = this.capsule(one);
      list.push({ collider, end: "middle", at: times(add(from, to), 0.5) });
      if (collider !== this.chosen) return;
      list.push({ collider, end: "from", at: from }, { collider, end: "to", at: to }, { collider, end: "radius", at: this.rim(from, to, one.radius) });
    });
    return list;
  }
  // Where handles are, for tests.
  places(): { name: string; pixel: { x: number; y: number } }[] {
    return this.handles().map((one) => ({ name: "arrow" in one ? one.arrow : `${one.end} ${one.collider}`, pixel: this.desk.picture.project(one.at) }));
  }

  begin(touch: Touch): boolean {
    const { picture, session } = this.desk;
    const away = (handle: Handle) => {
      const { x, y } = picture.project(handle.at);
      return Math.hypot(x - touch.x, y - touch.y);
    };
    const near = this.handles().filter((handle) => away(handle) <= NEAR);
    const handle = near.sort((a, b) => away(a) - away(b)).at(0);
    if (!handle) return false;
    if ("collider" in handle) this.chosen = handle.collider;
    const { direction } = picture.ray(touch.x, touch.y);
    const before = "collider" in handle ? this.read().colliders[handle.collider] : null;
    this.hold = { handle, normal: direction, offset: { x: 0, y: 0, z: 0 }, before };
    this.hold.offset = sub(handle.at, this.meet(touch));
    session.beginGesture("arrow" in handle ? `Set ${handle.arrow}` : "Move collider");
    return true;
  }
  // Where the ray of a pixel meets the plane of the hand.
  private meet(touch: Touch): Vec3 {
    const { handle, normal } = this.hold!;
    const { origin, direction } = this.desk.picture.ray(touch.x, touch.y);
    const across = dot(direction, normal);
    return Math.abs(across) < 1e-6 ? handle.at : add(origin, times(direction, dot(sub(handle.at, origin), normal) / across));
  }

  move(touch: Touch): void {
    if (!this.hold) return;
    const { handle, offset, before } = this.hold;
    const at = add(this.meet(touch), offset);
    this.desk.retouch(() => ("arrow" in handle ? this.blow(handle.arrow, at) : before && this.put(handle.collider, handle.end, before, at)), false);
  }
  private blow(arrow: Arrow, to: Vec3): void {
    const { x, y, z } = times(sub(to, this.anchor(arrow)), 1 / this.metres(arrow));
    const set = (key: string, value: SettingValue) => this.desk.session.set(key, value, "more");
    set(`forces.${arrow}`, [x, y, z]);
    if (arrow === "wind" && this.read().drag === 0) set("forces.drag", DRAG);
  }
  private put(index: number, end: End, before: Collider, at: Vec3): void {
    const out = this.toWorld(before.joint);
    const back = this.toLocal(before.joint);
    const now = out(middle(before));
    if (end === "radius") return this.change(index, { radius: Math.max(1e-3, length(sub(at, now))) });
    if (end !== "middle") return this.change(index, { [end]: back(at) });
    const by = sub(at, now);
    this.change(index, { from: back(add(out(before.from), by)), to: back(add(out(before.to), by)) });
  }
  end(): void {
    if (!this.hold) return;
    this.hold = null;
    this.desk.retouch(() => this.desk.session.endGesture(), true);
  }

  overlay(): Overlay {
    const { picture } = this.desk;
    const colors = picture.dark ? COLORS.dark : COLORS.light;
    const shown = this.read();
    const thick = picture.ratio;
    const line = (a: Vec3, b: Vec3, color: number): snMarkInput => ({ kind: sn.SN_MARK_LINE, a, b, size: 2 * thick, color, on_top: true });
    const point = (a: Vec3, color: number, size = 10): snMarkInput => ({ kind: sn.SN_MARK_POINT, a, size: size * thick, color, on_top: true });
    const ring = (a: Vec3, radius: number, color: number, b: Vec3 = { x: 0, y: 0, z: 0 }): snMarkInput => ({ kind: sn.SN_MARK_RING, a, b, radius, size: 2 * thick, color, on_top: true });
    const marks: snMarkInput[] = [];
    for (const { arrow, from, to } of this.arrows(shown)) {
      const color = colors[arrow];
      marks.push(point(from, color, 5), line(from, to, color), point(to, color, 12));
    }
    shown.colliders.forEach((one, i) => {
      const { from, to } = this.capsule(one);
      const color = i === this.chosen ? colors.collider : 0x969da6ff;
      const along = sub(to, from);
      marks.push(ring(from, one.radius, color), ring(to, one.radius, color), ring(times(add(from, to), 0.5), one.radius, color, along), line(from, to, color), point(times(add(from, to), 0.5), color, 9));
      if (i === this.chosen) marks.push(point(from, color), point(to, color), point(this.rim(from, to, one.radius), color, 8));
    });
    return { marks };
  }
}

