// The page's side: the worker, a signal for every part of its state, and what only the page knows (panels, dialogs).
import { signal, type Signal } from "@preact/signals";
import { emptyState, type Command, type Message, type NamedFile, type State } from "./protocol";

type Signals = { [K in keyof State]: Signal<State[K]> };
export const state = Object.fromEntries(
  Object.entries(emptyState).map(([key, value]) => [key, signal(value)]),
) as unknown as Signals;

export const time = signal(0);
export const firstFrame = signal<number | null>(null);
export const unable = signal<string | null>(null);

export interface Failure {
  what: string;
  detail: string;
  next: string;
}
export const failure = signal<Failure | null>(null);
export interface Note {
  id: number;
  text: string;
  action?: "undo" | "review";
}
export const notes = signal<Note[]>([]);

export type Dialog = "none" | "keys" | "history" | "export" | "tour";
export const dialog = signal<Dialog>("none");
export const start = signal(true); // the start screen lies over the viewport
// Where there is little room they lie over the viewport, and are opened when they are needed.
export const panels = signal({ left: innerWidth >= 1360, right: innerWidth > 1000 });
export const widths = signal({ left: 240, right: 320, ...(JSON.parse(localStorage.getItem("widths") ?? "{}") as object) });
export const menu = signal<{ x: number; y: number } | null>(null);

const media = (query: string) => matchMedia(query);
export const still = media("(prefers-reduced-motion: reduce)").matches;
const remembered = localStorage.getItem("theme");
export const dark = signal(remembered ? remembered === "dark" : !media("(prefers-color-scheme: light)").matches);

const worker = new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module", name: "core" });
let nextId = 1;
const answers = new Map<number, (value: unknown) => void>();

export function send(command: Command, transfer: Transferable[] = []): void {
  worker.postMessage(command, transfer);
}

// A question to the worker, for tests: no geometry, a number or a text.
export function ask(make: (id: number) => Command): Promise<unknown> {
  const id = nextId++;
  return new Promise((resolve) => {
    answers.set(id, resolve);
    send(make(id));
  });
}

let nextNote = 1;
export function tell(text: string, action?: "undo" | "review"): void {
  notes.value = [...notes.value.slice(-2), { id: nextNote++, text, action }];
}
export function dismiss(id: number): void {
  notes.value = notes.value.filter((note) => note.id !== id);
}

function download(name: string, bytes: ArrayBuffer, mime: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: mime }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function receive(message: Message): void {
  switch (message.type) {
    case "patch":
      for (const [key, value] of Object.entries(message.patch))
        (state[key as keyof State] as Signal<unknown>).value = value;
      break;
    case "time":
      time.value = message.time;
      break;
    case "first-frame":
      firstFrame.value = performance.now();
      performance.mark("first-frame");
      break;
    case "restored":
      start.value = false;
      tell(`${message.name} is as you left it.`);
      break;
    case "error":
      failure.value = message;
      break;
    case "note":
      tell(message.text, message.action);
      break;
    case "file":
      download(message.name, message.bytes, message.mime);
      break;
    case "answer":
      answers.get(message.id)?.(message.value);
      answers.delete(message.id);
      break;
    case "unable":
      unable.value = message.text;
      break;
  }
}

// What the page needs, said kindly where it is missing.
function missing(): string | null {
  // The smallest module with a SIMD instruction in it.
  const simd = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ]);
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, which the studio is made of.";
  if (!WebAssembly.validate(simd)) return "This browser's WebAssembly has no SIMD. Any browser from 2023 on has it.";
  if (typeof OffscreenCanvas === "undefined")
    return "This browser cannot draw from a worker (OffscreenCanvas). Any browser from 2023 on can.";
  if (!document.createElement("canvas").getContext("webgl2"))
    return "This browser has no WebGL 2, or it is switched off. The studio draws with it.";
  return null;
}

export function begin(): void {
  unable.value = missing();
  worker.onmessage = (event: MessageEvent<Message>) => receive(event.data);
  worker.onerror = (event) => {
    const detail = event.message || "its worker did not load";
    if (state.phase.value !== "ready") unable.value = `The studio could not start: ${detail}.`;
    else failure.value = { what: "Something went wrong.", detail, next: "Your work is saved in this browser; reload the page if it does not answer." };
  };
  document.documentElement.dataset.theme = dark.value ? "dark" : "light";
  if (!unable.value) void openNamed();
}

// `sinew studio FILE` names files that its server gives: ?open=open/hero.glb. From elsewhere nothing is fetched.
async function openNamed(): Promise<void> {
  const names = new URLSearchParams(location.search).getAll("open");
  if (names.length === 0) return;
  const files: File[] = [];
  for (const name of names) {
    try {
      const url = new URL(name, location.href);
      if (url.origin !== location.origin) continue;
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      files.push(new File([await answer.blob()], decodeURIComponent(url.pathname.split("/").pop()!)));
    } catch (error) {
      failure.value = { what: `${name} could not be read.`, detail: String(error), next: "Is sinew studio still running?" };
    }
  }
  // A reload brings back the work, not the files it began with.
  if (files.length > 0) window.history.replaceState(null, "", location.pathname);
  await openFiles(files);
}

export function enterDemo(): void {
  start.value = false;
  send({ type: "demo" });
}

export function setTheme(value: boolean): void {
  dark.value = value;
  localStorage.setItem("theme", value ? "dark" : "light");
  document.documentElement.dataset.theme = value ? "dark" : "light";
  send({ type: "theme", dark: value, still });
}

export async function openFiles(files: Iterable<File>): Promise<void> {
  const named: NamedFile[] = [];
  for (const file of files) {
    // Folders that were chosen keep their paths, so that files are found beside others.
    named.push({ name: file.webkitRelativePath || file.name, bytes: await file.arrayBuffer() });
  }
  if (named.length === 0) return;
  failure.value = null;
  start.value = false;
  // Over the export dialog it is one that was written: it plays beside the original.
  if (dialog.value === "export" && named.length === 1 && /\.glb$/i.test(named[0].name)) {
    dialog.value = "none";
    return send({ type: "leave:compare", on: true, file: named[0] }, [named[0].bytes]);
  }
  send(
    { type: "open", files: named },
    named.map((file) => file.bytes),
  );
}

export function chooseFiles(accept: string): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = accept;
  input.onchange = () => void openFiles(input.files ?? []);
  input.click();
}

export const MODELS = ".glb,.gltf,.bin,.png,.jpg,.jpeg,.fbx,.obj,.ply,.off,.stl,.mtl,.snproject";
export const MOTIONS = ".bvh,.amc,.asf,.glb,.gltf,.bin,.fbx";
