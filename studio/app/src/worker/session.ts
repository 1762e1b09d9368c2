// One document, as it is worked on: what every command of the page does to it.
import type { Model, NamedFile, Retarget, SettingValue } from "../protocol";
import type { snBindDefInput, snMotionReport } from "@sinew/core";
import { bare, beside, title } from "./files";
import { NO_RIGGING, readBind, readFit, type Rigging } from "./rigging";
import { SinewError, sn, type CharacterPtr, type Core, type DocumentPtr, type ModelPtr, type SourcePtr } from "./library";
import { describe, format, NO_MODEL } from "./model";
import { post } from "./post";

const DEMO = "Demo character";

export interface Opened {
  document: DocumentPtr;
  name: string;
  demo: boolean;
  id?: string; // of the project in the browser's storage; default a new one
  base?: number; // steps of the history that opening itself took; default: all there are
}

// Told what a long call does, and how much of it is done.
export type Tell = (stage: string, share: number) => void;
// The same for a part of the whole.
const within =
  (tell: Tell, from: number, to: number): Tell =>
  (stage, share) =>
    tell(stage, from + share * (to - from));

export class Session {
  document: DocumentPtr | null = null;
  id = "";
  name = "";
  demo = false;
  retarget: Retarget | null = null;
  rigging: Rigging = NO_RIGGING; // of a skeleton that was put in here
  base = 0; // opening is no step that can be undone
  private gesture = false;

  constructor(private readonly core: Core) {}

  get model(): ModelPtr | null {
    if (!this.document) return null;
    return this.core.sn_document_model(this.document) || null;
  }
  describe(): Model {
    return this.document ? describe(this.core, this.document, this.name, this.demo) : NO_MODEL;
  }
  character(): CharacterPtr | null {
    return this.document && this.model ? this.core.sn_document_character(this.document) : null;
  }
  moved = false; // characters are posed beside the document, which has not heard of it yet
  // Before a ray asks what it meets. The document hears of poses by being asked for its character; where nothing moved it is not,
  // so that what a brush changes is not made anew for a look at where the brush is.
  get pickable(): boolean {
    if (!this.document || !this.model) return false;
    if (this.moved) this.character();
    this.moved = false;
    return true;
  }
  get hash(): string {
    return this.document ? this.core.sn_document_hash(this.document).toString(16) : "";
  }

  private create(): DocumentPtr {
    return this.core.sn_document_create({ tasks: this.core.tasks }, null);
  }

  // The old document goes once the new one is there.
  take(opened: Opened): void {
    if (this.document) this.core.sn_document_destroy(this.document);
    this.document = opened.document;
    this.id = opened.id ?? crypto.randomUUID();
    this.name = opened.name;
    this.demo = opened.demo;
    this.retarget = null;
    this.rigging = NO_RIGGING;
    this.gesture = false;
    this.base = opened.base ?? this.core.sn_document_undo_count(opened.document);
  }

  // ------------------------------------------------------------------------------------------------------ open

  // A body that is there at once, of few vertices and without a lattice.
  openCoarseDemo(vertices: number): Opened {
    const document = this.create();
    this.core.sn_document_open(document, `builtin:body:${vertices}`, null);
    return { document, name: DEMO, demo: true };
  }
  async openDemo(signal: AbortSignal): Promise<Opened> {
    const document = this.create();
    try {
      await this.core.run("sn_document_open", document, "builtin:body", {}, { signal });
      await this.core.run("sn_document_make_lattice", document, null, { signal });
    } catch (error) {
      this.core.sn_document_destroy(document);
      throw error;
    }
    return { document, name: DEMO, demo: true };
  }

  async openProject(kept: { name: string; project: Uint8Array; id?: string; history?: Uint8Array; base?: number }, signal: AbortSignal, tell: Tell): Promise<Opened> {
    const { name, project, id } = kept;
    const document = this.create();
    let { base } = kept;
    try {
      await this.core.run("sn_document_open_memory", document, `${name}.snproject`, project, project.byteLength, { images: sn.SN_IMAGES_ALL }, { signal, progress: tell });
      if (kept.history && kept.history.byteLength > 0 && !this.readHistory(document, name, kept.history)) base = undefined;
    } catch (error) {
      this.core.sn_document_destroy(document);
      throw error;
    }
    return { document, name, demo: false, id, base };
  }
  // A history of another version is no reason to lose the project.
  private readHistory(document: DocumentPtr, name: string, history: Uint8Array): boolean {
    try {
      this.core.sn_document_history_read_memory(document, `${name}.history`, history, history.byteLength);
      return true;
    } catch (error) {
      if (!(error instanceof SinewError)) throw error;
      post({ type: "note", text: "The project is as you left it, but its history could not be read." });
      return false;
    }
  }

  // A character or a bare mesh. Characters get a lattice for their own weights, so that flesh and volume are there.
  async openModel(file: NamedFile, all: NamedFile[], signal: AbortSignal, tell: Tell): Promise<Opened> {
    const document = this.create();
    const bytes = new Uint8Array(file.bytes);
    const def = { images: sn.SN_IMAGES_ALL, files: this.core.files(beside(file, all)) };
    try {
      await this.core.run("sn_document_open_memory", document, bare(file.name), bytes, bytes.byteLength, def, { signal, progress: within(tell, 0, 0.5) });
      const model = this.core.read("snModel", this.core.sn_document_model(document));
      if (model.skin_count > 0 && model.binding === 0) await this.core.run("sn_document_make_lattice", document, null, { signal, progress: within(tell, 0.5, 1) });
      return { document, name: title(file.name), demo: false };
    } catch (error) {
      this.core.sn_document_destroy(document);
      throw error;
    }
  }

  // ---------------------------------------------------------------------------------------------------- motion

  // Every clip of the file comes onto the character; into a bare mesh the motion's own skeleton is fitted first.
  async addMotion(file: NamedFile, all: NamedFile[], signal: AbortSignal, tell: Tell): Promise<number> {
    const document = this.document!;
    const bytes = new Uint8Array(file.bytes);
    const files = this.core.files(beside(file, all));
    const source = await this.core.run("sn_source_open_memory", document, bare(file.name), bytes, bytes.byteLength, { files }, { signal, progress: within(tell, 0, 0.2) });
    try {
      this.core.sn_document_begin(document, `Add ${bare(file.name)}`);
      try {
        const bareMesh = !this.core.sn_document_has_skeleton(document) || this.core.read("snModel", this.model!).skin_count === 0;
        if (bareMesh) await this.fit(document, source, signal, within(tell, 0.2, 0.7));
        const { clip_count } = this.core.read("snModel", this.core.sn_source_model(source));
        // A skeleton alone is enough for a bare mesh.
        const clip = bareMesh && clip_count === 0 ? -1 : await this.addClips(document, source, bare(file.name), signal, within(tell, 0.7, 1));
        this.core.sn_document_end(document);
        return clip;
      } catch (error) {
        this.core.sn_document_cancel(document);
        throw error;
      }
    } finally {
      this.core.sn_source_close(source);
    }
  }

  async fit(document: DocumentPtr, source: SourcePtr, signal: AbortSignal, tell: Tell): Promise<void> {
    const report = await this.core.run("sn_document_join", document, source, { fit: true }, null, { signal, progress: within(tell, 0, 0.5) });
    const fit = readFit(this.core, report);
    this.core.sn_fit_report_free(report);
    await this.bind({}, signal, within(tell, 0.5, 1));
    this.rigging = { ...this.rigging, fit, source: this.core.sn_source_name(source) ?? "" };
  }
  async bind(def: snBindDefInput, signal: AbortSignal, tell: Tell): Promise<void> {
    const since = performance.now();
    const bound = await this.core.run("sn_document_bind", this.document!, def, null, { signal, progress: tell });
    const seconds = (performance.now() - since) / 1000;
    this.rigging = { ...this.rigging, bind: readBind(this.core, bound, this.model!, seconds) };
    this.core.sn_bind_report_free(bound);
  }

  private async addClips(document: DocumentPtr, source: SourcePtr, name: string, signal: AbortSignal, tell: Tell): Promise<number> {
    const { clip_count } = this.core.read("snModel", this.core.sn_source_model(source));
    if (clip_count === 0) throw new Error(`${name} has no motion in it: drop a file with clips, BVH, AMC with its ASF, or glTF.`);
    let first = -1;
    for (let clip = 0; clip < clip_count; clip++) {
      const def = { clip, name: clip_count === 1 ? title(name) : null };
      const report = await this.core.run("sn_document_add_motion", document, source, def, { signal, progress: within(tell, clip / clip_count, (clip + 1) / clip_count) });
      if (first < 0) {
        first = report.clip;
        this.retarget = this.report(name, report);
      }
    }
    return first;
  }

  private report(file: string, report: snMotionReport): Retarget {
    const doubts: string[] = [];
    const { clean, retarget } = report;
    if (report.skipped) doubts.push(`Reference poses at its ends were left out: ${report.from.toFixed(2)} to ${report.to.toFixed(2)} s play.`);
    if (clean.spikes + clean.flips > 0) doubts.push(`${clean.spikes + clean.flips === 1 ? "1 glitch of the capture was" : `${clean.spikes + clean.flips} glitches of the capture were`} bridged.`);
    if (report.unmatched > 0) doubts.push(`${report.unmatched === 1 ? "1 joint keeps its rest" : `${report.unmatched} joints keep their rest`}.`);
    if (report.rest.differing > 0) doubts.push(`The character was saved in a pose; its bind pose was used as rest.`);
    if (retarget.contacts > 0) doubts.push(`Feet were set down ${retarget.contacts === 1 ? "once" : `${retarget.contacts} times`}; they slide at most ${(1000 * retarget.foot_slide_max).toFixed(0)} mm.`);
    if (retarget.lift > 0.005) doubts.push(`The body was lifted by up to ${(100 * retarget.lift).toFixed(0)} cm, or it would have sunk.`);
    if (retarget.released > 0) doubts.push(`For ${retarget.released.toFixed(1)} s feet or hands do not reach the floor.`);
    return { file, confidence: report.confidence, matched: report.matched, joints: report.matched + report.unmatched, doubts };
  }

  // -------------------------------------------------------------------------------------------------- settings

  readSettings(file: NamedFile): void {
    const document = this.document!;
    const bytes = new Uint8Array(file.bytes);
    const settings = this.core.sn_settings_copy(this.core.sn_document_settings(document), null);
    try {
      this.core.sn_settings_read_memory(bare(file.name), bytes, bytes.byteLength, settings);
      this.core.sn_document_set_settings(document, settings);
    } finally {
      this.core.sn_settings_destroy(settings);
    }
  }

  // A drag is one step of the history. One whose beginning was undone on the way begins anew.
  set(key: string, value: SettingValue, gesture: "one" | "begin" | "more" | "end"): void {
    const document = this.document!;
    if (gesture !== "one") this.beginGesture(`Set ${key}`);
    try {
      this.core.sn_document_set(document, key, format(value));
    } finally {
      if (gesture === "end") this.endGesture();
    }
  }
  beginGesture(name: string): void {
    if (this.gesture || !this.document) return;
    this.core.sn_document_begin(this.document, name);
    this.gesture = true;
  }
  cancelGesture(): void {
    if (!this.gesture || !this.document) return;
    this.gesture = false;
    this.core.sn_document_cancel(this.document);
  }
  endGesture(): void {
    if (!this.gesture || !this.document) return;
    this.gesture = false;
    this.core.sn_document_end(this.document);
  }
  get inGesture(): boolean {
    return this.gesture;
  }

  // --------------------------------------------------------------------------------------------------- history

  undo(steps: number): void {
    this.endGesture();
    for (let i = 0; i < steps && this.undoable > 0; i++) this.core.sn_document_undo(this.document!);
  }
  redo(steps: number): void {
    this.endGesture();
    for (let i = 0; i < steps && this.core.sn_document_redo_count(this.document!) > 0; i++) this.core.sn_document_redo(this.document!);
  }
  private get undoable(): number {
    return this.document ? Math.max(0, this.core.sn_document_undo_count(this.document) - this.base) : 0;
  }
  history(): { undo: string[]; redo: string[] } {
    const document = this.document;
    if (!document) return { undo: [], redo: [] };
    const list = (count: number, name: (i: number) => string | null) => Array.from({ length: Math.min(count, 200) }, (_, i) => name(i) ?? "");
    return {
      undo: list(this.undoable, (i) => this.core.sn_document_undo_name(document, i)),
      redo: list(this.core.sn_document_redo_count(document), (i) => this.core.sn_document_redo_name(document, i)),
    };
  }

  // --------------------------------------------------------------------------------------------------- leaving

  project(): Uint8Array {
    return this.core.takeBytes(this.core.sn_document_save_memory(this.document!));
  }
  historyBytes(): Uint8Array {
    return this.core.takeBytes(this.core.sn_document_history_write_memory(this.document!));
  }
  bytes(what: "snproject" | "glb" | "json"): Uint8Array {
    const document = this.document!;
    if (what === "snproject") return this.project();
    if (what === "json") return this.core.takeBytes(this.core.sn_settings_write_memory(this.core.sn_document_settings(document), null));
    // A character's settings travel along; a bare mesh has nothing that they could be for.
    const settings = this.core.read("snModel", this.model!).skin_count > 0;
    return this.core.takeBytes(this.core.sn_document_write_memory(document, `${this.name}.glb`, {}, settings));
  }

  // Of every frame's surface, as `sinew animate --json` prints it: the page shows the same bits.
  takeHash(clip: number, fps: number): string {
    const take = this.core.sn_take_create(this.document!, { clip, fps }, null);
    try {
      this.core.sn_take_pose_all(take);
      return this.core.read("snTakeReport", this.core.sn_take_report(take)).hash.toString(16).padStart(16, "0");
    } finally {
      this.core.sn_take_destroy(take);
    }
  }
}
