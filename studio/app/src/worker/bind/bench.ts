// Bind, in the worker: a skeleton for the character, its joints by hand, weights by binding and by brush.
import { emptyBind, type BindCommand, type BindOptions, type BindState } from "../../protocol/bind";
import type { Command, Joint, NamedFile, Selection, Show, Touch } from "../../protocol";
import type { snMarkInput, snWeightsMethod } from "@sinew/core";
import type { Bench, Desk, Overlay } from "../desk";
import { bare, beside } from "../files";
import { NONE, sn, type ModelPtr, type Vec3 } from "../library";
import { post } from "../post";
import type { Tell } from "../session";
import { Bend } from "./bend";
import { Brush } from "./brush";
import { listDoubts } from "./doubts";
import { Heat } from "./heat";
import { JointEdits } from "./joints";
import { Mover } from "./mover";

const METHODS = { auto: sn.SN_WEIGHTS_AUTO, heat: sn.SN_WEIGHTS_HEAT, geodesic: sn.SN_WEIGHTS_GEODESIC };
const BUILTIN = "builtin:body";
export const REST = 250; // ms after which a hand rests
const WARN = { dark: 0xe9b44cff, light: 0x845600ff };

export class BindBench implements Bench {
  options: BindOptions = { ...emptyBind.options };
  joints: Joint[] = [];
  sizing: BindState["sizing"] = "";
  here: BindState["here"] = null;
  private model: ModelPtr | null = null;
  private entered = false;
  private before: { clip: number; playing: boolean } | null = null; // what was played when the mode was chosen
  private shownBefore: Show | null = null; // by the view, when the brush was taken
  private readonly heat: Heat;
  private readonly bend: Bend;
  private readonly mover: Mover;
  private readonly brush: Brush;
  private readonly edits = new JointEdits(this);

  constructor(readonly desk: Desk) {
    this.heat = new Heat(desk);
    this.bend = new Bend(desk);
    this.mover = new Mover(this);
    this.brush = new Brush(this);
  }

  get chosen(): number {
    const { selection } = this.desk;
    return selection.kind === "joint" && selection.index < this.joints.length ? selection.index : -1;
  }
  find(name: string): number {
    return this.joints.findIndex((joint) => joint.name === name);
  }

  // --------------------------------------------------------------------------------------------------- the mode

  // Joints are placed, and weights looked at, where the body rests.
  enter(): void {
    this.entered = true;
    const { state } = this.desk.player;
    if (this.desk.busy || !this.desk.session.model) return;
    this.before = { clip: state.clip, playing: state.playing };
    this.rest();
  }
  rest(): void {
    const { player } = this.desk;
    player.state.playing = false;
    player.state.scrubbing = false;
    player.choose(-1, 0);
    this.desk.patch({ play: { ...player.state } });
    this.desk.pose();
    this.desk.picture.catchUp();
  }
  exit(): void {
    this.entered = false;
    this.mover.escape();
    this.brush.end();
    this.bend.set(-1, 0);
    this.heat.show("");
    this.sizing = "";
    if (this.options.tool === "brush") {
      this.options = { ...this.options, tool: "select" };
      this.showAsBefore();
    }
    const { before } = this;
    this.before = null;
    const { player, session } = this.desk;
    if (!before || !session.model || this.desk.busy) return;
    const { clips } = session.describe();
    if (player.state.clip < 0 && before.clip < clips.length && before.clip >= 0) {
      player.choose(before.clip, clips[before.clip].duration);
      player.state.playing = before.playing;
      this.desk.patch({ play: { ...player.state } });
      this.desk.pose();
    }
    this.tell();
  }

  changed(): void {
    const { session } = this.desk;
    if (session.model !== this.model) {
      this.model = session.model;
      this.heat.forget();
    }
    this.joints = session.describe().joints;
    this.heat.stale();
    this.bend.attend(this.chosen);
    if (this.entered && !this.before && session.model) this.enter(); // another character, or the first
    this.tell();
  }
  released(): void {
    this.bend.forget();
    this.heat.released();
  }

  tell(): void {
    const { session } = this.desk;
    const { rigging } = session;
    const rigged = this.joints.length > 0;
    const list = rigged ? listDoubts(this, rigging, this.heat) : [];
    const bound = rigged && rigging.bind ? rigging.bind : null;
    const place = this.chosen >= 0 ? (this.mover.placeOf(this.chosen) ?? this.placeOf(this.chosen)) : null;
    const bind: BindState = {
      doubts: list.length,
      options: this.options,
      source: rigged ? rigging.source : "",
      sure: this.joints.map((joint) => rigging.fit.get(joint.name) ?? null),
      bound: bound && { cells: bound.cells, deforming: bound.deforming, mirrored: bound.mirrored, seconds: bound.seconds },
      list,
      searched: this.heat.searched,
      place,
      moves: this.bend.moves,
      bend: this.bend.now,
      here: this.here,
      preview: this.mover.coarse ? "coarse" : this.mover.ghost ? "joint" : this.brush.ahead ? "colors" : "",
      sizing: this.sizing,
      heat: this.heat.kind,
    };
    this.desk.patch({ bind });
  }

  // Where joints are at rest.
  places(): Vec3[] {
    const { core, session } = this.desk;
    const { skeleton } = core.read("snModel", session.model!);
    const world = core.alloc(this.joints.length * 64);
    core.sn_skeleton_world(skeleton, null, world as unknown as Parameters<typeof core.sn_skeleton_world>[2]);
    const all = core.floats(world, 16 * this.joints.length).slice();
    core.free(world);
    return this.joints.map((_, j) => ({ x: all[16 * j + 12], y: all[16 * j + 13], z: all[16 * j + 14] }));
  }
  placeOf(joint: number): [number, number, number] {
    const { x, y, z } = this.places()[joint];
    return [x, y, z];
  }

  // -------------------------------------------------------------------------------------------------- commands

  quick(command: Command): boolean {
    const { type } = command;
    if (type === "bind:set") this.set(command.set);
    else if (type === "bind:bend") {
      this.bend.set(command.move, command.share);
      this.tell();
    } else if (type === "bind:heat") {
      this.heat.show(command.heat);
      this.tell();
    } else if (type === "bind:size") {
      this.sizing = command.what;
      this.tell();
    } else if (type === "bind:escape") {
      this.mover.escape();
    } else return false;
    return true;
  }

  private set(set: Partial<BindOptions>): void {
    const { tool, paints } = this.options;
    this.options = { ...this.options, ...set };
    if (tool === "brush" && this.options.tool !== "brush") this.showAsBefore();
    if (this.options.tool === "brush" && (set.tool || set.paints) && (tool !== "brush" || paints !== this.options.paints)) this.showPainted();
    if (set.tool === "move") {
      this.bend.set(-1, 0);
      if (this.desk.player.state.clip >= 0) this.rest();
    }
    if (set.tool && set.tool !== "brush" && this.heat.kind === "softness") this.heat.show("");
    this.tell();
  }
  private showPainted(): void {
    if (this.options.paints === "softness") this.heat.show("softness");
    else {
      this.heat.show("");
      const { show } = this.desk.view;
      if (show !== "weights") this.shownBefore = show;
      this.desk.setView({ show: "weights" });
    }
  }
  // The brush is put down, and with it the weights that it showed.
  private showAsBefore(): void {
    if (this.shownBefore && this.desk.view.show === "weights") this.desk.setView({ show: this.shownBefore });
    this.shownBefore = null;
  }

  async slow(command: Command): Promise<void> {
    const c = command as BindCommand;
    if (c.type === "bind:fit") return this.fit(c.from);
    if (c.type === "bind:skeleton") return this.takeSkeleton(c.files);
    if (c.type === "bind:run") return this.change("Binding", "Bind", async () => true, true);
    if (c.type === "bind:search") return this.search();
    if (c.type === "bind:range") return this.playRange();
    if (c.type === "bind:place") return this.change("Moving a joint", "Move joint", async () => this.mover.put(c.joint, c.place));
    if (c.type === "bind:add") return this.edits.add(c.parent);
    if (c.type === "bind:remove") return this.edits.remove(c.joint);
    if (c.type === "bind:merge") return this.edits.mergeIdle();
    if (c.type === "bind:rename") return this.edits.rename(c.joint, c.name);
    if (c.type === "bind:parent") return this.edits.hang(c.joint, c.parent);
  }

  // As binding is set now.
  get bindDef(): { method: snWeightsMethod; influences: number; cells: number } {
    const { method, influences, cells } = this.options;
    return { method: METHODS[method], influences: Number(influences), cells };
  }

  // An edit of joints, with the weights that follow from it, as one step. False from `run`: nothing was done.
  async change(what: string, name: string, run: (signal: AbortSignal, tell: Tell) => Promise<boolean>, bind = this.options.live): Promise<void> {
    const { desk } = this;
    const { session, core } = desk;
    if (!session.document || !session.model) return;
    session.endGesture();
    await desk.work(what, (signal, tell) =>
      desk.edit(async () => {
        core.sn_document_begin(session.document!, name);
        const { rigging } = session;
        try {
          if ((await run(signal, tell)) && bind) await session.bind(this.bindDef, signal, tell);
          core.sn_document_end(session.document!);
        } catch (error) {
          session.rigging = rigging;
          core.sn_document_cancel(session.document!);
          throw error;
        }
      }),
    );
  }

  private async fit(from: "builtin" | "own"): Promise<void> {
    const { core, session } = this.desk;
    if (from === "builtin") return this.join("Fitting the skeleton", BUILTIN, async (signal) => core.run("sn_source_open", session.document!, BUILTIN, {}, { signal }));
    await this.change("Fitting the joints", "Fit joints", async (signal, tell) => {
      const report = await core.run("sn_document_refit", session.document!, null, { signal, progress: tell });
      const { readFit } = await import("../rigging");
      session.rigging = { ...session.rigging, fit: readFit(core, report) };
      core.sn_fit_report_free(report);
      return true;
    }, true);
  }
  private async takeSkeleton(files: NamedFile[]): Promise<void> {
    const { core, session } = this.desk;
    const file = files.find((one) => !/\.asf$/i.test(one.name)) ?? files[0];
    const bytes = new Uint8Array(file.bytes);
    const name = bare(file.name);
    await this.join(`Fitting ${name}`, name, (signal) =>
      core.run("sn_source_open_memory", session.document!, name, bytes, bytes.byteLength, { files: core.files(beside(file, files)) }, { signal }),
    );
  }
  private async join(what: string, name: string, open: (signal: AbortSignal) => Promise<Parameters<BindBench["desk"]["session"]["fit"]>[1]>): Promise<void> {
    const { core, session } = this.desk;
    let seconds = 0;
    await this.change(
      what,
      "Fit skeleton",
      async (signal, tell) => {
        const since = performance.now();
        const source = await open(signal);
        try {
          await session.fit(session.document!, source, signal, tell);
        } finally {
          core.sn_source_close(source);
        }
        if (name === BUILTIN) session.rigging = { ...session.rigging, source: "Built in" };
        seconds = (performance.now() - since) / 1000;
        return true;
      },
      false,
    );
    if (seconds === 0) return;
    this.options = { ...this.options, live: true };
    this.before = null; // there is no clip of the old joints to go back to
    const unsure = this.desk.session.rigging.fit.size > 0 ? [...this.desk.session.rigging.fit.values()].filter((one) => one.sure < 0.5).length : 0;
    post({ type: "note", text: `Fitted and bound in ${seconds.toFixed(1)} s. ${unsure === 0 ? "All joints are sure." : unsure === 1 ? "1 joint is unsure." : `${unsure} joints are unsure.`}`, action: unsure === 0 ? "undo" : "review" });
    this.changed();
  }

  // -------------------------------------------------------------------------------------------------- the joints

  // What was painted is to be read anew.
  repaint(): void {
    this.heat.stale();
  }
  // Somebody has put it where it belongs.
  trust(joints: number[]): void {
    const { session } = this.desk;
    const fit = new Map(session.rigging.fit);
    for (const joint of joints) if (fit.has(this.joints[joint].name)) fit.set(this.joints[joint].name, { sure: 1, why: "put by hand" });
    session.rigging = { ...session.rigging, fit };
  }

  private async search(): Promise<void> {
    await this.desk.work("Looking for doubts", (signal, tell) => this.heat.search(this.bindDef, signal, tell));
    this.tell();
  }

  private async playRange(): Promise<void> {
    const { desk } = this;
    const { core, session } = desk;
    let clip = session.describe().clips.findIndex((one) => one.name === "range");
    if (clip < 0)
      await desk.work("Making the range of motion", () =>
        desk.edit(() => {
          const checkup = core.sn_checkup_create(session.document!, {});
          try {
            core.sn_checkup_set_range(checkup);
          } finally {
            core.sn_checkup_destroy(checkup);
          }
        }),
      );
    clip = session.describe().clips.findIndex((one) => one.name === "range");
    if (clip < 0) return;
    this.bend.set(-1, 0);
    desk.chooseClip(clip);
    desk.player.play(true);
    desk.patch({ play: { ...desk.player.state } });
    this.tell();
  }

  // -------------------------------------------------------------------------------------------------- pointers

  press(touch: Touch): boolean {
    if (this.sizing) {
      this.sizing = "";
      this.tell();
      return true;
    }
    if (this.options.tool === "move") return this.mover.press(touch);
    if (this.options.tool === "brush") return this.brush.press(touch);
    return false;
  }
  drag(touch: Touch): void {
    if (this.mover.active) this.mover.drag(touch);
    else this.brush.drag(touch);
  }
  release(_touch: Touch, click: boolean): Selection | null | undefined {
    if (this.mover.active) return this.mover.release(click);
    this.brush.end();
    return null;
  }
  private lastX = 0;
  hover(touch: Touch): void {
    const by = touch.x - this.lastX;
    this.lastX = touch.x;
    if (this.sizing === "radius") this.set({ radius: Math.min(300, Math.max(4, this.options.radius + by)) });
    else if (this.sizing === "strength") this.set({ strength: Math.min(1, Math.max(0.01, this.options.strength + by / 200)) });
    if (this.options.tool === "brush") this.brush.hover(touch, this.sizing !== "");
    else this.mover.hover(touch);
  }

  leave(): void {
    if (this.sizing === "") this.brush.leave();
  }

  // --------------------------------------------------------------------------------------------------- frames

  step(): boolean {
    const moved = this.mover.step();
    return this.brush.step() || moved;
  }

  overlay(): Overlay {
    if (this.joints.length === 0) return {};
    const { desk, chosen } = this;
    const heat = this.heat.apply();
    const { view, selection } = desk;
    const shows = { surface: sn.SN_SHOW_SURFACE, normals: sn.SN_SHOW_NORMALS, weights: sn.SN_SHOW_WEIGHTS, "all-weights": sn.SN_SHOW_ALL_WEIGHTS, lattice: sn.SN_SHOW_LATTICE, parts: sn.SN_SHOW_PARTS, moves: sn.SN_SHOW_MOVES };
    const gizmo = this.mover.gizmo();
    return {
      marks: [...this.unsureMarks(), ...this.mover.marks(), ...this.brush.marks()],
      look: {
        show: heat ? sn.SN_SHOW_GIVEN : shows[view.show],
        joint: Math.max(0, chosen),
        wireframe: view.wireframe,
        joints: true,
        ground: view.ground,
        selected_part: selection.kind === "part" ? selection.index : NONE,
        selected_joint: chosen >= 0 && !this.mover.ghost ? chosen : NONE,
      },
      ...(gizmo ? { gizmo } : {}),
    };
  }

  // Joints that are unsure, as they stand now.
  private unsureMarks(): snMarkInput[] {
    const { core, session, picture, player } = this.desk;
    const { fit } = session.rigging;
    const character = player.character(0);
    if (fit.size === 0 || !character) return [];
    const world = core.floats(core.sn_character_world(character), 16 * this.joints.length);
    const color = picture.dark ? WARN.dark : WARN.light;
    return this.joints.flatMap((joint, j) => {
      const sure = fit.get(joint.name);
      if (!sure || sure.sure >= 0.5) return [];
      const a: Vec3 = { x: world[16 * j + 12], y: world[16 * j + 13], z: world[16 * j + 14] };
      return [{ kind: sn.SN_MARK_POINT, a, size: 9 * picture.ratio, color, on_top: true, panes: 3 }];
    });
  }
}
