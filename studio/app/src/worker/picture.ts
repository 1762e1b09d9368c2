// The picture: the viewport of the library, the camera that hands turn, and what a pixel means.
import type { AxisView, Legend, Selection, Show, View } from "../protocol";
import type { Ptr, snMarkInput, snOrbit, snPick } from "@sinew/core";
import type { Overlay } from "./desk";
import { NONE, sn, text, type CharacterPtr, type Core, type DocumentPtr, type ModelPtr, type Vec3 } from "./library";

const SHOWS: Record<Show, number> = {
  surface: sn.SN_SHOW_SURFACE,
  normals: sn.SN_SHOW_NORMALS,
  weights: sn.SN_SHOW_WEIGHTS,
  "all-weights": sn.SN_SHOW_ALL_WEIGHTS,
  lattice: sn.SN_SHOW_LATTICE,
  parts: sn.SN_SHOW_PARTS,
  moves: sn.SN_SHOW_MOVES,
};
const AXES: Record<AxisView, number> = {
  front: sn.SN_VIEW_FRONT,
  back: sn.SN_VIEW_BACK,
  left: sn.SN_VIEW_LEFT,
  right: sn.SN_VIEW_RIGHT,
  top: sn.SN_VIEW_TOP,
  bottom: sn.SN_VIEW_BOTTOM,
};
const CANVAS = "#viewport"; // what the core calls the one that it was given
const RADIANS = 0.008; // of orbiting, per CSS pixel
const GLIDE = 0.18; // seconds from one framing to another
const FOLLOW = 0.12; // seconds in which the camera makes half of its way to a character that travels
export const ACCENT = { dark: 0x5ccbbfff, light: 0x0a6c62ff };

const add = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z });
const minus = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });

export class Picture {
  orbit: snOrbit;
  dark = true;
  still = false;
  width = 1;
  height = 1;
  ratio = 1;
  shift = 0; // of the width: how far the character stands right of the middle, beside the start screen
  bare = false; // nothing behind the character, not even a backdrop: for pictures that are read
  marks: snMarkInput[] = [];
  private readonly viewport: Ptr<"snViewport">;
  private from: snOrbit | null = null;
  private to: snOrbit | null = null;
  private glided = 0;
  private home: Vec3 | null = null; // where the followed character was when it was framed
  private follow: Vec3 = { x: 0, y: 0, z: 0 };
  private shown = [0, 0];

  constructor(
    private readonly core: Core,
    private readonly canvas: OffscreenCanvas,
  ) {
    this.viewport = core.sn_viewport_create({ canvas: CANVAS, supersample: 1 }, null);
    this.orbit = core.sn_orbit();
  }

  resize({ width, height, ratio }: { width: number; height: number; ratio: number }): void {
    Object.assign(this, { width, height, ratio });
  }
  // Before it is drawn, for a canvas of another size is empty: while an edit runs the old picture stays.
  fit(): void {
    const { canvas, width, height } = this;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  }

  // ---------------------------------------------------------------------------------------------------- models

  show(pane: number, model: ModelPtr | null, character: CharacterPtr | null): void {
    this.core.sn_viewport_set_model(this.viewport, pane, model, character);
    this.shown[pane] = model ?? 0;
  }
  update(pane: number): void {
    if (this.shown[pane]) this.core.sn_viewport_update(this.viewport, pane);
  }
  // The model is about to go.
  forget(): void {
    this.core.sn_viewport_forget(this.viewport);
    this.shown = [0, 0];
  }

  // ---------------------------------------------------------------------------------------------------- camera

  private goTo(orbit: snOrbit): void {
    if (this.still) return this.put(orbit);
    this.from = this.orbit;
    this.to = orbit;
    this.glided = 0;
  }
  private get aim(): snOrbit {
    return this.to ?? this.orbit;
  }
  // Hands take over from where the picture is.
  private hold(): void {
    this.to = null;
  }

  // At once.
  put(orbit: snOrbit): void {
    this.orbit = orbit;
    this.to = null;
  }

  // All of the character, with as much room below and above as the clip needs.
  frame(atOnce: boolean, reach = { below: 0, above: 0 }): void {
    const bounds = this.core.sn_viewport_bounds(this.viewport, 0);
    bounds.min.y -= reach.below;
    bounds.max.y += reach.above;
    const wide = this.width * (1 - 2 * this.shift);
    const orbit = this.core.sn_orbit_frame(this.aim, bounds, Math.max(0.2, wide / this.height));
    this.home = this.core.sn_viewport_middle(this.viewport, 0);
    this.follow = { x: 0, y: 0, z: 0 };
    if (atOnce) this.put(orbit);
    else this.goTo(orbit);
  }
  // A place, with so much around it.
  frameAt(place: Vec3, reach: number): void {
    const around = { x: reach, y: reach, z: reach };
    const orbit = this.core.sn_orbit_frame(this.aim, { min: minus(place, around), max: add(place, around) }, Math.max(0.2, this.width / this.height));
    this.home = null; // the camera stays there
    this.follow = { x: 0, y: 0, z: 0 };
    this.goTo(orbit);
  }
  // The followed character stands elsewhere at once, as at rest: the camera goes with it.
  catchUp(): void {
    if (this.home) this.follow = { ...minus(this.core.sn_viewport_middle(this.viewport, 0), this.home), y: 0 };
  }
  look(axis: AxisView): void {
    this.goTo(this.core.sn_orbit_axis(this.aim, AXES[axis]));
  }
  turn(dx: number, dy: number): void {
    this.hold();
    this.orbit = this.core.sn_orbit_turn(this.orbit, -dx * RADIANS, dy * RADIANS);
  }
  pan(dx: number, dy: number): void {
    this.hold();
    this.orbit = this.core.sn_orbit_pan(this.orbit, dx * this.ratio, dy * this.ratio, this.height, null);
  }
  // Towards a place of the canvas, as shares of its size.
  zoom(factor: number, x: number, y: number, at: Vec3 | null): void {
    this.hold();
    const hit = at ? minus(at, this.follow) : null;
    this.orbit = this.core.sn_orbit_zoom(this.orbit, factor, x * this.width, y * this.height, this.width, this.height, hit);
  }

  // True: the camera moved on its own.
  step(seconds: number, follow: boolean): boolean {
    let moved = false;
    if (this.to && this.from) {
      this.glided = Math.min(1, this.glided + seconds / GLIDE);
      const eased = 1 - (1 - this.glided) ** 3;
      this.orbit = this.core.sn_orbit_mix(this.from, this.to, eased);
      if (this.glided >= 1) this.to = null;
      moved = true;
    }
    if (follow && this.home) {
      const middle = this.core.sn_viewport_middle(this.viewport, 0);
      const goal = { ...minus(middle, this.home), y: 0 };
      const next = this.core.sn_orbit_follow(this.follow, goal, seconds, FOLLOW);
      moved ||= Math.hypot(next.x - this.follow.x, next.z - this.follow.z) > 1e-5;
      this.follow = next;
    }
    return moved;
  }

  // ------------------------------------------------------------------------------------------------------ draw

  draw(view: View, selection: Selection, overlay: Overlay, axes = true): void {
    const marks = overlay.marks ? [...this.marks, ...overlay.marks] : this.marks;
    const look = overlay.look ?? {
      show: SHOWS[view.show],
      joint: selection.kind === "joint" ? selection.index : 0,
      wireframe: view.wireframe,
      joints: view.joints || view.show === "weights",
      ground: view.ground,
      selected_part: selection.kind === "part" ? selection.index : NONE,
      selected_joint: selection.kind === "joint" ? selection.index : NONE,
    };
    this.core.sn_viewport_draw(this.viewport, {
      width: this.width,
      height: this.height,
      orbit: this.shifted(),
      follow: this.follow,
      split: view.split ? sn.SN_SPLIT_SIDES : sn.SN_SPLIT_OFF,
      split_at: view.divide,
      backdrop: this.bare ? sn.SN_BACKDROP_NONE : this.dark ? sn.SN_BACKDROP_DARK : sn.SN_BACKDROP_LIGHT,
      looks: [look, look],
      marks,
      mark_count: marks.length,
      ...(overlay.gizmo ? { gizmo: overlay.gizmo } : {}),
      axes: axes && this.shift === 0,
      pixel_ratio: this.ratio,
    });
  }

  // Beside the start screen the character stands in the free part of the picture.
  private shifted(): snOrbit {
    if (this.shift === 0) return this.orbit;
    const aspect = this.width / this.height;
    const { right, distance, tan_half_y } = this.core.sn_orbit_camera(this.orbit, aspect);
    const by = -2 * this.shift * distance * tan_half_y * aspect * 0.5;
    return { ...this.orbit, target: add(this.orbit.target, { x: right.x * by, y: right.y * by, z: right.z * by }) };
  }

  legend(): Legend | null {
    const legend = this.core.sn_viewport_legend(this.viewport, 0);
    if (!legend.title) return null;
    const colors = Array.from(this.core.u32(legend.colors, legend.color_count), (color) => `#${color.toString(16).padStart(6, "0")}`);
    return { title: text(this.core, legend.title), unit: text(this.core, legend.unit), min: legend.min, max: legend.max, colors };
  }

  // What would be drawn, small, as a PNG; the next draw is of the whole canvas again.
  thumb(width: number, height: number, view: View, selection: Selection, overlay: Overlay): Uint8Array {
    const { orbit, ...size } = { orbit: this.orbit, width: this.width, height: this.height, ratio: this.ratio };
    this.orbit = this.aim;
    Object.assign(this, { width, height, ratio: 1 });
    try {
      this.draw({ ...view, split: false }, selection, overlay, false);
      return this.png();
    } finally {
      Object.assign(this, { orbit, ...size });
    }
  }

  // The picture as a PNG.
  png(): Uint8Array {
    const image = this.core.sn_viewport_read(this.viewport, null);
    const bytes = this.core.sn_png_write_memory(image, null);
    this.core.sn_image_destroy(image);
    return this.core.takeBytes(bytes);
  }

  // ----------------------------------------------------------------------------------------------------- places

  // What the character reaches now.
  bounds(): { min: Vec3; max: Vec3 } {
    return this.core.sn_viewport_bounds(this.viewport, Math.max(0, this.documentPane));
  }
  private pixel(x: number, y: number): { x: number; y: number } {
    return { x: x * this.ratio, y: y * this.ratio };
  }

  // What a CSS pixel shows of the document's character; null: nothing, or the other side's.
  pick(document: DocumentPtr, x: number, y: number): { pick: snPick; origin: Vec3; direction: Vec3 } | null {
    const at = this.pixel(x, y);
    if (this.core.sn_viewport_pane(this.viewport, at.x, at.y) !== this.documentPane) return null;
    const { origin, direction } = this.core.sn_viewport_ray(this.viewport, at.x, at.y);
    const { out, met } = this.core.sn_document_pick(document, origin, direction);
    return met ? { pick: out, origin, direction } : null;
  }
  documentPane = 0; // the pane that shows the document's own character

  ray(x: number, y: number): { origin: Vec3; direction: Vec3 } {
    const at = this.pixel(x, y);
    return this.core.sn_viewport_ray(this.viewport, at.x, at.y);
  }
  joint(x: number, y: number): number {
    const at = this.pixel(x, y);
    const pane = this.core.sn_viewport_pane(this.viewport, at.x, at.y);
    return this.core.sn_viewport_pick_joint(this.viewport, pane, at.x, at.y, 12 * this.ratio);
  }
  // Which part of the gizmo; 0: none.
  gizmoPart(x: number, y: number): number {
    const at = this.pixel(x, y);
    return this.core.sn_viewport_pick_gizmo(this.viewport, at.x, at.y);
  }
  // The CSS pixel of the canvas where a place of the world was drawn last.
  project(point: Vec3): { x: number; y: number } {
    const { x, y } = this.core.sn_viewport_project(this.viewport, Math.max(0, this.documentPane), point);
    return { x: x / this.ratio, y: y / this.ratio };
  }
  // Metres that a CSS pixel covers at a place.
  metres(at: Vec3): number {
    const { eye, tan_half_y } = this.core.sn_viewport_camera(this.viewport, this.documentPane).out;
    const away = Math.hypot(at.x - eye.x, at.y - eye.y, at.z - eye.z);
    return (2 * tan_half_y * away * this.ratio) / this.height;
  }
  // Weights have changed in place.
  touch(): void {
    for (const pane of [0, 1]) if (this.shown[pane]) this.core.sn_viewport_touch(this.viewport, pane);
  }
  // Values of a mode's own, one for every vertex; they stay where they are for as long as they are shown.
  heat(values: Ptr<"float">, count: number, max: number, title: string, unit: string): void {
    this.core.sn_viewport_set_heat(this.viewport, Math.max(0, this.documentPane), values, count, 0, max, title, unit);
  }
  axis(x: number, y: number): AxisView | null {
    const at = this.pixel(x, y);
    const axis = this.core.sn_viewport_pick_axis(this.viewport, at.x, at.y);
    return (Object.keys(AXES) as AxisView[]).find((name) => AXES[name] === axis) ?? null;
  }
  // A hand on the flesh: where it was taken, and where it pulls to.
  markPull(taken: Vec3, to: Vec3): void {
    const color = this.dark ? ACCENT.dark : ACCENT.light;
    this.marks = [
      { kind: sn.SN_MARK_LINE, a: taken, b: to, size: 2 * this.ratio, color, on_top: true, panes: 3 },
      { kind: sn.SN_MARK_POINT, a: to, size: 10 * this.ratio, color, on_top: true, panes: 3 },
    ];
  }
}
