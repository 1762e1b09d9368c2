// The tools of Bind, over the viewport, and what they do in the status bar.
import type { JSX } from "preact";
import { send, state } from "../../store";
import { IconButton } from "../controls";
import { set } from "./set";

const PREVIEWS = {
  coarse: "Coarse while you drag. It is bound finely when the hand rests.",
  joint: "Bones show where they will be. The skin stays; its joints move when you let go.",
  colors: "Colors while you paint. The body follows when the hand rests.",
};

export function Rail(): JSX.Element | null {
  if (state.model.value.joints.length === 0) return null;
  const { options, preview, sizing, here } = state.bind.value;
  const { selection, model } = state;
  const chosen = selection.value.kind === "joint" ? model.value.joints[selection.value.index]?.name : "";
  const told = sizing
    ? sizing === "radius"
      ? `Radius ${options.radius.toFixed(0)} px. Move the pointer, click to keep it.`
      : `Strength ${options.strength.toFixed(2)}. Move the pointer, click to keep it.`
    : preview !== ""
      ? PREVIEWS[preview]
      : options.tool === "brush" && options.paints !== "softness" && !chosen
        ? "Choose the joint to paint for, in the list or in the body with Q."
        : options.tool === "brush" && here && chosen && options.paints !== "softness"
          ? `${chosen} ${here.weight.toFixed(2)} here`
          : options.tool === "move" && !chosen
            ? "Drag a joint."
            : "";
  return (
    <>
      <div class="rail glass bind-rail" role="toolbar" aria-label="Tools" aria-orientation="vertical">
        <IconButton icon="select" label="Select joints and parts" keys="Q" on={options.tool === "select"} onClick={() => set({ tool: "select" })} />
        <IconButton icon="move" label="Move joints" keys="G" on={options.tool === "move"} onClick={() => set({ tool: "move" })} />
        <IconButton icon="brush" label="Paint weights, softness, rigidity" keys="B" on={options.tool === "brush"} onClick={() => set({ tool: "brush" })} />
        <i class="rail-rule" />
        <IconButton icon="mirror" label="Mirror left and right" keys="X" on={options.mirror} onClick={() => set({ mirror: !options.mirror })} />
        <IconButton icon="pin" label="Joints snap to the middle of the flesh" keys="S" on={options.snap} onClick={() => set({ snap: !options.snap })} />
      </div>
      {told ? (
        <div class={`bind-told glass ${preview ? "warned" : ""}`} role="status">
          {told}
        </div>
      ) : null}
    </>
  );
}

export function Hints(): JSX.Element | null {
  if (state.model.value.joints.length === 0) return null;
  const { options } = state.bind.value;
  const keys: [string, string][] =
    options.tool === "brush"
      ? [
          ["Ctrl", options.action === "take" ? "Add" : "Take"],
          ["F", "Radius"],
          ["Shift F", "Strength"],
        ]
      : [
          ["G", "Move"],
          ["B", "Brush"],
        ];
  return (
    <>
      {keys.map(([key, what]) => (
        <span class="hint">
          <kbd>{key}</kbd> {what}
        </span>
      ))}
    </>
  );
}

export const bend = (move: number, share: number) => send({ type: "bind:bend", move, share });
