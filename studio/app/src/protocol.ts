// What the page and its worker say to each other. Commands go down; patches of the state, progress and messages come
// up. Geometry never crosses: the worker alone holds the document, the renderer and the canvas.

import type { BindCommand, BindState } from "./protocol/bind";
import { emptyBind } from "./protocol/bind";
import type { CheckCommand, CheckState } from "./protocol/check";
import { emptyCheck } from "./protocol/check";
import type { LeaveCommand, LeaveState } from "./protocol/leave";
import { emptyLeave } from "./protocol/leave";
import type { MoveCommand, MoveState } from "./protocol/move";
import { emptyMove } from "./protocol/move";

// What one works at. Each has its commands and a part of the state of its own, in a file of protocol/.
export type Mode = "bind" | "move" | "check";
export const MODES: readonly Mode[] = ["bind", "move", "check"];

export type SettingType = "bool" | "count" | "float" | "vec3" | "choice";

export interface Setting {
  key: string;
  label: string;
  unit: string;
  type: SettingType;
  min: number;
  max: number;
  usualMin: number;
  usualMax: number;
  names: string[];
  help: string;
  initial: SettingValue;
}
export type SettingValue = boolean | number | string | [number, number, number];

export interface Part {
  name: string;
  vertices: number;
  triangles: number;
  skinned: boolean;
}
export interface Joint {
  name: string;
  parent: number; // -1: none
  deforms: boolean;
}
export interface Clip {
  name: string;
  duration: number;
  from: string; // file that it was brought from; "" its own
}

export type Kind = "none" | "demo" | "character" | "mesh";

export interface Model {
  kind: Kind;
  name: string;
  parts: Part[];
  joints: Joint[];
  clips: Clip[];
  lattice: boolean; // it has one: flesh and part volume are there
}

export interface Play {
  clip: number; // -1: the rest pose
  duration: number;
  playing: boolean;
  loop: boolean;
  speed: number;
  scrubbing: boolean;
}

export type Show = "surface" | "normals" | "weights" | "all-weights" | "lattice" | "parts" | "moves";

export interface View {
  show: Show;
  wireframe: boolean;
  joints: boolean;
  ground: boolean;
  split: boolean;
  divide: number; // share of the width that the left pane has
  left: string; // methods: "" as the settings say
  right: string;
  without: boolean; // for as long as a key is held: the plain skin
}

export type Selection = { kind: "none" } | { kind: "part"; index: number } | { kind: "joint"; index: number };

export interface Legend {
  title: string;
  unit: string;
  min: number;
  max: number;
  colors: string[]; // CSS, from the least to the most
}

export interface Stats {
  vertices: number;
  triangles: number;
  joints: number;
  particles: number;
  core: number; // ms of a frame: posing
  draw: number; // ms of a frame: drawing, as far as this thread sees it
  fps: number;
  memory: number; // bytes of the WASM heap
  threads: number;
}

export interface Progress {
  what: string;
  stage: string;
  share: number;
  seconds: number; // since it began
}

export interface Retarget {
  file: string;
  confidence: number;
  matched: number;
  joints: number;
  doubts: string[];
}

export interface State {
  phase: "loading" | "ready" | "failed";
  version: string;
  schema: Setting[];
  methods: string[];
  model: Model;
  settings: Record<string, SettingValue>;
  undo: string[]; // the next one first
  redo: string[];
  saved: "unchanged" | "saving" | "saved" | "unsaved";
  play: Play;
  view: View;
  selection: Selection;
  legend: Legend | null;
  stats: Stats;
  progress: Progress | null;
  retarget: Retarget | null;
  pullable: boolean; // there is flesh to pull
  recent: Recent[];
  mode: Mode;
  bind: BindState;
  move: MoveState;
  check: CheckState;
  leave: LeaveState;
}

// A project in the browser's storage.
export interface Recent {
  id: string;
  name: string;
}

export const emptyState: State = {
  phase: "loading",
  version: "",
  schema: [],
  methods: [],
  model: { kind: "none", name: "", parts: [], joints: [], clips: [], lattice: false },
  settings: {},
  undo: [],
  redo: [],
  saved: "unchanged",
  play: { clip: -1, duration: 0, playing: false, loop: true, speed: 1, scrubbing: false },
  view: {
    show: "surface",
    wireframe: false,
    joints: false,
    ground: true,
    split: false,
    divide: 0.5,
    left: "linear",
    right: "",
    without: false,
  },
  selection: { kind: "none" },
  legend: null,
  stats: { vertices: 0, triangles: 0, joints: 0, particles: 0, core: 0, draw: 0, fps: 0, memory: 0, threads: 1 },
  progress: null,
  retarget: null,
  pullable: false,
  recent: [],
  mode: "move",
  bind: emptyBind,
  move: emptyMove,
  check: emptyCheck,
  leave: emptyLeave,
};

export interface NamedFile {
  name: string;
  bytes: ArrayBuffer;
}

// A pointer: CSS pixels of the canvas, and what is held with it.
export interface Touch {
  x: number;
  y: number;
  shift: boolean;
  ctrl: boolean;
  pressure: number; // of a pen, 0 to 1; else 1
}

export type AxisView = "front" | "back" | "left" | "right" | "top" | "bottom";

export type Command =
  | { type: "start"; canvas: OffscreenCanvas; width: number; height: number; ratio: number; threads: boolean }
  | { type: "resize"; width: number; height: number; ratio: number }
  | { type: "theme"; dark: boolean; still: boolean }
  | { type: "open"; files: NamedFile[] }
  | { type: "demo" }
  | { type: "reopen"; id: string }
  | { type: "set"; key: string; value: SettingValue; gesture: "one" | "begin" | "more" | "end" }
  | { type: "undo"; steps: number }
  | { type: "redo"; steps: number }
  | { type: "clip"; clip: number }
  | { type: "play"; playing: boolean }
  | { type: "loop"; loop: boolean }
  | { type: "speed"; speed: number }
  | { type: "seek"; time: number; done: boolean }
  | { type: "remove-clip"; clip: number }
  | { type: "view"; view: Partial<View> }
  | { type: "select"; selection: Selection }
  | { type: "frame" }
  | { type: "axis"; axis: AxisView }
  | { type: "orbit"; dx: number; dy: number }
  | { type: "pan"; dx: number; dy: number }
  | { type: "zoom"; factor: number; x: number; y: number }
  | ({ type: "press" } & Touch) // the tool, or where nothing is, the camera
  | ({ type: "drag"; dx: number; dy: number } & Touch)
  | ({ type: "release"; click: boolean } & Touch)
  | ({ type: "hover" } & Touch) // nothing is pressed
  | { type: "leave" } // the pointer has left the viewport
  | { type: "mode"; mode: Mode }
  | { type: "cancel" }
  | { type: "picture" }
  | { type: "write"; what: "snproject" | "glb" | "json" }
  | { type: "hash"; id: number; clip: number; fps: number }
  | { type: "waits"; id: number } // ms that hands waited for the surface
  | { type: "settle"; id: number } // answered when what is shown is what was asked for
  | { type: "probe"; id: number; x: number; y: number }
  | BindCommand
  | MoveCommand
  | CheckCommand
  | LeaveCommand;

export type Message =
  | { type: "patch"; patch: Partial<State> }
  | { type: "time"; time: number } // of the clip, as it is shown
  | { type: "first-frame" }
  | { type: "restored"; name: string }
  | { type: "error"; what: string; detail: string; next: string }
  | { type: "note"; text: string; action?: "undo" | "review" }
  | { type: "file"; name: string; bytes: ArrayBuffer; mime: string }
  | { type: "answer"; id: number; value: unknown }
  | { type: "unable"; text: string };
