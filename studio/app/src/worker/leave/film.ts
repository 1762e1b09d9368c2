// Films, contact sheets and pictures: drawn by a viewport of their own, beside the one on the screen.
import type { CameraMove, LeaveOptions } from "../../protocol/leave";
import type { Ptr, snOrbit } from "@sinew/core";
import type { Desk } from "../desk";
import { sn } from "../library";
import type { Tell } from "../session";
import { makeTake } from "./takes";
import { webm, type FilmFrame } from "./webm";

const NAME = "#film";
const KEY_EVERY = 60; // frames
const CODECS = [
  { codec: "vp09.00.41.08", name: "V_VP9" as const },
  { codec: "vp8", name: "V_VP8" as const },
];
export interface Keyed {
  time: number;
  orbit: snOrbit;
}

// What this browser can encode; [] none.
export async function codecs(): Promise<typeof CODECS> {
  if (typeof VideoEncoder === "undefined") return [];
  const able: typeof CODECS = [];
  for (const one of CODECS) {
    const { supported } = await VideoEncoder.isConfigSupported({ codec: one.codec, width: 1280, height: 720 }).catch(() => ({ supported: false }));
    if (supported) able.push(one);
  }
  return able;
}

class Stage {
  readonly canvas: OffscreenCanvas;
  private readonly viewport: Ptr<"snViewport">;
  private readonly targets: Record<string, OffscreenCanvas>;

  constructor(
    private readonly desk: Desk,
    readonly width: number,
    readonly height: number,
  ) {
    this.canvas = new OffscreenCanvas(width, height);
    this.targets = (desk.core as unknown as { module: { specialHTMLTargets: Record<string, OffscreenCanvas> } }).module.specialHTMLTargets;
    this.targets[NAME] = this.canvas;
    this.viewport = desk.core.sn_viewport_create({ canvas: NAME, supersample: 2 }, null);
  }
  show(take: Ptr<"snTake">): void {
    this.desk.core.sn_viewport_set_model(this.viewport, 0, this.desk.session.model, this.desk.core.sn_take_character(take));
  }
  update(): void {
    this.desk.core.sn_viewport_update(this.viewport, 0);
  }
  get middle() {
    return this.desk.core.sn_viewport_middle(this.viewport, 0);
  }
  draw(orbit: snOrbit, follow: { x: number; y: number; z: number }, bare: boolean): void {
    const { picture, view } = this.desk;
    const look = { show: sn.SN_SHOW_SURFACE, ground: view.ground };
    this.desk.core.sn_viewport_draw(this.viewport, {
      width: this.width,
      height: this.height,
      orbit,
      follow,
      backdrop: bare ? sn.SN_BACKDROP_NONE : picture.dark ? sn.SN_BACKDROP_DARK : sn.SN_BACKDROP_LIGHT,
      looks: [look, look],
      pixel_ratio: 1,
    });
  }
  // What was drawn last, with how opaque it is: the canvas itself has no alpha.
  pixels(): Uint8ClampedArray<ArrayBuffer> {
    const { core } = this.desk;
    const image = core.sn_viewport_read(this.viewport, null);
    const bytes = core.u8(core.read("snImage", image).pixels, 4 * this.width * this.height);
    const copy = new Uint8ClampedArray(bytes);
    core.sn_image_destroy(image);
    return copy;
  }
  destroy(): void {
    this.desk.core.sn_viewport_destroy(this.viewport);
    delete this.targets[NAME];
  }
}

// Where the camera is at a moment.
class Camera {
  private home: { x: number; y: number; z: number } | null = null;
  private away = { x: 0, y: 0, z: 0 };

  constructor(
    private readonly desk: Desk,
    private readonly move: CameraMove,
    private readonly keys: Keyed[],
    private readonly duration: number,
  ) {}

  at(time: number, middle: { x: number; y: number; z: number }): { orbit: snOrbit; follow: { x: number; y: number; z: number } } {
    const { core, picture } = this.desk;
    this.home ??= middle;
    if (this.move !== "still") this.away = { x: middle.x - this.home.x, y: 0, z: middle.z - this.home.z };
    const { orbit } = picture;
    if (this.move === "turntable") return { orbit: core.sn_orbit_turn(orbit, (2 * Math.PI * time) / Math.max(0.1, this.duration), 0), follow: this.away };
    if (this.move === "keys" && this.keys.length > 0) return { orbit: this.mixed(time), follow: this.away };
    return { orbit, follow: this.away };
  }
  private mixed(time: number): snOrbit {
    const next = this.keys.findIndex((key) => key.time > time);
    if (next === 0) return this.keys[0].orbit;
    if (next < 0) return this.keys[this.keys.length - 1].orbit;
    const [a, b] = [this.keys[next - 1], this.keys[next]];
    const t = (time - a.time) / (b.time - a.time);
    return this.desk.core.sn_orbit_mix(a.orbit, b.orbit, t * t * (3 - 2 * t));
  }
}

// As a call of the library that was cancelled throws.
const cancelled = () => new (sn.SinewError as unknown as new (error: object, name: string, text: string) => Error)({ code: sn.SN_RESULT_CANCELLED, text: "cancelled" }, "cancelled", "cancelled");

// Frame by frame, letting others have a turn in between.
async function play(desk: Desk, options: LeaveOptions, keys: Keyed[], size: [number, number], which: (frames: number) => number[], signal: AbortSignal, draw: (stage: Stage, frame: number, all: number) => Promise<void> | void): Promise<number> {
  const { core, session } = desk;
  const take = makeTake(core, session.document!, options);
  const stage = new Stage(desk, ...size);
  try {
    const report = core.read("snTakeReport", core.sn_take_report(take));
    const wanted = which(report.frames);
    const camera = new Camera(desk, options.camera, keys, report.to - report.from);
    for (let i = 0; i <= wanted[wanted.length - 1]; i++) {
      await new Promise((done) => setTimeout(done));
      if (signal.aborted) throw cancelled();
      core.sn_take_pose(take, i);
      if (i === 0) stage.show(take);
      stage.update();
      const { orbit, follow } = camera.at(i / report.fps, stage.middle);
      if (!wanted.includes(i)) continue;
      stage.draw(orbit, follow, options.alpha);
      await draw(stage, wanted.indexOf(i), wanted.length);
    }
    return report.fps;
  } finally {
    stage.destroy();
    core.sn_take_destroy(take);
  }
}

type Chunk = { time: number; key: boolean; data: Uint8Array };
class Encoder {
  readonly chunks: Chunk[] = [];
  private failed: Error | null = null;
  private readonly encoder: VideoEncoder;

  constructor(codec: string, width: number, height: number, fps: number) {
    this.encoder = new VideoEncoder({
      output: (chunk) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.chunks.push({ time: chunk.timestamp / 1000, key: chunk.type === "key", data });
      },
      error: (error) => (this.failed = error),
    });
    this.encoder.configure({ codec, width, height, framerate: fps, bitrate: Math.round(width * height * fps * 0.12), latencyMode: "quality" });
  }
  async add(frame: VideoFrame, i: number): Promise<void> {
    this.encoder.encode(frame, { keyFrame: i % KEY_EVERY === 0 });
    frame.close();
    while (this.encoder.encodeQueueSize > 4 && !this.failed) await new Promise((done) => setTimeout(done, 2));
    if (this.failed) throw this.failed;
  }
  async flush(): Promise<void> {
    await this.encoder.flush();
    if (this.failed) throw this.failed;
  }
  close(): void {
    if (this.encoder.state !== "closed") this.encoder.close();
  }
}

// How opaque each pixel is, as the greys of a picture of its own.
function opacity(pixels: Uint8ClampedArray, width: number, height: number): Uint8Array {
  const grey = new Uint8Array(1.5 * width * height).fill(128, width * height);
  for (let i = 0; i < width * height; i++) grey[i] = pixels[4 * i + 3];
  return grey;
}

export async function film(desk: Desk, options: LeaveOptions, keys: Keyed[], signal: AbortSignal, tell: Tell): Promise<Uint8Array> {
  const [codec] = await codecs();
  if (!codec) throw new Error("This browser cannot encode films (WebCodecs with VP8 or VP9). The command line can: sinew animate FILE -o film.mp4");
  const width = options.width - (options.width % 2);
  const height = options.height - (options.height % 2);
  const colors = new Encoder(codec.codec, width, height, options.fps);
  const alphas = options.alpha ? new Encoder(codec.codec, width, height, options.fps) : null;
  try {
    let count = 0;
    const all = (n: number) => Array.from({ length: n }, (_, i) => i);
    const fps = await play(desk, options, keys, [width, height], all, signal, async (stage, i, n) => {
      const when = { timestamp: Math.round((1e6 * i) / options.fps), duration: Math.round(1e6 / options.fps) };
      if (alphas) {
        const pixels = stage.pixels();
        const size = { codedWidth: width, codedHeight: height };
        await colors.add(new VideoFrame(pixels, { format: "RGBX", ...size, ...when }), i);
        await alphas.add(new VideoFrame(opacity(pixels, width, height), { format: "I420", ...size, ...when }), i);
      } else await colors.add(new VideoFrame(stage.canvas, when), i);
      count = i + 1;
      tell(`frame ${i + 1} of ${n}`, (i + 1) / n);
    });
    await colors.flush();
    await alphas?.flush();
    const frames: FilmFrame[] = colors.chunks.map((chunk, i) => (alphas ? { ...chunk, alpha: alphas.chunks[i].data } : chunk));
    return webm(codec.name, width, height, count / fps, frames);
  } finally {
    colors.close();
    alphas?.close();
  }
}

const png = async (canvas: OffscreenCanvas) => new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());

// Moments of the clip, evenly spread, row by row.
export async function sheet(desk: Desk, options: LeaveOptions, keys: Keyed[], signal: AbortSignal, tell: Tell): Promise<Uint8Array> {
  const { columns } = options;
  const rows = Math.max(1, Math.round((columns * 3) / 4));
  const width = Math.round(options.width / columns);
  const height = Math.round((width * 4) / 3);
  const canvas = new OffscreenCanvas(width * columns, height * rows);
  const context = canvas.getContext("2d")!;
  const which = (frames: number) => [...new Set(Array.from({ length: rows * columns }, (_, i) => Math.round(((frames - 1) * i) / (rows * columns - 1))))];
  await play(desk, options, keys, [width, height], which, signal, (stage, i, n) => {
    const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
    if (options.alpha) context.putImageData(new ImageData(stage.pixels(), width, height), x, y);
    else context.drawImage(stage.canvas, x, y);
    tell(`picture ${i + 1} of ${n}`, (i + 1) / n);
  });
  return png(canvas);
}
