// What Bind says to the worker, and what it is shown.
export interface BindState {
  doubts: number; // open ones: a dot on the mode's tab
}
export const emptyBind: BindState = { doubts: 0 };

export type BindCommand = { type: "bind:refresh" };
