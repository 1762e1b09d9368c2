// What Leave says to the worker, and what it is shown.
export interface LeaveState {
  ready: boolean;
}
export const emptyLeave: LeaveState = { ready: false };

export type LeaveCommand = { type: "leave:nothing" };
