// What Check says to the worker, and what it is shown.
export interface CheckState {
  doubts: number; // open ones: a dot on the mode's tab
}
export const emptyCheck: CheckState = { doubts: 0 };

export type CheckCommand = { type: "check:refresh" };
