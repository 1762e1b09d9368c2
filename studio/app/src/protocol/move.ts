// What Move says to the worker, and what it is shown.
import type { SettingValue } from "../protocol";

// A stretch of a clip on the timeline.
export interface Strip {
  clip: number;
  start: number; // seconds of the timeline
  from: number; // seconds of the clip
  to: number;
  speed: number;
  rounds: number;
  length: number; // seconds on the timeline; the library says it
}
export interface KeyMark {
  joint: number;
  time: number;
}
export interface Timeline {
  clip: number; // of the model: the one that it makes
  travel: boolean;
  strips: Strip[];
  keys: KeyMark[];
}

export interface Contact {
  joint: number;
  from: number;
  to: number;
}

// What leads a joint of the character.
export interface Pair {
  target: number;
  source: number; // -1: nothing, it keeps its rest
  confidence: number;
  how: string;
  doubtful: boolean;
}
export interface JointMap {
  clip: number;
  file: string;
  confidence: number;
  matched: number;
  sources: string[]; // joints of the motion's skeleton
  pairs: Pair[];
}
// Two skeletons from the front, each in a box of 1 by 1, y down; bones as index pairs.
export interface Bones {
  points: [number, number][];
  parents: number[];
}
export interface MapPicture {
  target: Bones;
  source: Bones;
}

// What may change over time, as a curve.
export interface Curve {
  key: string;
  label: string;
  title: string;
  help: string;
  min: number;
  max: number;
  rest: number; // without points
  points: { time: number; value: number }[];
  line: { time: number; value: number }[]; // what lies between them
  loop: boolean | null; // it goes on from its end at its beginning; null: it cannot
}

// How the volume around joints changes over the clip, with the skin alone and as the settings say.
export interface VolumeMethod {
  name: string;
  worst: { joint: number; value: number; time: number }[]; // worst first
  series: number[];
}
export interface Volume {
  clip: number;
  hash: string; // of the document that was measured
  times: number[];
  warn: number;
  fail: number;
  methods: VolumeMethod[]; // linear, then the settings
}

// A capsule that flesh does not enter; "": it stands in the world.
export interface Collider {
  joint: string;
  from: { x: number; y: number; z: number }; // metres, in the joint's own space
  to: { x: number; y: number; z: number };
  radius: number;
}
export interface Forces {
  gravity: { x: number; y: number; z: number };
  wind: { x: number; y: number; z: number };
  drag: number;
  colliders: Collider[];
  chosen: number; // collider; -1: none
}

export type MoveTool = "pull" | "turn" | "move" | "brush" | "forces";

export interface MoveState {
  doubts: number; // open ones: a dot on the mode's tab
  tool: MoveTool;
  timeline: Timeline | null;
  strip: number; // that is selected; -1: none
  contacts: Contact[];
  map: JointMap | null;
  picture: MapPicture | null;
  curves: Curve[];
  volume: Volume | null;
  stale: boolean; // the document has changed since volume was measured
  softness: number; // of the chosen joint, times what the settings say
  reach: "limb" | "whole" | "none"; // what the move tool does with the chosen joint
  material: { softness: number; radius: number };
  forces: Forces | null; // while its tool is in the hand
}
export const emptyMove: MoveState = {
  doubts: 0,
  tool: "pull",
  timeline: null,
  strip: -1,
  contacts: [],
  map: null,
  picture: null,
  curves: [],
  volume: null,
  stale: false,
  softness: 1,
  reach: "none",
  material: { softness: 2, radius: 0.12 },
  forces: null,
};

type Gesture = "one" | "begin" | "more" | "end";
export type MoveCommand =
  | { type: "move:tool"; tool: MoveTool }
  | { type: "move:compose"; clip: number } // a timeline that plays this clip
  | { type: "move:add"; clip: number } // behind the last strip, which it comes into
  | { type: "move:strip"; index: number; strip: Partial<Strip>; gesture: Gesture }
  | { type: "move:cut"; index: number; time: number }
  | { type: "move:remove"; index: number }
  | { type: "move:travel"; travel: boolean }
  | { type: "move:choose"; index: number }
  | { type: "move:clear" } // no timeline any more
  | { type: "move:key" } // the chosen joint as it is now
  | { type: "move:unkey"; joint: number; time: number }
  | { type: "move:shift"; joint: number; time: number; to: number; gesture: Gesture }
  | { type: "move:turn"; axis: 0 | 1 | 2; degrees: number } // the chosen joint, about an axis of its own
  | { type: "move:put"; axis: 0 | 1 | 2; metres: number } // and along an axis of the world
  | { type: "move:pair"; target: number; source: number } // -1: nothing
  | { type: "move:unpair" } // all as they were found
  | { type: "move:compare"; on: boolean } // the picture of both skeletons
  | { type: "move:curve"; key: string; points: Curve["points"]; loop: boolean; gesture: Gesture }
  | { type: "move:measure" }
  | { type: "move:soften"; joint: number; softness: number; gesture: Gesture }
  | { type: "move:material"; softness?: number; radius?: number }
  | { type: "move:collide" } // one more collider, on the chosen joint
  | { type: "move:collider"; index: number; change: Partial<Collider> }
  | { type: "move:uncollide"; index: number }
  | { type: "move:pick"; index: number } // a collider
  | { type: "move:read"; id: number }; // for tests: where joints and some vertices are
export type { SettingValue };
