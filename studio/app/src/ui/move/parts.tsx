// Move, around the viewport.
import "./move.css";
import type { JSX } from "preact";
import type { MoveTool } from "../../protocol/move";
import { send, state, time } from "../../store";
import { IconButton } from "../controls";
import type { IconName } from "../icons";
import type { ModeParts } from "../modes";
import { Dock } from "./dock";
import { Left, Right } from "./panels";

const TOOLS: { tool: MoveTool; icon: IconName; label: string; keys: string }[] = [
  { tool: "pull", icon: "hand", label: "Pull flesh and let it go", keys: "H" },
  { tool: "turn", icon: "turn", label: "Turn a joint by its rings", keys: "R" },
  { tool: "move", icon: "move", label: "Drag a hand, a foot or the hips; the limb follows", keys: "G" },
  { tool: "brush", icon: "brush", label: "Paint where flesh is softer", keys: "B" },
  { tool: "forces", icon: "wind", label: "Gravity, wind and colliders, by their handles", keys: "W" },
];

function Rail(): JSX.Element | null {
  const { tool } = state.move.value;
  if (state.model.value.joints.length === 0) return null;
  return (
    <div class={`rail glass ${state.view.value.split ? "below" : ""}`} role="toolbar" aria-label="Tools" aria-orientation="vertical">
      {TOOLS.map((one) => (
        <IconButton key={one.tool} icon={one.icon} label={one.label} keys={one.keys} on={tool === one.tool} onClick={() => send({ type: "move:tool", tool: one.tool })} />
      ))}
      <IconButton icon="key" label="Key the chosen joint as it is now" keys="I" disabled={state.selection.value.kind !== "joint"} onClick={() => send({ type: "move:key" })} />
    </div>
  );
}

function Hints(): JSX.Element | null {
  if (state.model.value.joints.length === 0) return null;
  const { tool, reach } = state.move.value;
  const chosen = state.selection.value.kind === "joint";
  return (
    <>
      {tool === "turn" ? <span class="hint">{chosen ? "Drag a ring" : "Click a joint"}</span> : null}
      {tool === "move" ? <span class="hint">{chosen && reach === "none" ? "Hands, feet and hips can be dragged" : "Drag a hand or a foot"}</span> : null}
      {tool === "forces" ? <span class="hint">Drag the end of an arrow, or a collider</span> : null}
      {tool === "brush" ? <span class="hint">Paint on the body</span> : null}
      <span class="hint">
        <kbd>R</kbd> Turn joint
      </span>
      <span class="hint">
        <kbd>G</kbd> Drag limb
      </span>
      <span class="hint">
        <kbd>I</kbd> Key
      </span>
    </>
  );
}

function key(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { strip, timeline } = state.move.value;
  const own = timeline !== null && timeline.clip === state.play.value.clip;
  const tool = TOOLS.find((one) => one.keys.toLowerCase() === event.key.toLowerCase());
  if (tool && !event.shiftKey) send({ type: "move:tool", tool: tool.tool });
  else if (event.key.toLowerCase() === "k" && event.shiftKey) send({ type: "leave:key", add: true });
  else if (event.key.toLowerCase() === "i") send({ type: "move:key" });
  else if (event.key.toLowerCase() === "c" && own && strip >= 0) send({ type: "move:cut", index: strip, time: time.value });
  else if (event.key === "Delete" && own && strip >= 0) send({ type: "move:remove", index: strip });
  else return false;
  return true;
}

export const parts: ModeParts = { Left, Right, Dock, Rail, Hints, key };
