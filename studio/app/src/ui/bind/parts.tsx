// What Bind puts around the viewport.
import { send, state } from "../../store";
import type { ModeParts } from "../modes";
import "./bind.css";
import { Dock } from "./Dock";
import { Center } from "./Empty";
import { Joints } from "./Joints";
import { Panel } from "./Panel";
import { Hints, Rail } from "./Rail";
import { set } from "./set";

// Letters of the tools; F, Shift F and brackets are the brush's while it is in the hand.
function key(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || state.model.value.joints.length === 0) return false;
  const { options, sizing } = state.bind.value;
  const brush = options.tool === "brush";
  const letter = event.key.toLowerCase();
  if (event.key === "Escape") {
    if (state.progress.value) return false;
    send(sizing ? { type: "bind:size", what: "" } : { type: "bind:escape" });
    return sizing !== "" || state.bind.value.preview !== "";
  }
  if (letter === "f" && brush) send({ type: "bind:size", what: sizing ? "" : event.shiftKey ? "strength" : "radius" });
  else if (letter === "g") set({ tool: "move" });
  else if (letter === "b") set({ tool: "brush" });
  else if (letter === "q") set({ tool: "select" });
  else if (letter === "s") set({ snap: !options.snap });
  else if (letter === "x") set({ mirror: !options.mirror });
  else if (letter === "[") set({ radius: Math.max(4, options.radius / 1.15) });
  else if (letter === "]") set({ radius: Math.min(300, options.radius * 1.15) });
  else return false;
  return true;
}

export const parts: ModeParts = { Left: Joints, Right: Panel, Dock, Rail, Center, Hints, key };
