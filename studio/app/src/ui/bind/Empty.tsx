// What belongs where there is no skeleton yet, and the two ways to get one.
import type { JSX } from "preact";
import { send, state } from "../../store";
import { Icon } from "../icons";
import { chooseSkeleton } from "./Panel";

export function Center(): JSX.Element | null {
  const model = state.model.value;
  if (model.kind !== "mesh" || state.progress.value) return null;
  return (
    <div class="bind-center">
      <section class="glass bind-card" aria-label="No skeleton yet">
        <h2>{model.name} has no skeleton yet</h2>
        <p>Fit one into it: joints go to the middle of the limbs, skin is bound to them, and you see how sure each joint is.</p>
        <button type="button" class="choice primary" onClick={() => send({ type: "bind:fit", from: "builtin" })}>
          <span class="choice-icon">
            <Icon name="person" size={24} />
          </span>
          <span class="choice-text">
            <b>Fit the built-in skeleton</b>
            <span>A person that stands, arms anywhere from T to A</span>
          </span>
          <Icon name="arrow" />
        </button>
        <button type="button" class="choice" onClick={chooseSkeleton}>
          <span class="choice-icon">
            <Icon name="joint" size={24} />
          </span>
          <span class="choice-text">
            <b>Choose or drop a skeleton</b>
            <span>BVH, AMC with its ASF, GLB or FBX; a motion comes along when it is dropped</span>
          </span>
          <Icon name="upload" />
        </button>
      </section>
    </div>
  );
}
