// What Move says to the worker, and what it is shown.
export interface MoveState {
  doubts: number; // open ones: a dot on the mode's tab
}
export const emptyMove: MoveState = { doubts: 0 };

export type MoveCommand = { type: "move:refresh" };
