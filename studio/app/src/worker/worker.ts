// The worker: it holds the core, the document, the picture and the canvas, and owns the frame loop. Commands come in one
// at a time; those that change the document wait for a long call that runs, the camera does not.
import { emptyState, type Command, type Message, type NamedFile, type Selection, type State, type View } from "../protocol";
import { bare, sort, title } from "./files";
import { Keep } from "./keep";
import { SinewError, sn, type CharacterPtr, type Core } from "./library";
import { Schema, wayNames } from "./model";
import { Picture } from "./picture";
import { Player } from "./player";
import { Pull } from "./pull";
import { Session, type Opened } from "./session";

const COARSE = 5000; // vertices of the body that is shown first
const CANVAS = "#viewport";

const post = (message: Message, transfer: Transferable[] = []) => (self as unknown as Worker).postMessage(message, transfer);

class Studio {
  private readonly schema: Schema;
  private readonly session: Session;
  private readonly picture: Picture;
  private readonly player: Player;
  private readonly pull: Pull;
  private readonly keep = new Keep();
  private view: View = { ...emptyState.view };
  private selection: Selection = { kind: "none" };
  private job: AbortController | null = null;
  private waiting: Promise<unknown> = Promise.resolve();
  private dirty = true; // something to draw has changed
  private drawn = 0;
  private last = 0;
  private told = { time: -1, stats: 0, legend: "" };
  private spent = { core: 0, draw: 0, frames: 0, since: 0 };
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private savedHash = "";
  private orbiting = false;

  constructor(
    private readonly core: Core,
    private readonly threads: number,
  ) {
    this.schema = new Schema(core);
    this.session = new Session(core, post);
    this.picture = new Picture(core, CANVAS);
    this.player = new Player(core);
    this.pull = new Pull(core, this.picture);
  }

  // ------------------------------------------------------------------------------------------------------ begin

  async begin(width: number, height: number, ratio: number, dark: boolean, still: boolean): Promise<void> {
    Object.assign(this.picture, { width, height, ratio, dark, still });
    this.player.state.playing = !still;
    await this.keep.begin();
    const version = [sn.SN_VERSION_MAJOR, sn.SN_VERSION_MINOR, sn.SN_VERSION_PATCH].join(".");
    this.patch({ version, schema: this.schema.settings, ways: wayNames(this.core), recent: this.keep.recent, view: this.view });
    const kept = this.keep.last ? await this.keep.load(this.keep.last) : null;
    if (!kept || !(await this.restore(kept))) this.showDemo();
    this.patch({ phase: "ready" });
    requestAnimationFrame((now) => this.frame(now));
  }

  // Coarse at once, fine when nothing else is to do.
  private showDemo(): void {
    this.picture.shift = 0.22;
    this.show(this.session.openDemo(COARSE), true);
    void this.exclusive("Making the demo", async (signal) => {
      const fine = this.session.openDemo(0);
      await this.session.makeLattice(fine, signal, () => undefined).catch((error) => {
        this.core.sn_document_destroy(fine.document);
        throw error;
      });
      if (!this.session.demo || this.session.history().undo.length > 0) this.core.sn_document_destroy(fine.document);
      else this.show(fine, false);
    });
  }

  private async restore(kept: { name: string; project: Uint8Array; history: Uint8Array; extra: string }): Promise<boolean> {
    const extra = JSON.parse(kept.extra) as { base?: number; clip?: number; time?: number; orbit?: Picture["orbit"]; view?: View };
    const opened = await this.exclusive(`Opening ${kept.name}`, (signal, progress) =>
      this.session.openProject(kept.name, kept.project, kept.history, extra.base, signal, progress),
    );
    if (!opened) return false;
    this.view = { ...this.view, ...extra.view };
    this.show(opened, true);
    if (extra.clip !== undefined) this.chooseClip(extra.clip);
    if (extra.time) this.player.seek(extra.time, true);
    if (extra.orbit) this.picture.orbit = extra.orbit;
    this.savedHash = this.session.hash;
    this.patch({ saved: "saved" });
    post({ type: "note", text: `${kept.name} is as you left it.` });
    return true;
  }

  // -------------------------------------------------------------------------------------------------- document

  // Another document: its character in the panes, its first clip, framed.
  private show(opened: Opened, frame: boolean): void {
    const { clip } = this.player.state;
    const time = this.player.time;
    this.release();
    this.session.take(opened);
    this.savedHash = this.session.hash;
    this.selection = { kind: "none" };
    this.attach();
    const { clips } = this.session.describe();
    if (frame) this.player.choose(clips.length > 0 ? 0 : -1, clips[0]?.duration ?? 0);
    else {
      this.player.choose(clip, clips[clip]?.duration ?? 0);
      this.player.time = time;
    }
    this.pose(0, false);
    if (frame) this.picture.frame(true);
    this.tellAll();
    this.patch({ saved: "unchanged" });
  }

  // What the panes show goes before the model does.
  private release(): void {
    this.pull.end();
    this.picture.forget();
    this.player.destroy();
  }

  private wayOf(pane: number): string {
    if (!this.view.split) return "";
    return pane === 0 ? this.view.left : this.view.right;
  }

  // Characters for the panes: the document's own, or one that deforms another way.
  private attach(): void {
    const { model } = this.session;
    this.picture.documentPane = this.view.split && this.wayOf(0) !== "" ? 1 : 0;
    if (this.view.split && this.wayOf(0) !== "" && this.wayOf(1) !== "") this.picture.documentPane = -1;
    for (const pane of [0, 1]) {
      const shown = model && (pane === 0 || this.view.split);
      const way = this.wayOf(pane);
      const own = shown && (way !== "" || (pane === 1 && this.wayOf(0) === ""));
      const character = !shown ? null : own ? this.createWay(way) : this.session.character();
      this.player.setCharacter(pane, character, shown ? model : null, Boolean(own));
      this.picture.show(pane, shown ? model : null, character);
    }
    this.dirty = true;
  }

  private waySettings(way: string) {
    const settings = this.core.sn_settings_copy(this.core.sn_document_settings(this.session.document!), null);
    const found = way === "" ? null : this.core.sn_way_find(way);
    if (found) this.core.sn_settings_use_way(settings, found);
    return settings;
  }
  private createWay(way: string): CharacterPtr {
    const settings = this.waySettings(way);
    try {
      return this.core.sn_character_create({ model: this.session.model, settings, tasks: this.core.tasks }, null);
    } finally {
      this.core.sn_settings_destroy(settings);
    }
  }

  // Settings changed: only what depends on them is made anew.
  private change(): void {
    const { model } = this.session;
    const character = this.session.character(); // brought up to date by asking for it
    for (const pane of [0, 1]) {
      const shown = this.player.character(pane);
      if (!shown || !model) continue;
      if (shown !== character) {
        const settings = this.waySettings(this.wayOf(pane));
        this.core.sn_character_change(shown, settings);
        this.core.sn_settings_destroy(settings);
      }
      this.picture.show(pane, model, shown);
    }
    this.player.touch();
    this.dirty = true;
  }

  // Runs an edit that may replace the model.
  private edit(run: () => void): void {
    this.release();
    try {
      run();
    } finally {
      this.attach();
      this.keepClip();
      this.tellAll();
    }
  }
  private keepClip(): void {
    const { clips } = this.session.describe();
    const clip = Math.min(this.player.state.clip, clips.length - 1);
    const time = this.player.time;
    this.player.choose(clip, clips[clip]?.duration ?? 0);
    this.player.time = Math.min(time, this.player.state.duration);
  }

  private chooseClip(clip: number): void {
    const { clips } = this.session.describe();
    if (clip >= clips.length) return;
    this.player.choose(clip, clips[clip]?.duration ?? 0);
    this.patch({ play: { ...this.player.state } });
    this.pose(0, false);
    this.picture.frame(this.picture.still);
  }

  // -------------------------------------------------------------------------------------------------- long work

  // One long call at a time; others wait for it. Null: it failed or was cancelled, and that was said.
  private exclusive<T>(what: string, run: (signal: AbortSignal, progress: (stage: string, share: number) => void) => Promise<T>): Promise<T | null> {
    const start = async (): Promise<T | null> => {
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
        this.fail(what, error);
        return null;
      } finally {
        this.job = null;
        this.patch({ progress: null });
      }
    };
    const next = this.waiting.then(start, start);
    this.waiting = next;
    return next;
  }

  private fail(what: string, error: unknown): void {
    if (error instanceof SinewError && error.code === sn.SN_RESULT_CANCELLED) {
      post({ type: "note", text: `Cancelled: ${what.charAt(0).toLowerCase()}${what.slice(1)}. Nothing was changed.` });
      return;
    }
    const detail = error instanceof Error ? error.message : String(error);
    post({ type: "error", what: `${what} failed.`, detail, next: nextStep(error) });
    if (!(error instanceof SinewError)) console.error(error);
  }

  private async open(files: NamedFile[]): Promise<void> {
    const dropped = sort(files);
    const strangers = dropped.beside.length > 0 && dropped.models.length + dropped.motions.length + dropped.projects.length + dropped.settings.length === 0;
    if (strangers) {
      const names = dropped.beside.map((file) => bare(file.name)).join(", ");
      post({ type: "error", what: "Nothing to open.", detail: names, next: "Drop a model (GLB, glTF, FBX, OBJ, PLY, OFF, STL), a motion (BVH, AMC with its ASF), settings (JSON) or a project. Your work was not changed." });
      return;
    }
    for (const file of dropped.projects.slice(0, 1)) await this.openOne(file, (signal, progress) => this.session.openProject(title(file.name), new Uint8Array(file.bytes), null, undefined, signal, progress));
    const [first, ...others] = dropped.projects.length > 0 ? [undefined, ...dropped.models] : dropped.models;
    let motions = [...others.filter((file) => file !== undefined), ...dropped.motions];
    if (first) {
      const isMotion = await this.openOne(first, (signal, progress) => this.session.openModel(first, files, signal, progress));
      if (isMotion) motions = [first, ...motions];
    }
    for (const file of motions) await this.addMotion(file, files);
    for (const file of dropped.settings) await this.exclusive(`Reading ${bare(file.name)}`, async () => this.editSettings(() => this.session.readSettings(file)));
  }

  // True: it has no surface, so it is a motion for the character that is there.
  private async openOne(file: NamedFile, open: (signal: AbortSignal, progress: (stage: string, share: number) => void) => Promise<Opened>): Promise<boolean> {
    const opened = await this.exclusive(`Opening ${bare(file.name)}`, open);
    if (!opened) return false;
    const model = this.core.read("snModel", this.core.sn_document_model(opened.document));
    if (model.part_count === 0 && model.clip_count > 0) {
      this.core.sn_document_destroy(opened.document);
      return true;
    }
    this.picture.shift = 0;
    this.show(opened, true);
    this.player.state.playing = !this.picture.still && this.player.state.clip >= 0;
    this.patch({ play: { ...this.player.state } });
    this.scheduleSave();
    return false;
  }

  private async addMotion(file: NamedFile, all: NamedFile[]): Promise<void> {
    this.picture.shift = 0;
    await this.exclusive(`Adding ${bare(file.name)}`, async (signal, progress) => {
      this.release();
      let clip = -1;
      try {
        clip = await this.session.addMotion(file, all, signal, progress);
      } finally {
        this.attach();
        this.keepClip();
        if (clip >= 0) this.chooseClip(clip);
        this.player.state.playing ||= clip >= 0 && !this.picture.still;
        this.tellAll();
      }
      this.edited();
    });
  }

  // ---------------------------------------------------------------------------------------------------- keeping

  // After every edit: its name, whether there is something to pull, and, a moment later, the copy in the browser.
  private edited(): void {
    this.tellAll();
    this.scheduleSave();
  }
  private scheduleSave(): void {
    if (!this.keep.available) return this.patch({ saved: "unsaved" });
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.save(), 400);
  }
  private async save(): Promise<void> {
    if (this.session.inGesture || this.job) return this.scheduleSave();
    const hash = this.session.hash;
    if (!this.session.document || (this.session.demo && this.session.history().undo.length === 0 && this.session.history().redo.length === 0)) return;
    if (hash === this.savedHash && this.keep.last === this.session.name) return this.patch({ saved: "saved" });
    this.patch({ saved: "saving" });
    const { clip } = this.player.state;
    const extra = JSON.stringify({ base: this.session.base, clip, time: this.player.moment, orbit: this.picture.orbit, view: this.view });
    try {
      await this.keep.save({ name: this.session.name, project: this.session.project(), history: this.session.historyBytes(), extra });
      this.savedHash = hash;
      this.patch({ saved: "saved", recent: this.keep.recent });
    } catch (error) {
      console.error(error);
      this.patch({ saved: "unsaved" });
    }
  }

  private give(name: string, bytes: Uint8Array, mime: string): void {
    const buffer = bytes.slice().buffer;
    post({ type: "file", name, bytes: buffer, mime }, [buffer]);
  }

  // ---------------------------------------------------------------------------------------------------- telling

  private patch(patch: Partial<State>): void {
    post({ type: "patch", patch });
  }

  private tellAll(): void {
    const model = this.session.describe();
    const character = this.session.character();
    const settings = this.session.document ? this.schema.values(this.core.sn_document_settings(this.session.document)) : {};
    this.particles = character ? this.core.sn_character_report(character).particles : 0;
    this.counts = {
      vertices: model.parts.reduce((sum, part) => sum + part.vertices, 0),
      triangles: model.parts.reduce((sum, part) => sum + part.triangles, 0),
      joints: model.joints.length,
    };
    this.patch({
      model,
      settings,
      ...this.session.history(),
      play: { ...this.player.state },
      view: this.view,
      selection: this.selection,
      retarget: this.session.retarget,
      pullable: settings["flesh.on"] === true && model.lattice && this.particles > 0,
    });
  }
  private particles = 0;
  private counts = { vertices: 0, triangles: 0, joints: 0 };

  private tellFrame(now: number): void {
    const { moment } = this.player;
    if (Math.abs(moment - this.told.time) > 1e-6) {
      this.told.time = moment;
      post({ type: "time", time: moment });
    }
    if (now - this.told.stats < 250) return;
    const { spent } = this;
    const frames = Math.max(1, spent.frames);
    const fps = spent.frames / Math.max(0.001, (now - spent.since) / 1000);
    this.patch({ stats: { ...this.counts, particles: this.particles, core: spent.core / frames, draw: spent.draw / frames, fps, memory: this.core.memorySize, threads: this.threads } });
    this.told.stats = now;
    this.spent = { core: 0, draw: 0, frames: 0, since: now };
    const legend = this.picture.legend();
    const text = JSON.stringify(legend);
    if (text !== this.told.legend) this.patch({ legend });
    this.told.legend = text;
  }

  // ------------------------------------------------------------------------------------------------------ frames

  private pose(seconds: number, live: boolean): boolean {
    const before = this.player.state.scrubbing;
    const playing = this.player.state.playing;
    const moved = this.player.step(seconds, live);
    if (moved) for (const pane of [0, 1]) this.picture.update(pane);
    if (before !== this.player.state.scrubbing || playing !== this.player.state.playing) this.patch({ play: { ...this.player.state } });
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
      this.patch({ play: { ...this.player.state } });
      this.fail("Playing", error);
    }
    this.tellFrame(now);
  }

  // While a long call works on the document nothing is posed; the camera still moves.
  private advance(seconds: number): void {
    const begin = performance.now();
    const moved = this.job === null && this.session.model !== null && this.pose(seconds, this.pull.step(seconds));
    const posed = performance.now();
    const glided = this.picture.step(seconds, this.player.state.clip >= 0);
    if (!moved && !glided && !this.dirty) return;
    this.dirty = false;
    this.picture.draw(this.view, this.selection);
    this.spent.core += posed - begin;
    this.spent.draw += performance.now() - posed;
    this.spent.frames++;
    if (this.drawn++ === 0) post({ type: "first-frame", ms: performance.now() });
  }

  // ---------------------------------------------------------------------------------------------------- commands

  private editSettings(run: () => void): void {
    run();
    this.change();
    this.edited();
  }

  private press(x: number, y: number): void {
    const axis = this.picture.axis(x, y);
    if (axis) return this.picture.look(axis);
    const { document } = this.session;
    this.orbiting = true;
    if (!document || this.job) return;
    const met = this.picture.pick(document, x, y);
    if (!met) return;
    const character = this.session.character();
    if (character && this.pull.begin(character, met)) this.orbiting = false;
  }

  private release_(x: number, y: number, click: boolean): void {
    this.pull.end();
    if (click) this.click(x, y);
    this.orbiting = false;
    this.dirty = true;
  }

  private click(x: number, y: number): void {
    const { document } = this.session;
    if (!document || this.job || this.picture.axis(x, y)) return;
    const joint = this.view.joints || this.view.show === "weights" ? this.picture.joint(x, y) : 0xffffffff;
    const met = this.picture.pick(document, x, y);
    if (joint !== 0xffffffff) this.select({ kind: "joint", index: joint });
    else if (met && this.view.show === "weights") this.select({ kind: "joint", index: met.pick.joint });
    else this.select(met ? { kind: "part", index: met.pick.part } : { kind: "none" });
  }

  private select(selection: Selection): void {
    this.selection = selection;
    this.patch({ selection });
    this.dirty = true;
  }

  private setView(change: Partial<View>): void {
    const ways = ["split", "left", "right"].some((key) => key in change);
    this.view = { ...this.view, ...change };
    if (this.view.show === "weights" && this.selection.kind !== "joint") {
      const joint = this.session.describe().joints.findIndex((one) => one.deforms);
      if (joint >= 0) this.select({ kind: "joint", index: joint });
    }
    if (ways && this.session.model) {
      this.release();
      this.attach();
      this.pose(0, false);
    }
    this.patch({ view: this.view });
    this.dirty = true;
  }

  // Camera, view and playback: at once, also while a long call runs.
  quick(command: Command): boolean {
    const { picture, player } = this;
    switch (command.type) {
      case "resize":
        Object.assign(picture, { width: command.width, height: command.height, ratio: command.ratio });
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
        picture.frame(false);
        break;
      case "press":
        this.press(command.x, command.y);
        break;
      case "drag":
        if (this.orbiting) picture.turn(command.dx, command.dy);
        else this.pull.move(command.x, command.y);
        break;
      case "release":
        this.release_(command.x, command.y, command.click);
        break;
      case "play":
        if (command.playing && !player.state.loop && player.time >= player.state.duration) player.time = 0;
        player.state.playing = command.playing;
        player.state.scrubbing = false;
        this.patch({ play: { ...player.state } });
        break;
      case "loop":
        player.time = player.moment;
        player.state.loop = command.loop;
        this.patch({ play: { ...player.state } });
        break;
      case "speed":
        player.state.speed = command.speed;
        this.patch({ play: { ...player.state } });
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
      case "picture":
        picture.draw(this.view, this.selection);
        this.give(`${this.session.name || "sinew"}.png`, picture.png(), "image/png");
        break;
      default:
        return false;
    }
    this.dirty = true;
    return true;
  }

  private under(x: number, y: number) {
    const { document } = this.session;
    if (!document || this.job) return null;
    const { width, height, ratio } = this.picture;
    return this.picture.pick(document, (x * width) / ratio, (y * height) / ratio)?.pick.position ?? null;
  }

  // What changes the document, one after the other.
  slow(command: Command): void {
    if (command.type === "open") return void this.open(command.files);
    if (command.type === "set" && !this.job) return this.set(command);
    void this.exclusive(titles[command.type] ?? "That", async () => this.apply(command));
  }

  private set(command: Extract<Command, { type: "set" }>): void {
    try {
      this.session.set(command.key, command.value, command.gesture);
      this.change();
      if (command.gesture === "one" || command.gesture === "end") this.edited();
      else this.patch({ settings: this.schema.values(this.core.sn_document_settings(this.session.document!)) });
    } catch (error) {
      this.fail(`Setting ${command.key}`, error);
    }
  }

  private apply(command: Command): void {
    switch (command.type) {
      case "demo":
        this.picture.shift = 0;
        if (!this.session.demo) this.showDemo();
        this.picture.shift = 0;
        this.picture.frame(this.picture.still);
        break;
      case "reopen":
        void this.keep.load(command.name).then((kept) => kept && this.restore(kept));
        this.picture.shift = 0;
        break;
      case "set":
        this.set(command);
        break;
      case "undo":
        this.edit(() => this.session.undo(command.steps));
        this.edited();
        break;
      case "redo":
        this.edit(() => this.session.redo(command.steps));
        this.edited();
        break;
      case "clip":
        this.chooseClip(command.clip);
        break;
      case "remove-clip":
        this.edit(() => this.core.sn_document_remove_clip(this.session.document!, command.clip));
        this.edited();
        break;
      case "view":
        this.setView(command.view);
        break;
      case "save":
        this.give(`${this.session.name}.snproject`, this.session.project(), "application/zip");
        break;
      case "write":
        if (command.what === "glb") this.give(`${this.session.name}.glb`, this.session.glb(), "model/gltf-binary");
        else this.give(`${this.session.name}.json`, this.session.settingsBytes(), "application/json");
        break;
      case "hash":
        post({ type: "answer", id: command.id, value: this.player.hash(this.session.document!, command.clip, command.times) });
        break;
      case "probe": {
        const met = this.picture.pick(this.session.document!, command.x, command.y);
        post({ type: "answer", id: command.id, value: met ? met.pick : null });
        break;
      }
      default:
        break;
    }
  }
}

const titles: Partial<Record<Command["type"], string>> = {
  undo: "Undo",
  redo: "Redo",
  save: "Saving",
  write: "Writing",
  clip: "Choosing a clip",
  "remove-clip": "Removing a clip",
  view: "Changing the view",
};

function nextStep(error: unknown): string {
  const kept = "Your work was not changed.";
  if (!(error instanceof SinewError)) return kept;
  if (error.code === sn.SN_RESULT_NOT_FOUND) return `${kept} If it names other files, drop them together with it, or drop their folder.`;
  if (error.code === sn.SN_RESULT_OUT_OF_MEMORY || error.code === sn.SN_RESULT_LIMIT) return `${kept} It needs more memory than this tab may take.`;
  if (error.code === sn.SN_RESULT_UNSUPPORTED) return `${kept} The command line reads more formats: sinew convert FILE -o out.glb`;
  return kept;
}

// ------------------------------------------------------------------------------------------------------- messages

let studio: Studio | null = null;
let theme = { dark: true, still: false };
const early: Command[] = [];

async function begin(command: Extract<Command, { type: "start" }>): Promise<void> {
  // The renderer finds its canvas by this name.
  const workers = command.threads ? Math.min(8, navigator.hardwareConcurrency || 1) : 1;
  const core = await sn.load({ threads: workers > 1, workers, canvas: command.canvas });
  const made = new Studio(core, workers);
  await made.begin(command.width, command.height, command.ratio, theme.dark, theme.still);
  studio = made;
  for (const waiting of early.splice(0)) take(waiting);
}

function take(command: Command): void {
  if (command.type === "theme") theme = command;
  if (!studio) early.push(command);
  else if (!studio.quick(command)) studio.slow(command);
}

self.onmessage = (event: MessageEvent<Command>) => {
  const command = event.data;
  if (command.type !== "start") return take(command);
  begin(command).catch((error: unknown) => {
    console.error(error);
    post({ type: "unable", text: `The studio could not start: ${error instanceof Error ? error.message : String(error)}` });
  });
};
