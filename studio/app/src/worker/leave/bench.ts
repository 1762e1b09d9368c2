// Leave, in the worker: what each format would cost and how far off it is, writing it, and looking at what was written.
import { emptyLeave, type Format, type LeaveCommand, type LeaveState, type Offer } from "../../protocol/leave";
import type { Command } from "../../protocol";
import type { Bench, Desk } from "../desk";
import { post } from "../post";
import { codecs, film, sheet, type Keyed } from "./film";
import { Guest } from "./guest";
import { cacheSize, isTake, make, type Made, type TakeFormat } from "./takes";

const NOTHING: Offer = { size: null, about: false, error: null, count: 0, measured: false };
const MIMES: Record<string, string> = { glb: "model/gltf-binary", pc2: "application/octet-stream", mdd: "application/octet-stream", webm: "video/webm", png: "image/png", json: "application/json", snproject: "application/zip" };

export class LeaveBench implements Bench {
  private state: LeaveState = { ...emptyLeave };
  private made = new Map<string, Made>(); // by format and options, of the document as it is
  private keys: Keyed[] = [];
  private last: { name: string; bytes: Uint8Array } | null = null;
  private readonly guest: Guest;
  private shown = "";

  constructor(private readonly desk: Desk) {
    this.guest = new Guest(desk);
  }

  private get core() {
    return this.desk.core;
  }
  private get document() {
    return this.desk.session.document!;
  }
  private tell(change: Partial<LeaveState>): void {
    this.state = { ...this.state, ...change };
    this.desk.patch({ leave: this.state });
  }
  private offer(format: Format, offer: Partial<Offer>): void {
    const before = this.state.offers[format] ?? NOTHING;
    this.tell({ offers: { ...this.state.offers, [format]: { ...before, ...offer } } });
  }

  changed(): void {
    if (this.shown !== this.desk.session.id) {
      this.shown = this.desk.session.id;
      this.guest.close();
      this.keys = [];
      this.last = null;
      this.tell({ written: null, comparing: "", keys: [] });
    }
    if (!this.state.open || !this.desk.session.document) return;
    if (this.desk.session.hash !== this.state.hash) this.begin();
  }
  // --------------------------------------------------------------------------------------------------- offers

  // What a made file depends on.
  private id(format: Format): string {
    const { clip, from, to, fps, helpers, targets, compress, join } = this.state.options;
    const own = format === "joints" ? helpers : format === "morph" ? targets : format === "cache" ? join : "";
    return JSON.stringify([this.state.hash, format, clip, from, to, fps, compress, own]);
  }
  private get vertices(): number {
    return this.desk.session.describe().parts.reduce((sum, part) => sum + part.vertices, 0);
  }

  private begin(): void {
    const { session, player } = this.desk;
    const { clips } = session.describe();
    const { hash } = session;
    if (hash !== this.state.hash) this.made.clear();
    const clip = Math.min(player.state.clip, clips.length - 1);
    const fresh = clip !== this.state.options.clip || hash !== this.state.hash;
    const options = { ...(fresh ? { ...this.state.options, clip, from: 0, to: clips[clip]?.duration ?? 0, helpers: 0, targets: 0 } : this.state.options) };
    const beyond = this.core.sn_settings_beyond_skin(this.core.sn_document_settings(this.document), session.model!) as unknown as boolean;
    this.tell({ open: true, hash, beyond, options, stages: fresh ? { joints: [], morph: [] } : this.state.stages, keys: this.keys.map(({ time }) => ({ time })) });
    this.estimate();
  }

  // What is known without making anything.
  private estimate(): void {
    const { options } = this.state;
    const frames = options.clip < 0 ? 1 : this.core.sn_take_count(options.from, options.to, options.fps, true);
    const offers: LeaveState["offers"] = {};
    for (const format of ["skin", "joints", "morph"] as const) {
      const made = this.made.get(this.id(format));
      offers[format] = made ? { size: made.bytes.byteLength, about: false, error: this.errorOf(format, made), count: made.count, measured: true } : this.guess(format);
    }
    const plain = this.plainError();
    if (plain !== null) offers.skin = { ...offers.skin!, error: plain };
    offers.cache = { ...NOTHING, size: cacheSize(options.join, this.vertices, frames), error: 0 };
    offers.film = { ...NOTHING, size: Math.round((options.width * options.height * 0.12 * frames) / 8), about: true };
    offers.settings = { ...NOTHING, size: this.desk.session.bytes("json").byteLength };
    offers.project = this.state.offers.project ?? NOTHING;
    this.tell({ offers, frames });
  }
  // From the curve of a file that was made with another number of helpers or targets.
  private guess(format: "skin" | "joints" | "morph"): Offer {
    const { options, stages } = this.state;
    const count = format === "joints" ? options.helpers : format === "morph" ? options.targets : 0;
    const stage = format === "skin" ? undefined : stages[format].find((one) => one.count === count);
    return stage ? { size: Math.round(stage.size), about: true, error: stage.error, count, measured: false } : { ...NOTHING, error: this.state.beyond ? null : 0 };
  }
  // Any bake has measured the plain skin on the way.
  private plainError(): number | null {
    if (!this.state.beyond) return 0;
    for (const made of this.made.values()) if (made.plain !== null) return made.plain;
    return null;
  }
  private errorOf(format: TakeFormat, made: Made): number | null {
    return format === "skin" ? this.plainError() : made.error;
  }

  // One after the other, so that the numbers come in the order of the list.
  private async measureAll(): Promise<void> {
    await this.measure("skin");
    this.offer("project", { size: this.desk.session.project().byteLength });
    if (this.state.open && this.state.beyond && this.state.options.clip >= 0) await this.measure("joints");
  }

  private async measure(format: Format): Promise<Made | null> {
    if (!isTake(format)) return null;
    const id = this.id(format);
    const there = this.made.get(id);
    if (there) return there;
    const { options } = this.state;
    const plain = this.made.get(this.id("skin"))?.bytes.byteLength ?? 0;
    if (format === "skin" && this.clipless) return this.asItIs(id);
    const made = await this.desk.work(format === "skin" ? "Measuring the plain skin" : `Making ${TITLES[format]}`, (signal, progress) =>
      make(this.core, this.document, this.desk.session.name, format, options, plain, signal, progress),
    );
    if (!made || id !== this.id(format)) return made;
    this.made.set(id, made);
    if (made.stages.length > 0 && (format === "joints" || format === "morph")) {
      // The curve of the richest file stays: it knows all that is below it.
      const known = this.state.stages[format];
      if (made.stages.length >= known.length) this.tell({ stages: { ...this.state.stages, [format]: made.stages } });
    }
    this.estimate();
    return made;
  }

  // Nothing moves: a rest pose is the file that any menu would save.
  private get clipless(): boolean {
    return this.state.options.clip < 0 && this.desk.session.describe().clips.length === 0;
  }
  private asItIs(id: string): Made {
    const made: Made = { bytes: this.desk.session.bytes("glb"), error: 0, plain: 0, stages: [], count: 0, frames: 1 };
    this.made.set(id, made);
    this.estimate();
    return made;
  }

  // -------------------------------------------------------------------------------------------------- writing

  private name(format: Format): string {
    const stem = this.desk.session.name || "sinew";
    const { join } = this.state.options;
    const names: Record<Format, string> = { skin: `${stem}.glb`, joints: `${stem}.glb`, morph: `${stem}.glb`, cache: `${stem}.${join}`, film: `${stem}.webm`, sheet: `${stem}-sheet.png`, picture: `${stem}.png`, settings: `${stem}.json`, project: `${stem}.snproject` };
    return names[format];
  }
  private async bytes(format: Format): Promise<Uint8Array | null> {
    const { desk } = this;
    const { options } = this.state;
    if (isTake(format)) return (await this.measure(format))?.bytes ?? null;
    if (format === "film") return desk.work("Recording", (signal, tell) => film(desk, options, this.keys, signal, tell));
    if (format === "sheet") return desk.work("Drawing the sheet", (signal, tell) => sheet(desk, options, this.keys, signal, tell));
    if (format === "settings") return desk.session.bytes("json");
    if (format === "project") return desk.session.project();
    return this.picture();
  }
  // The viewport as it is; transparent it is the character alone.
  private picture(): Uint8Array {
    const { picture, view, panes } = this.desk;
    if (!this.state.options.alpha) return picture.png();
    picture.bare = true;
    try {
      panes.update();
      picture.draw(view, { kind: "none" }, {}, false);
      return picture.png();
    } finally {
      picture.bare = false;
      this.desk.redraw();
    }
  }
  private async write(format: Format): Promise<void> {
    const bytes = await this.bytes(format);
    if (!bytes) return;
    const name = this.name(format);
    this.desk.give(name, bytes, MIMES[name.split(".").pop()!] ?? "application/octet-stream");
    if (name.endsWith(".glb")) this.last = { name, bytes };
    this.tell({ written: { name, size: bytes.byteLength, format } });
    post({ type: "note", text: `Wrote ${name}, ${megabytes(bytes.byteLength)}.` });
    if (format === "film") this.offer("film", { size: bytes.byteLength, about: false });
  }

  // ------------------------------------------------------------------------------------------------ comparing

  private async compare(on: boolean): Promise<void> {
    const { desk, last } = this;
    if (!on || !last) {
      if (desk.view.right === "file") desk.setView({ split: false, right: "" });
      this.guest.close();
      return this.tell({ comparing: "" });
    }
    const opened = await desk.work(`Opening ${last.name} again`, async (signal) => {
      await this.guest.open(last.name, last.bytes, signal);
      return true;
    });
    if (!opened) return;
    desk.chooseClip(this.state.options.clip);
    desk.setView({ split: true, left: "", right: "file" });
    this.tell({ comparing: last.name, open: false });
  }

  // ------------------------------------------------------------------------------------------------- commands

  slow = async (command: Command): Promise<void> => {
    const leave = command as LeaveCommand;
    if (!this.desk.session.document) return;
    switch (leave.type) {
      case "leave:open":
        this.begin();
        if (!this.state.ready) this.tell({ ready: true, codecs: (await codecs()).map((one) => one.name) });
        return this.measureAll();
      case "leave:close":
        return this.tell({ open: false });
      case "leave:options":
        this.tell({ options: { ...this.state.options, ...leave.options } });
        return this.estimate();
      case "leave:measure":
        await this.measure(leave.format);
        return;
      case "leave:write":
        return this.write(leave.format);
      case "leave:key":
        return this.key(leave.add);
      case "leave:compare":
        if (leave.file) this.last = { name: leave.file.name, bytes: new Uint8Array(leave.file.bytes) };
        return this.compare(leave.on);
    }
  };
  private key(add: boolean): void {
    const { player, picture } = this.desk;
    const time = player.moment;
    this.keys = this.keys.filter((key) => Math.abs(key.time - time) > 0.02);
    if (add) this.keys.push({ time, orbit: picture.orbit });
    this.keys.sort((a, b) => a.time - b.time);
    this.tell({ keys: this.keys.map((key) => ({ time: key.time })) });
    if (add) post({ type: "note", text: `The camera has a key at ${time.toFixed(2)} s.` });
  }
}

const TITLES: Record<TakeFormat, string> = { skin: "the plain skin", joints: "helper joints", morph: "morph targets", cache: "the point cache" };
const megabytes = (bytes: number) => (bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`);
