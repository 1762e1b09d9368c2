// What each command of the page does, and the loop of frames. Long work on another document goes on beside the one that is
// shown; while this one is edited it is neither posed nor drawn.
import { emptyState, type Command, type Mode, type NamedFile, type Selection, type State, type View } from "../protocol";
import type { Desk } from "./desk";
import { fail, isCancelled } from "./fail";
import { bare } from "./files";
import { Hands } from "./hands";
import { Keeper, type Extra } from "./keeper";
import { sn, type Core } from "./library";
import { Meter } from "./meter";
import { Schema, methodNames } from "./model";
import { modeOf, Modes } from "./modes";
import { openFiles, type Work } from "./opening";
import { Panes } from "./panes";
import { Picture } from "./picture";
import { Player } from "./player";
import { post } from "./post";
import { Pull } from "./pull";
import { Session, type Opened } from "./session";

const COARSE = 5000; // vertices of the body that is shown first
const BESIDE = 0.22; // of the width: how far the character stands aside for the start screen
const HANDS = new Set<Command["type"]>(["press", "drag", "set"]);
const WAYS: (keyof View)[] = ["split", "left", "right", "without"]; // parts of the view that other characters show

export class Studio implements Desk {
  private readonly schema: Schema;
  readonly session: Session;
  readonly picture: Picture;
  readonly player: Player;
  readonly panes: Panes;
  private readonly pull: Pull;
  private readonly hands: Hands;
  private readonly keeper: Keeper;
  private readonly meter = new Meter();
  private readonly modes: Modes;
  view: View = { ...emptyState.view };
  selection: Selection = { kind: "none" };
  private counts = { vertices: 0, triangles: 0, joints: 0, particles: 0 };
  private job: AbortController | null = null;
  private refining: AbortController | null = null; // of the demo, which anything else may stop
  private editing = false; // the document that is shown is between two states
  private waiting: Promise<unknown> = Promise.resolve();
  private opening: Promise<unknown> = Promise.resolve();
  private dirty = true; // something to draw has changed
  private drawn = 0;
  private updates = 0; // of the panes, when the last frame was drawn
  private last = 0;
  private told = { time: -1, legend: "" };
  private readonly questions: number[] = []; // that wait for the picture to stand still

  constructor(
    readonly core: Core,
    canvas: OffscreenCanvas,
    private readonly threads: number,
  ) {
    const editing = () => this.editing;
    const working = () => this.editing || this.job !== null; // a job asks the document, too
    this.schema = new Schema(core);
    this.session = new Session(core);
    this.picture = new Picture(core, canvas);
    this.player = new Player(core);
    this.panes = new Panes(core, this.session, this.picture, this.player);
    this.pull = new Pull(core, this.picture);
    this.modes = new Modes(this);
    this.hands = new Hands(this.session, this.picture, this.pull, editing, () => this.modes.bench);
    this.keeper = new Keeper(this.session, this.player, this.picture, () => this.view, working);
  }

  // ------------------------------------------------------------------------------------------------------ begin

  async begin(size: { width: number; height: number; ratio: number }, theme: { dark: boolean; still: boolean }): Promise<void> {
    this.picture.resize(size);
    Object.assign(this.picture, { dark: theme.dark, still: theme.still });
    this.player.state.playing = !theme.still;
    const { keep } = this.keeper;
    await keep.begin();
    const version = [sn.SN_VERSION_MAJOR, sn.SN_VERSION_MINOR, sn.SN_VERSION_PATCH].join(".");
    this.patch({ version, schema: this.schema.settings, methods: methodNames(this.core), recent: keep.recent, view: this.view });
    requestAnimationFrame((now) => this.frame(now));
    this.choose(this.modes.current);
    const { last } = keep;
    if (last) await keep.setLast(null); // one that cannot be shown does not come again by itself
    if (last && (await this.reopen(last))) await keep.setLast(last);
    else this.showDemo(true);
    this.patch({ phase: "ready" });
  }

  // Coarse at once, fine when nothing else is to do.
  private showDemo(beside: boolean): void {
    this.picture.shift = beside ? BESIDE : 0;
    this.show(this.session.openCoarseDemo(COARSE), true);
    const refining = (this.refining = new AbortController());
    void this.session.openDemo(refining.signal).then(
      (fine) => {
        if (this.session.demo && !this.editing && this.session.history().undo.length === 0 && !refining.signal.aborted) this.show(fine, false);
        else this.core.sn_document_destroy(fine.document);
      },
      (error: unknown) => isCancelled(error) || fail("Making the demo", error),
    );
  }

  // A project of the browser's storage, as it was left. False: it cannot be shown, and that was said.
  private async reopen(id: string): Promise<boolean> {
    const kept = await this.keeper.keep.load(id);
    if (!kept) return false;
    let extra: Extra = {};
    try {
      extra = JSON.parse(kept.extra) as Extra;
    } catch {
      // The document is what counts; camera and clip begin anew.
    }
    this.refining?.abort();
    const opened = await this.work(`Opening ${kept.name}`, (signal, tell) => this.session.openProject({ ...kept, base: extra.base }, signal, tell));
    if (!opened) return false;
    try {
      this.view = { ...this.view, ...extra.view, without: false };
      this.picture.shift = 0;
      this.show(opened, true);
      if (extra.clip !== undefined) this.chooseClip(extra.clip);
      if (extra.time) this.player.seek(extra.time, true);
      if (extra.orbit) this.picture.put(extra.orbit);
    } catch (error) {
      fail(`Showing ${kept.name}`, error);
      return false;
    }
    this.keeper.begin(true);
    post({ type: "restored", name: kept.name });
    return true;
  }

  // -------------------------------------------------------------------------------------------------- document

  // Another document. `fresh`: its first clip from its beginning, framed; else the same moment of the same clip.
  private show(opened: Opened, fresh: boolean): void {
    const { time } = this.player;
    this.keeper.flush();
    this.release();
    this.session.take(opened);
    if (fresh) this.selection = { kind: "none" };
    this.panes.attach(this.view);
    const { clips } = this.session.describe();
    const clip = fresh ? (clips.length > 0 ? 0 : -1) : this.player.state.clip;
    this.player.choose(clip, clips[clip]?.duration ?? 0);
    this.player.time = fresh ? 0 : time;
    this.player.state.scrubbing = false;
    this.advancePose(0, false);
    if (fresh) this.frameAll(true);
    this.keeper.begin(false);
    this.tellAll();
  }

  private release(): void {
    this.pull.end();
    this.modes.released();
    this.panes.release();
  }

  get busy(): boolean {
    return this.editing;
  }

  // Until it is done the canvas keeps its last picture.
  async edit<T>(run: () => T | Promise<T>): Promise<T> {
    const { moment } = this.player;
    this.release();
    this.editing = true;
    try {
      return await run();
    } finally {
      this.editing = false;
      this.panes.attach(this.view);
      const { clips } = this.session.describe();
      const clip = Math.min(this.player.state.clip, clips.length - 1);
      this.player.choose(clip, clips[clip]?.duration ?? 0);
      this.player.time = Math.min(moment, this.player.state.duration);
      if (clips.length === 0) this.player.state.playing = false;
      this.dirty = true;
      this.edited();
    }
  }

  private edited(): void {
    this.keeper.schedule(); // first, so that nobody takes the last save for one of this edit
    this.tellAll();
  }

  retouch(run: () => void, last: boolean): void {
    run();
    this.panes.change(this.view);
    this.dirty = true;
    if (last) this.edited();
  }

  private frameAll(atOnce: boolean): void {
    this.picture.frame(atOnce, this.editing ? undefined : this.player.reach());
  }

  chooseClip(clip: number): void {
    const { clips } = this.session.describe();
    if (clip >= clips.length) return;
    this.player.choose(clip, clips[clip]?.duration ?? 0);
    this.player.state.scrubbing = false;
    this.tellPlay();
    if (!this.editing) this.modes.changed();
    this.advancePose(0, false);
    this.frameAll(this.picture.still);
  }

  private async removeClip(clip: number): Promise<void> {
    await this.edit(() => {
      this.core.sn_document_remove_clip(this.session.document!, clip);
      if (clip < this.player.state.clip) this.player.state.clip--;
    });
  }

  // -------------------------------------------------------------------------------------------------- long work

  // One at a time; others wait for it. Null: it failed or was cancelled, and that was said.
  work: Work = (what, run) => {
    const start = async () => {
      const job = new AbortController();
      const since = performance.now();
      let told = 0;
      const tell = (stage: string, share: number) => {
        const now = performance.now();
        if (now - told < 60) return;
        told = now;
        this.patch({ progress: { what, stage, share, seconds: (now - since) / 1000 } });
      };
      this.job = job;
      try {
        return await run(job.signal, tell);
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

  // All files of one drop, then those of the next.
  private open(files: NamedFile[]): void {
    const takers = {
      work: this.work,
      show: (opened: Opened) => this.showOpened(opened),
      move: (file: NamedFile, all: NamedFile[]) => this.addMotion(file, all),
      set: (run: () => void) => this.retouch(run, true),
    };
    this.standFree();
    this.opening = this.opening.then(() => openFiles(files, this.session, takers)).catch((error: unknown) => fail("Opening", error));
  }

  // The start screen is gone: the character stands in the middle.
  private standFree(): void {
    this.refining?.abort();
    if (this.picture.shift === 0) return;
    this.picture.shift = 0;
    this.frameAll(this.picture.still);
  }

  private showOpened(opened: Opened): boolean {
    const model = this.core.read("snModel", this.core.sn_document_model(opened.document));
    if (model.part_count === 0 && model.clip_count > 0) {
      this.core.sn_document_destroy(opened.document);
      return false;
    }
    this.show(opened, true);
    this.player.state.playing = !this.picture.still && this.player.state.clip >= 0;
    this.tellPlay();
    this.keeper.schedule();
    return true;
  }

  // False: it was cancelled, and so is what follows it. A file that fails does not keep others out.
  private async addMotion(file: NamedFile, all: NamedFile[]): Promise<boolean> {
    let cancelled = false;
    const clip = await this.work(`Adding ${bare(file.name)}`, (signal, tell) =>
      this.edit(() => this.session.addMotion(file, all, signal, tell)).catch((error: unknown) => {
        cancelled = isCancelled(error);
        throw error;
      }),
    );
    if (clip === null) return !cancelled;
    this.chooseClip(clip);
    this.player.state.playing = !this.picture.still;
    this.tellPlay();
    return true;
  }

  give(name: string, bytes: Uint8Array, mime: string): void {
    const { buffer } = bytes.slice();
    post({ type: "file", name, bytes: buffer, mime }, [buffer]);
  }
  private named(kind: string): string {
    return `${this.session.name || "sinew"}.${kind}`;
  }

  // ---------------------------------------------------------------------------------------------------- telling

  patch(patch: Partial<State>): void {
    post({ type: "patch", patch });
  }
  private tellPlay(): void {
    this.patch({ play: { ...this.player.state } });
  }

  tell(): void {
    this.tellAll();
  }
  private tellAll(): void {
    const model = this.session.describe();
    const { kind } = this.selection;
    const there = { none: Infinity, part: model.parts.length, joint: model.joints.length }[kind];
    if (this.selection.kind !== "none" && this.selection.index >= there) this.selection = { kind: "none" };
    const character = this.session.character();
    const settings = this.session.document ? this.schema.values(this.core.sn_document_settings(this.session.document)) : {};
    const sum = (of: (part: (typeof model.parts)[number]) => number) => model.parts.reduce((all, part) => all + of(part), 0);
    this.counts = {
      vertices: sum((part) => part.vertices),
      triangles: sum((part) => part.triangles),
      joints: model.joints.length,
      particles: character ? this.core.sn_character_report(character).particles : 0,
    };
    const { play, selection } = { play: { ...this.player.state }, selection: this.selection };
    const pullable = settings["flesh.on"] === true && this.counts.particles > 0;
    this.patch({ model, settings, ...this.session.history(), play, view: this.view, selection, retarget: this.session.retarget, pullable });
    if (!this.editing) this.modes.changed();
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

  spend(ms: number): void {
    this.meter.spend(ms);
  }
  private draw(): void {
    this.picture.fit();
    this.picture.draw(this.view, this.selection, this.modes.overlay());
  }
  pose(): void {
    this.player.touch();
    this.advancePose(0, false);
    this.dirty = true;
  }
  redraw(): void {
    this.dirty = true;
  }
  private advancePose(seconds: number, live: boolean): boolean {
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
    if (this.editing) return;
    try {
      this.advance(seconds);
    } catch (error) {
      this.player.state.playing = false;
      this.tellPlay();
      fail("Playing", error);
    }
    this.tellFrame(now);
  }

  private advance(seconds: number): void {
    const begin = performance.now();
    const { updates } = this.panes;
    const stepped = this.modes.bench?.step?.(seconds) ?? false;
    const moved = this.session.model !== null && this.advancePose(seconds, this.pull.step(seconds));
    const posed = performance.now();
    const updated = updates !== this.updates || this.panes.updates !== updates;
    if (updated) this.meter.shown(posed - begin);
    this.updates = this.panes.updates;
    const glided = this.picture.step(seconds, this.player.state.clip >= 0);
    if (!moved && !glided && !stepped && !this.dirty) {
      for (const id of this.questions.splice(0)) post({ type: "answer", id, value: true });
      return;
    }
    this.dirty = false;
    this.draw();
    if (stepped && !updated) this.meter.shown(performance.now() - begin); // new colors, or bones, which drawing uploads
    this.meter.add(posed - begin, performance.now() - posed);
    if (this.session.document && this.drawn++ === 0) post({ type: "first-frame" });
  }

  // ---------------------------------------------------------------------------------------------------- commands

  select(selection: Selection | null): void {
    if (!selection) return;
    this.selection = selection;
    this.patch({ selection });
    if (!this.editing) this.modes.changed();
    this.dirty = true;
  }

  private choose(mode: Mode): void {
    this.patch({ mode });
    this.modes.choose(mode).then(
      () => this.redraw(),
      (error: unknown) => fail("Opening that mode", error),
    );
  }

  setView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    if (this.view.show === "weights" && this.selection.kind !== "joint") {
      const joint = this.session.describe().joints.findIndex((one) => one.deforms);
      if (joint >= 0) this.select({ kind: "joint", index: joint });
    }
    if (this.session.model && WAYS.some((key) => key in change)) {
      this.release();
      this.panes.attach(this.view);
      this.advancePose(0, false);
    }
    this.patch({ view: this.view });
  }

  private set(command: Extract<Command, { type: "set" }>): void {
    if (command.key === "flesh.on") this.pull.end();
    this.session.set(command.key, command.value, command.gesture);
    this.panes.change(this.view);
    if (command.gesture === "one" || command.gesture === "end") this.edited();
    else this.patch({ settings: this.schema.values(this.core.sn_document_settings(this.session.document!)) });
  }

  // What takes no time: at once, also while a long call runs. False: it is none of these, or has to wait for an edit.
  quick(command: Command): boolean {
    const since = performance.now();
    try {
      const done = this.quickly(command);
      if (done && command.type !== "hover") this.dirty = true;
      if (HANDS.has(command.type) || modeOf(command)) this.spend(performance.now() - since);
      return done;
    } catch (error) {
      fail(TITLES[command.type] ?? "That", error);
      return true;
    }
  }

  private quickly(command: Command): boolean {
    const { picture, player, hands } = this;
    const mode = modeOf(command);
    if (mode) return !this.editing && (this.modes.get(mode)?.quick?.(command) ?? false);
    switch (command.type) {
      case "resize":
        picture.resize(command);
        return true;
      case "theme":
        Object.assign(picture, { dark: command.dark, still: command.still });
        return true;
      case "orbit":
        picture.turn(command.dx, command.dy);
        return true;
      case "pan":
        picture.pan(command.dx, command.dy);
        return true;
      case "zoom":
        picture.zoom(command.factor, command.x, command.y, hands.under(command.x, command.y));
        return true;
      case "axis":
        picture.look(command.axis);
        return true;
      case "frame":
        this.frameAll(false);
        return true;
      case "press":
        hands.press(command);
        return true;
      case "drag":
        hands.drag(command, command.dx, command.dy);
        return true;
      case "release":
        this.select(hands.letGo(command, command.click, this.view));
        return true;
      case "hover":
        hands.hover(command);
        return true;
      case "leave":
        hands.leave();
        return true;
      case "mode":
        this.choose(command.mode);
        return true;
      case "select":
        this.select(command.selection);
        return true;
      case "cancel":
        this.job?.abort();
        return true;
      case "settle":
        this.questions.push(command.id);
        return true;
      case "waits":
        post({ type: "answer", id: command.id, value: this.meter.takeWaits() });
        return true;
      default:
        return !this.editing && this.quicklyOnDocument(command, player);
    }
  }

  // The same for what needs the document as it is.
  private quicklyOnDocument(command: Command, player: Player): boolean {
    switch (command.type) {
      case "play":
        player.play(command.playing);
        break;
      case "loop":
        player.loop(command.loop);
        break;
      case "speed":
        player.state.speed = command.speed;
        break;
      case "seek":
        player.seek(command.time, command.done);
        return true;
      case "clip":
        this.chooseClip(command.clip);
        return true;
      case "view":
        this.setView(command.view);
        return true;
      case "set":
        this.set(command);
        return true;
      case "picture":
        this.draw();
        this.give(this.named("png"), this.picture.png(), "image/png");
        return true;
      default:
        return false;
    }
    this.tellPlay();
    return true;
  }

  // What takes time, or came while the document was edited: one after the other.
  slow(command: Command): void {
    if (command.type === "open") this.open(command.files);
    else if (command.type === "reopen") void this.reopen(command.id);
    else if (modeOf(command)) void this.slowOfMode(command);
    else void this.work(TITLES[command.type] ?? "That", () => this.apply(command));
  }

  // What a mode has to do for some time; or it was not loaded yet, or an edit was under way.
  private async slowOfMode(command: Command): Promise<void> {
    try {
      const bench = await this.modes.load(modeOf(command)!);
      if (this.editing) await this.waiting;
      if (!this.quick(command)) await bench.slow?.(command);
    } catch (error) {
      fail("That", error);
    }
  }

  private async apply(command: Command): Promise<void> {
    const { session } = this;
    switch (command.type) {
      case "demo":
        if (!session.demo) this.showDemo(false);
        if (this.picture.shift !== 0) {
          this.picture.shift = 0;
          this.frameAll(this.picture.still);
        }
        break;
      case "undo":
        await this.edit(() => session.undo(command.steps));
        break;
      case "redo":
        await this.edit(() => session.redo(command.steps));
        break;
      case "remove-clip":
        await this.removeClip(command.clip);
        break;
      case "write":
        this.give(this.named(command.what), session.bytes(command.what), MIMES[command.what]);
        break;
      case "hash":
        post({ type: "answer", id: command.id, value: session.takeHash(command.clip, command.fps) });
        this.player.touch();
        break;
      case "probe":
        post({ type: "answer", id: command.id, value: this.hands.pick(command.x, command.y)?.pick ?? null });
        break;
      default:
        this.quickly(command); // it waited for an edit
    }
  }
}

const TITLES: Partial<Record<Command["type"], string>> = {
  undo: "Undo",
  redo: "Redo",
  set: "Changing a setting",
  write: "Writing",
  picture: "Taking a picture",
  drag: "Pulling",
  clip: "Choosing a clip",
  "remove-clip": "Removing a clip",
  view: "Changing the view",
};
const MIMES = { snproject: "application/zip", glb: "model/gltf-binary", json: "application/json" };
