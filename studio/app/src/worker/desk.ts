// What a mode has to work with, and what it may do for the studio.
import type { Command, Selection, State, Touch, View } from "../protocol";
import type { snGizmoInput, snLookInput, snMarkInput } from "@sinew/core";
import type { Core } from "./library";
import type { Work } from "./opening";
import type { Panes } from "./panes";
import type { Picture } from "./picture";
import type { Player } from "./player";
import type { Session } from "./session";

export interface Desk {
  readonly core: Core;
  readonly session: Session;
  readonly picture: Picture;
  readonly player: Player;
  readonly panes: Panes;
  readonly view: View;
  readonly selection: Selection;
  readonly busy: boolean; // the document is between two states: it is not asked anything
  select(selection: Selection): void;
  setView(change: Partial<View>): void;
  chooseClip(clip: number): void;
  // One long call at a time, with progress and Cancel. Null: it failed or was cancelled, and that was said.
  work: Work;
  // An edit that may replace the model, its mesh or its skeleton. What is shown is made anew behind it.
  edit<T>(run: () => T | Promise<T>): Promise<T>;
  // An edit that keeps them: settings, weights in place. Only what depends on it is made anew. `last` false: a drag goes on.
  retouch(run: () => void, last: boolean): void;
  // What a hand's move took outside of its command.
  spend(ms: number): void;
  // Poses anew, and draws.
  pose(): void;
  redraw(): void;
  patch(patch: Partial<State>): void;
  tell(): void; // all of the document's state
  give(name: string, bytes: Uint8Array, mime: string): void; // a file for the person
}

// What a mode draws over the character.
export interface Overlay {
  marks?: snMarkInput[];
  gizmo?: snGizmoInput;
  look?: snLookInput; // instead of what the view says
}

// A mode in the worker. All of it is optional: a mode without hands leaves pointers to the camera.
export interface Bench {
  enter?(): void;
  exit?(): void;
  // The document or the selection is another than before.
  changed?(): void;
  // The model that is shown is about to go: no pointer into it may be kept.
  released?(): void;
  // A command that takes no time. False: it is slow.
  quick?(command: Command): boolean;
  slow?(command: Command): Promise<void>;
  // Pointers. False: the camera, or a hand on the flesh, may have it.
  press?(touch: Touch): boolean;
  drag?(touch: Touch, dx: number, dy: number): void;
  release?(touch: Touch, click: boolean): Selection | null | undefined; // undefined: a click selects as ever
  hover?(touch: Touch): void;
  leave?(): void; // the pointer is no longer over the viewport
  overlay?(): Overlay;
  // Before every frame. True: there is something new to draw.
  step?(seconds: number): boolean;
}
