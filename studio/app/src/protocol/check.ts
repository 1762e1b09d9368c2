// What Check says to the worker, and what it is shown.
export type Verdict = "ok" | "warn" | "fail";

export interface CheckCell {
  value: number; // shares, 0.25 for 25 percent
  verdict: Verdict;
}
export interface CheckMeasure {
  name: string; // as the command line has it
  title: string;
  help: string;
  advice: string;
  posed: boolean; // it has a value for every frame
  warn: number;
  fail: number;
  methods: CheckCell[];
}
export interface CheckJoint extends CheckCell {
  violation: number; // of the measure's list
  joint: number; // -1: a whole piece
  name: string;
  time: number;
  when: string; // the move of the range, or the time
}
export interface CheckFrame extends CheckCell {
  time: number;
  picture: ArrayBuffer | null; // PNG
}
export interface CheckRemedy {
  index: number;
  name: string;
  before: number;
  after: number | null; // not measured yet
  verdict: Verdict;
}

export interface CheckResult {
  title: string; // of what it was put through
  moves: number;
  seconds: number; // that it plays
  took: number;
  frames: number;
  triangles: number;
  verdict: Verdict;
  methods: { name: string; verdict: Verdict }[];
  measures: CheckMeasure[]; // worst first
  stale: boolean; // the character has been changed since
}

export interface CheckState {
  doubts: number; // measures that warn or fail in the best method: a dot on the mode's tab
  busy: boolean; // a run, or what comes behind it, is under way
  result: CheckResult | null;
  measure: number; // of result.measures
  times: number[];
  lines: number[][]; // of the measure, one for each method
  marks: { name: string; from: number; to: number }[]; // moves of the range
  joints: CheckJoint[]; // of the measure, worst first, in the first method
  chosen: number; // of joints; -1
  moment: number; // seconds that the body is shown at; -1: none
  film: CheckFrame[];
  remedies: CheckRemedy[];
}
export const emptyCheck: CheckState = {
  doubts: 0,
  busy: false,
  result: null,
  measure: 0,
  times: [],
  lines: [],
  marks: [],
  joints: [],
  chosen: -1,
  moment: -1,
  film: [],
  remedies: [],
};

export type CheckCommand =
  | { type: "check:run"; clip: number; methods: string[]; limits: { name: string; warn: number; fail: number }[] } // clip -1: the range of motion
  | { type: "check:measure"; measure: number }
  | { type: "check:joint"; joint: number } // of the list
  | { type: "check:moment"; time: number }
  | { type: "check:helps" } // measures what helps the chosen joint
  | { type: "check:apply"; remedy: number }
  | { type: "check:report" };
