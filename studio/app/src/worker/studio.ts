// What a command of the page does. Those that change the document wait for a long call that runs; the camera does not.
import { emptyState, type Command, type NamedFile, type Selection, type State, type View } from "../protocol";
import { bare } from "./files";
import { Keep, type Kept } from "./keep";
import { NONE, SinewError, sn, type Core, type Vec3 } from "./library";
import { Meter } from "./meter";
import { Schema, wayNames } from "./model";
import { openFiles, type Work } from "./opening";
import { Panes } from "./panes";
import { Picture } from "./picture";
import { Player } from "./player";
import { post } from "./post";
import { Pull } from "./pull";
import { Session, type Opened } from "./session";

const COARSE = 5000; // vertices of the body that is shown first
const BESIDE = 0.22; // of the width: how far the character stands aside for the start screen
const SAVE_AFTER = 400; // ms without an edit

// What a project remembers beside the document.
interface Extra {
  base?: number;
  clip?: number;
  time?: number;
  orbit?: Picture["orbit"];
  view?: View;
}

export class Studio {
  private readonly schema: Schema;
  private readonly session: Session;
  private readonly picture: Picture;
  private readonly player: Player;
  private readonly panes: Panes;
  private readonly pull: Pull;
  private readonly keep = new Keep();
  private readonly meter = new Meter();
  private view: View = { ...emptyState.view };
  private selection: Selection = { kind: "none" };
  private counts = { vertices: 0, triangles: 0, joints: 0, particles: 0 };
  private job: AbortController | null = null;
  private waiting: Promise<unknown> = Promise.resolve();
  private dirty = true; // something to draw has changed
  private drawn = 0;
  private last = 0;
  private told = { time: -1, legend: "" };
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private savedHash = "";
  private orbiting = false;
  private readonly settling: number[] = []; // questions that wait for the picture to stand still

  constructor(
    private readonly core: Core,
    canvas: OffscreenCanvas,
    private readonly threads: number,
  ) {
    this.schema = new Schema(core);
    this.session = new Session(core);
    this.picture = new Picture(core, canvas);
    this.player = new Player(core);
    this.panes = new Panes(core, this.session, this.picture, this.player);
    this.pull = new Pull(core, this.picture);
  }

  // ------------------------------------------------------------------------------------------------------ begin

  async begin(size: { width: number; height: number; ratio: number }, theme: { dark: boolean; still: boolean }): Promise<void> {
    this.picture.resize(size);
    Object.assign(this.picture, { dark: theme.dark, still: theme.still });
    this.player.state.playing = !theme.still;
    await this.keep.begin();
    const version = [sn.SN_VERSION_MAJOR, sn.SN_VERSION_MINOR, sn.SN_VERSION_PATCH].join(".");
    this.patch({ version, schema: this.schema.settings, ways: wayNames(this.core), recent: this.keep.recent, view: this.view });
    requestAnimationFrame((now) => this.frame(now));
    const kept = this.keep.last ? await this.keep.load(this.keep.last) : null;
    if (!kept || !(await this.restore(kept))) this.showDemo(true);
    this.patch({ phase: "ready" });
  }

  // Coarse at once, fine when nothing else is to do.
  private showDemo(beside: boolean): void {
    this.picture.shift = beside ? BESIDE : 0;
    this.show(this.session.openDemo(COARSE), true);
    void this.exclusive("Making the demo", async (signal) => {
      const fine = this.session.openDemo(0);
      try {
        await this.session.makeLattice(fine, signal, () => undefined);
      } catch (error) {
        this.core.sn_document_destroy(fine.document);
        throw error;
      }
      if (this.session.demo && this.session.history().undo.length === 0) this.show(fine, false);
      else this.core.sn_document_destroy(fine.document);
    });
  }

  private async restore(kept: Kept): Promise<boolean> {
    const extra = JSON.parse(kept.extra) as Extra;
    const opened = await this.exclusive(`Opening ${kept.name}`, (signal, progress) =>
      this.session.openProject(kept.name, kept.project, kept.history, extra.base, signal, progress),
    );
    if (!opened) return false;
    this.view = { ...this.view, ...extra.view, without: false };
    this.picture.shift = 0;
    this.show(opened, true);
    if (extra.clip !== undefined) this.chooseClip(extra.clip);
    if (extra.time) this.player.seek(extra.time, true);
    if (extra.orbit) this.picture.orbit = extra.orbit;
    this.patch({ saved: "saved" });
    post({ type: "restored", name: kept.name });
    return true;
  }

  // -------------------------------------------------------------------------------------------------- document

  // Another document. `fresh`: its first clip, framed; else the same moment of the same clip.
  private show(opened: Opened, fresh: boolean): void {
    const { time } = this.player;
    this.release();
    this.session.take(opened);
    this.savedHash = this.session.hash;
    if (fresh) this.selection = { kind: "none" };
    this.panes.attach(this.view);
    const { clips } = this.session.describe();
    const clip = fresh ? (clips.length > 0 ? 0 : -1) : this.player.state.clip;
    this.player.choose(clip, clips[clip]?.duration ?? 0);
    if (!fresh) this.player.time = time;
    this.pose(0, false);
    if (fresh) this.frameAll(true);
    this.tellAll();
    this.patch({ saved: "unchanged" });
  }

  private release(): void {
    this.pull.end();
    this.panes.release();
  }

  // Runs an edit that may replace the model.
  private async edit<T>(run: () => T | Promise<T>): Promise<T> {
    this.release();
    try {
      return await run();
    } finally {
      this.panes.attach(this.view);
      const { clips } = this.session.describe();
      const { time } = this.player;
      const clip = Math.min(this.player.state.clip, clips.length - 1);
      this.player.choose(clip, clips[clip]?.duration ?? 0);
      this.player.time = Math.min(time, this.player.state.duration);
      this.dirty = true;
      this.edited();
    }
  }

  private editSettings(run: () => void): void {
    run();
    this.panes.change(this.view);
    this.dirty = true;
    this.edited();
  }

  private frameAll(atOnce: boolean): void {
    this.picture.frame(atOnce, this.job ? undefined : this.player.reach());
  }

  private chooseClip(clip: number): void {
    const { clips } = this.session.describe();
    if (clip >= clips.length) return;
    this.player.choose(clip, clips[clip]?.duration ?? 0);
    this.player.state.scrubbing = false;
    this.tellPlay();
    this.pose(0, false);
    this.frameAll(this.picture.still);
  }

  // -------------------------------------------------------------------------------------------------- long work

  // One at a time; others wait for it. Null: it failed or was cancelled, and that was said.
  private exclusive: Work = (what, run) => {
    const start = async () => {
      const job = new AbortController();
      const since = performance.now();
      let told = 0;
      const progress = (stage: string, share: number) => {
        const now = performance.now();
        if (now - told < 60) return;
        told = now;
        this.patch({ progress: { what, stage, share, seconds: (now - since) / 1000 } });
      };
      this.job = job;
      try {
        return await run(job.signal, progress);
      } catch (error) {
        fail(what, error);
        return null;
      } finally {
        this.job = null;
        this.patch({ progress: null });
      }
    };
    const next = this.waiting.then(start, start);
    this.waiting = next;
    return next;
  };

  private open(files: NamedFile[]): Promise<void> {
    return openFiles(files, this.session, {
      work: this.exclusive,
      show: (opened) => this.showOpened(opened),
      move: (file, all) => this.addMotion(file, all),
      set: (run) => this.editSettings(run),
    });
  }

  private showOpened(opened: Opened): boolean {
    const model = this.core.read("snModel", this.core.sn_document_model(opened.document));
    if (model.part_count === 0 && model.clip_count > 0) {
      this.core.sn_document_destroy(opened.document);
      return false;
    }
    this.picture.shift = 0;
    this.show(opened, true);
    this.player.state.playing = !this.picture.still && this.player.state.clip >= 0;
    this.tellPlay();
    this.scheduleSave();
    return true;
  }

  private async addMotion(file: NamedFile, all: NamedFile[]): Promise<void> {
    this.picture.shift = 0;
    const clip = await this.exclusive(`Adding ${bare(file.name)}`, (signal, progress) =>
      this.edit(() => this.session.addMotion(file, all, signal, progress)),
    );
    if (clip === null) return;
    this.chooseClip(clip);
    this.player.state.playing = !this.picture.still;
    this.tellPlay();
  }

  // ---------------------------------------------------------------------------------------------------- keeping

  private edited(): void {
    this.tellAll();
    this.scheduleSave();
  }
  private scheduleSave(): void {
    if (!this.keep.available) return this.patch({ saved: "unsaved" });
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.save(), SAVE_AFTER);
  }
  private get untouched(): boolean {
    const { undo, redo } = this.session.history();
    return this.session.demo && undo.length + redo.length === 0;
  }
  private async save(): Promise<void> {
    if (this.session.inGesture || this.job) return this.scheduleSave();
    const { hash } = this.session;
    if (!this.session.document || this.untouched) return;
    if (hash === this.savedHash && this.keep.last === this.session.name) return this.patch({ saved: "saved" });
    this.patch({ saved: "saving" });
    const extra: Extra = { base: this.session.base, clip: this.player.state.clip, time: this.player.moment, orbit: this.picture.orbit, view: this.view };
    try {
      const kept = { name: this.session.name, project: this.session.project(), history: this.session.historyBytes() };
      await this.keep.save({ ...kept, extra: JSON.stringify(extra) });
      this.savedHash = hash;
      this.patch({ saved: "saved", recent: this.keep.recent });
    } catch (error) {
      console.error(error);
      this.patch({ saved: "unsaved" });
    }
  }

  private give(name: string, bytes: Uint8Array, mime: string): void {
    const { buffer } = bytes.slice();
    post({ type: "file", name: `${this.session.name || "sinew"}.${name}`, bytes: buffer, mime }, [buffer]);
  }

  // ---------------------------------------------------------------------------------------------------- telling

  private patch(patch: Partial<State>): void {
    post({ type: "patch", patch });
  }
  private tellPlay(): void {
    this.patch({ play: { ...this.player.state } });
  }

  private tellAll(): void {
    const model = this.session.describe();
    const character = this.session.character();
    const settings = this.session.document ? this.schema.values(this.core.sn_document_settings(this.session.document)) : {};
    const sum = (of: (part: (typeof model.parts)[number]) => number) => model.parts.reduce((all, part) => all + of(part), 0);
    this.counts = {
      vertices: sum((part) => part.vertices),
      triangles: sum((part) => part.triangles),
      joints: model.joints.length,
      particles: character ? this.core.sn_character_report(character).particles : 0,
    };
    this.patch({
      model,
      settings,
      ...this.session.history(),
      play: { ...this.player.state },
      view: this.view,
      selection: this.selection,
      retarget: this.session.retarget,
      pullable: settings["flesh.on"] === true && this.counts.particles > 0,
    });
  }

  private tellFrame(now: number): void {
    const { moment } = this.player;
    if (Math.abs(moment - this.told.time) > 1e-6) post({ type: "time", time: moment });
    this.told.time = moment;
    const measured = this.meter.take(now);
    if (!measured) return;
    this.patch({ stats: { ...this.counts, ...measured, memory: this.core.memorySize, threads: this.threads } });
    const legend = this.picture.legend();
    const text = JSON.stringify(legend);
    if (text !== this.told.legend) this.patch({ legend });
    this.told.legend = text;
  }

  // ------------------------------------------------------------------------------------------------------ frames

  private pose(seconds: number, live: boolean): boolean {
    const { playing, scrubbing } = this.player.state;
    const moved = this.player.step(seconds, live);
    if (moved) this.panes.update();
    if (playing !== this.player.state.playing || scrubbing !== this.player.state.scrubbing) this.tellPlay();
    return moved;
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    try {
      this.advance(seconds);
    } catch (error) {
      this.player.state.playing = false;
      this.tellPlay();
      fail("Playing", error);
    }
    this.tellFrame(now);
  }

  // While a long call works on the document nothing is posed; the camera still moves.
  private advance(seconds: number): void {
    const begin = performance.now();
    const moved = this.job === null && this.session.model !== null && this.pose(seconds, this.pull.step(seconds));
    const posed = performance.now();
    const glided = this.picture.step(seconds, this.player.state.clip >= 0);
    if (!moved && !glided && !this.dirty) {
      if (this.job === null) for (const id of this.settling.splice(0)) post({ type: "answer", id, value: true });
      return;
    }
    this.dirty = false;
    this.picture.draw(this.view, this.selection);
    this.meter.add(posed - begin, performance.now() - posed);
    if (this.session.document && this.drawn++ === 0) post({ type: "first-frame" });
  }

  // ------------------------------------------------------------------------------------------------------- hands

  private press(x: number, y: number): void {
    const axis = this.picture.axis(x, y);
    if (axis) return this.picture.look(axis);
    this.orbiting = true;
    const met = this.pick(x, y);
    const character = met && this.session.character();
    if (met && character && this.pull.begin(character, met)) this.orbiting = false;
  }

  private let_go(x: number, y: number, click: boolean): void {
    this.pull.end();
    this.orbiting = false;
    if (click && !this.job && !this.picture.axis(x, y)) this.click(x, y);
  }

  private click(x: number, y: number): void {
    const byJoint = this.view.joints || this.view.show === "weights";
    const joint = byJoint ? this.picture.joint(x, y) : NONE;
    const met = this.pick(x, y);
    if (joint !== NONE) this.select({ kind: "joint", index: joint });
    else if (met && this.view.show === "weights") this.select({ kind: "joint", index: met.pick.joint });
    else this.select(met ? { kind: "part", index: met.pick.part } : { kind: "none" });
  }

  private pick(x: number, y: number) {
    return this.session.document && !this.job ? this.picture.pick(this.session.document, x, y) : null;
  }

  // The place of the body at a share of the canvas, to zoom towards.
  private under(x: number, y: number): Vec3 | null {
    const { width, height, ratio } = this.picture;
    return this.pick((x * width) / ratio, (y * height) / ratio)?.pick.position ?? null;
  }

  private select(selection: Selection): void {
    this.selection = selection;
    this.patch({ selection });
    this.dirty = true;
  }

  private setView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    if (this.view.show === "weights" && this.selection.kind !== "joint") {
      const joint = this.session.describe().joints.findIndex((one) => one.deforms);
      if (joint >= 0) this.select({ kind: "joint", index: joint });
    }
    if (this.session.model && ["split", "left", "right", "without"].some((key) => key in change)) {
      this.release();
      this.panes.attach(this.view);
      this.pose(0, false);
    }
    this.patch({ view: this.view });
    this.dirty = true;
  }

  private set(command: Extract<Command, { type: "set" }>): void {
    try {
      this.session.set(command.key, command.value, command.gesture);
      this.panes.change(this.view);
      this.dirty = true;
      if (command.gesture === "one" || command.gesture === "end") this.edited();
      else this.patch({ settings: this.schema.values(this.core.sn_document_settings(this.session.document!)) });
    } catch (error) {
      fail(`Setting ${command.key}`, error);
    }
  }

  // ---------------------------------------------------------------------------------------------------- commands

  // Camera, view and playback: at once, also while a long call runs. False: it is none of these.
  quick(command: Command): boolean {
    const { picture, player } = this;
    switch (command.type) {
      case "resize":
        picture.resize(command);
        break;
      case "theme":
        Object.assign(picture, { dark: command.dark, still: command.still });
        break;
      case "orbit":
        picture.turn(command.dx, command.dy);
        break;
      case "pan":
        picture.pan(command.dx, command.dy);
        break;
      case "zoom":
        picture.zoom(command.factor, command.x, command.y, this.under(command.x, command.y));
        break;
      case "axis":
        picture.look(command.axis);
        break;
      case "frame":
        this.frameAll(false);
        break;
      case "press":
        this.press(command.x, command.y);
        break;
      case "drag":
        if (this.orbiting) picture.turn(command.dx, command.dy);
        else this.pull.move(command.x, command.y);
        break;
      case "release":
        this.let_go(command.x, command.y, command.click);
        break;
      case "play":
        player.play(command.playing);
        this.tellPlay();
        break;
      case "loop":
        player.loop(command.loop);
        this.tellPlay();
        break;
      case "speed":
        player.state.speed = command.speed;
        this.tellPlay();
        break;
      case "seek":
        player.seek(command.time, command.done);
        break;
      case "select":
        this.select(command.selection);
        break;
      case "cancel":
        this.job?.abort();
        break;
      case "settle":
        this.settling.push(command.id);
        break;
      case "picture":
        picture.draw(this.view, this.selection);
        this.give("png", picture.png(), "image/png");
        break;
      default:
        return false;
    }
    this.dirty = true;
    return true;
  }

  // What changes the document, one after the other.
  slow(command: Command): void {
    if (command.type === "open") void this.open(command.files);
    else if (command.type === "reopen") void this.reopen(command.name);
    else if (command.type === "set" && !this.job) this.set(command);
    else void this.exclusive(TITLES[command.type] ?? "That", async () => this.apply(command));
  }

  private async reopen(name: string): Promise<void> {
    const kept = await this.keep.load(name);
    if (kept) await this.restore(kept);
  }

  private async apply(command: Command): Promise<void> {
    const { session, player } = this;
    switch (command.type) {
      case "demo":
        if (!session.demo) this.showDemo(false);
        this.picture.shift = 0;
        this.frameAll(this.picture.still);
        break;
      case "set":
        this.set(command);
        break;
      case "undo":
        await this.edit(() => session.undo(command.steps));
        break;
      case "redo":
        await this.edit(() => session.redo(command.steps));
        break;
      case "remove-clip":
        await this.edit(() => this.core.sn_document_remove_clip(session.document!, command.clip));
        break;
      case "clip":
        this.chooseClip(command.clip);
        break;
      case "view":
        this.setView(command.view);
        break;
      case "write":
        this.give(command.what, session.bytes(command.what), MIMES[command.what]);
        break;
      case "hash":
        post({ type: "answer", id: command.id, value: session.takeHash(command.clip, command.fps) });
        player.touch();
        break;
      case "probe":
        post({ type: "answer", id: command.id, value: this.picture.pick(session.document!, command.x, command.y)?.pick ?? null });
        break;
      default:
        break;
    }
  }
}

const TITLES: Partial<Record<Command["type"], string>> = {
  undo: "Undo",
  redo: "Redo",
  write: "Writing",
  clip: "Choosing a clip",
  "remove-clip": "Removing a clip",
  view: "Changing the view",
};
const MIMES = { snproject: "application/zip", glb: "model/gltf-binary", json: "application/json" };

// What failed, where, what became of the work, and what to do.
function fail(what: string, error: unknown): void {
  if (error instanceof SinewError && error.code === sn.SN_RESULT_CANCELLED) {
    post({ type: "note", text: `${what} was cancelled. Nothing was changed.` });
    return;
  }
  const detail = error instanceof Error ? error.message : String(error);
  post({ type: "error", what: `${what} failed.`, detail, next: nextStep(error) });
  if (!(error instanceof SinewError)) console.error(error);
}

function nextStep(error: unknown): string {
  const kept = "Your work was not changed.";
  if (!(error instanceof SinewError)) return kept;
  if (error.code === sn.SN_RESULT_NOT_FOUND || error.code === sn.SN_RESULT_IO)
    return `${kept} If it names other files, drop them together with it, or drop their folder.`;
  if (error.code === sn.SN_RESULT_OUT_OF_MEMORY || error.code === sn.SN_RESULT_LIMIT) return `${kept} It needs more memory than this tab may take.`;
  if (error.code === sn.SN_RESULT_UNSUPPORTED) return `${kept} The command line reads more formats: sinew convert FILE -o out.glb`;
  return kept;
}
