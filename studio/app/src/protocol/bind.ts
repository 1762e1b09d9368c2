// What Bind says to the worker, and what it is shown.
import type { NamedFile } from "../protocol";

export type BindTool = "select" | "move" | "brush";
export type BrushPaints = "weight" | "softness" | "rigidity";
export type BrushAction = "add" | "take" | "smooth" | "rigid" | "fill";
export type BindHeat = "" | "doubts" | "gaps" | "softness";

export interface BindOptions {
  tool: BindTool;
  snap: boolean; // joints go to the middle of the flesh
  mirror: boolean; // what is done to one side is done to the other
  children: boolean; // what hangs below a joint goes along
  live: boolean; // binds anew whenever joints change
  method: "auto" | "heat" | "geodesic";
  influences: "4" | "8";
  cells: number; // along the longest side; 0: what suits the model
  paints: BrushPaints;
  action: BrushAction;
  radius: number; // CSS pixels
  strength: number;
  hardness: number;
  softness: number; // how many times as soft
}

export interface BindDoubt {
  kind: "unsure" | "idle" | "outside" | "gap" | "method";
  joint: number;
  share: number; // what it is about: how sure, how much; 0 to 1
  text: string;
  help: string; // what to do, as a button says it; "" there is none
  into: number; // of an idle joint: who takes its place; -1
  below: number; // of an unsure one: joints below it that are unsure, too
}

export interface BindMove {
  index: number; // of the range of motion
  name: string;
  degrees: number;
  both: boolean;
}

export interface BindState {
  doubts: number; // open ones: a dot on the mode's tab
  options: BindOptions;
  source: string; // where the skeleton came from; "" the character's own
  sure: ({ sure: number; why: string } | null)[]; // of every joint; null: nobody asked
  bound: { cells: number; deforming: number; mirrored: number; seconds: number } | null;
  list: BindDoubt[];
  searched: boolean; // for gaps, and where methods disagree
  place: [number, number, number] | null; // of the chosen joint at rest; metres
  moves: BindMove[]; // that bend the chosen joint
  bend: { move: number; share: number };
  here: { weight: number } | null; // of the chosen joint, under the pointer
  // What is shown of a drag until the hand rests: coarse weights; where joints will be; colors, and not yet the body.
  preview: "" | "coarse" | "joint" | "colors";
  sizing: "" | "radius" | "strength"; // the pointer sets it
  heat: BindHeat;
}

export const emptyBind: BindState = {
  doubts: 0,
  options: {
    tool: "select",
    snap: true,
    mirror: true,
    children: false,
    live: false,
    method: "auto",
    influences: "4",
    cells: 0,
    paints: "weight",
    action: "add",
    radius: 48,
    strength: 0.35,
    hardness: 0.2,
    softness: 2,
  },
  source: "",
  sure: [],
  bound: null,
  list: [],
  searched: false,
  place: null,
  moves: [],
  bend: { move: -1, share: 0 },
  here: null,
  preview: "",
  sizing: "",
  heat: "",
};

export type BindCommand =
  | { type: "bind:fit"; from: "builtin" | "own" }
  | { type: "bind:skeleton"; files: NamedFile[] }
  | { type: "bind:run" }
  | { type: "bind:set"; set: Partial<BindOptions> }
  | { type: "bind:place"; joint: number; place: [number, number, number] }
  | { type: "bind:add"; parent: number }
  | { type: "bind:remove"; joint: number }
  | { type: "bind:merge" } // all joints that move no skin into their parents
  | { type: "bind:rename"; joint: number; name: string }
  | { type: "bind:parent"; joint: number; parent: number } // -1: none
  | { type: "bind:bend"; move: number; share: number }
  | { type: "bind:range" } // the whole range of motion, played
  | { type: "bind:search" } // for gaps, and where methods disagree
  | { type: "bind:heat"; heat: BindHeat }
  | { type: "bind:size"; what: "" | "radius" | "strength" }
  | { type: "bind:escape" }; // a drag that goes on is taken back
