// What Check puts around the viewport.
import type { JSX } from "preact";
import { send, state } from "../../store";
import type { ModeParts } from "../modes";
import "./check.css";
import { Dock } from "./Dock";
import { Measures } from "./Measures";
import { Center, Worst } from "./Worst";

// J worse, K better: the joints in their order; comma and full stop: a frame back and on.
function key(event: KeyboardEvent): boolean {
  const { result, chosen, joints, times, moment } = state.check.value;
  if (!result || event.ctrlKey || event.metaKey) return false;
  const go = (index: number) => {
    if (index >= 0 && index < joints.length) send({ type: "check:joint", joint: index });
    return true;
  };
  const frame = (by: number) => {
    const at = times.findIndex((time) => Math.abs(time - moment) < 1e-4) + by;
    if (at >= 0 && at < times.length) send({ type: "check:moment", time: times[at] });
    return true;
  };
  if (event.key === "j") return go(chosen - 1);
  if (event.key === "k") return go(chosen + 1);
  if (event.key === ",") return frame(-1);
  if (event.key === ".") return frame(1);
  return false;
}

function Hints(): JSX.Element | null {
  if (!state.check.value.result) return null;
  return (
    <>
      <span class="hint">
        <kbd>J</kbd> Worse
      </span>
      <span class="hint">
        <kbd>K</kbd> Better
      </span>
      <span class="hint">
        <kbd>,</kbd> <kbd>.</kbd> Frame
      </span>
    </>
  );
}

export const parts: ModeParts = { Left: Measures, Right: Worst, Dock, Center, Hints, key };
