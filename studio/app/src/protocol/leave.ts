// What Leave says to the worker, and what it is shown.
import type { NamedFile } from "../protocol";

export type Format = "skin" | "joints" | "morph" | "cache" | "film" | "sheet" | "picture" | "settings" | "project";

// What is known of a format before it is written.
export interface Offer {
  size: number | null; // bytes; null: not known yet
  about: boolean; // an estimate: written, it may be a little more or less
  error: number | null; // metres that it is off at most; null: not known yet
  count: number; // helpers or targets
  measured: boolean; // it was made: writing it hands out those bytes
}
// What fewer or more helpers or targets give, from one decomposition.
export interface Stage {
  count: number;
  error: number; // metres
  size: number; // bytes of the file, estimated from the one that was made
}

export type CameraMove = "still" | "follow" | "turntable" | "keys";
export interface LeaveOptions {
  clip: number; // -1: the rest pose
  from: number;
  to: number;
  fps: number;
  helpers: number; // 0: what the tolerance asks for
  targets: number; // likewise
  compress: boolean;
  join: "pc2" | "mdd";
  settings: boolean; // travel along in project-less files
  width: number;
  height: number;
  camera: CameraMove;
  alpha: boolean;
  columns: number; // of a contact sheet
}
export interface CameraKey {
  time: number;
}

export interface LeaveState {
  open: boolean;
  ready: boolean;
  hash: string; // of the document that offers are of
  beyond: boolean; // something moves vertices beyond what a plain skin does
  options: LeaveOptions;
  offers: Partial<Record<Format, Offer>>;
  frames: number; // of the stretch
  stages: { joints: Stage[]; morph: Stage[] };
  codecs: string[]; // that films can be written with here
  keys: CameraKey[];
  written: { name: string; size: number; format: Format } | null; // last
  comparing: string; // what the right side of the split view shows: a file that was written
}
export const emptyOptions: LeaveOptions = {
  clip: 0,
  from: 0,
  to: 0,
  fps: 30,
  helpers: 0,
  targets: 0,
  compress: false,
  join: "pc2",
  settings: true,
  width: 1280,
  height: 720,
  camera: "follow",
  alpha: false,
  columns: 4,
};
export const emptyLeave: LeaveState = {
  open: false,
  ready: false,
  hash: "",
  beyond: false,
  options: emptyOptions,
  offers: {},
  frames: 0,
  stages: { joints: [], morph: [] },
  codecs: [],
  keys: [],
  written: null,
  comparing: "",
};

export type LeaveCommand =
  | { type: "leave:open" }
  | { type: "leave:close" }
  | { type: "leave:options"; options: Partial<LeaveOptions> }
  | { type: "leave:measure"; format: Format }
  | { type: "leave:write"; format: Format }
  | { type: "leave:key"; add: boolean } // a key of the camera, at the moment that is shown
  | { type: "leave:compare"; on: boolean; file?: NamedFile } // what was written last, or that file;
