// The joints that fail, worst first, and what helps; and what there is before the first run.
import type { JSX } from "preact";
import { send, state } from "../../store";
import { giveFocusBack, Section } from "../controls";
import { Icon } from "../icons";
import { run } from "./Measures";
import { percent, sentence, methodName } from "./words";

function Joints(): JSX.Element {
  const { joints, chosen, result } = state.check.value;
  const most = Math.max(1e-6, ...joints.map((joint) => joint.value));
  return (
    <Section title="Worst joints" right={<span class="check-right">{methodName(result?.methods[0].name ?? "")}</span>}>
      {joints.length === 0 ? <p class="fine">Nothing was found.</p> : null}
      <ol class="check-joints" aria-label="Worst joints">
        {joints.map((joint, i) => (
          <li>
            <button
              type="button"
              aria-pressed={i === chosen}
              title={`${joint.name}: ${percent(joint.value)}, ${joint.when}`}
              onClick={(event) => {
                send({ type: "check:joint", joint: i });
                if (event.detail > 0) giveFocusBack();
              }}
            >
              <span class="check-name">{joint.name}</span>
              <span class={`check-bar ${joint.verdict}`}>
                <i style={{ width: `${(100 * joint.value) / most}%` }} />
              </span>
              <span class="check-value">
                {joint.verdict !== "ok" ? <Icon name={joint.verdict === "warn" ? "warn" : "close"} size={12} /> : null}
                {percent(joint.value)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Helps(): JSX.Element {
  const { remedies, joints, chosen, measure, result } = state.check.value;
  const joint = joints[chosen];
  const row = result?.measures[measure];
  const busy = state.progress.value !== null;
  return (
    <Section title="What helps">
      {row && joint ? (
        <>
          {remedies.filter((one) => one.after !== null).map((one, i) => (
            <div class="check-remedy">
              <b>{sentence(one.name)}</b>
              <span>
                <i class={joint.verdict}>{percent(one.before)}</i> <Icon name="arrow" size={12} /> {percent(one.after!)}
              </span>
              <button type="button" class={`button ${i === 0 ? "primary" : ""}`} disabled={busy || result?.stale} aria-label={`Apply ${one.name}`} onClick={() => send({ type: "check:apply", remedy: one.index })}>
                Apply
              </button>
            </div>
          ))}
          {remedies.some((one) => one.after !== null) ? <p class="fine">Measured in the same move, around {joint.name}. Undo takes it back.</p> : null}
          {joint.verdict === "ok" ? (
            <p class="fine">{joint.name} keeps the limit.</p>
          ) : remedies.length === 0 ? (
            <>
              <p class="check-advice">{row.advice}</p>
              {row.posed ? (
                <button type="button" class="button" disabled={busy || result?.stale} onClick={() => send({ type: "check:helps" })}>
                  <Icon name="pulse" /> Measure what helps here
                </button>
              ) : null}
            </>
          ) : (
            <p class="check-advice">{row.advice}</p>
          )}
        </>
      ) : (
        <p class="fine">Choose a joint that fails.</p>
      )}
    </Section>
  );
}

export function Worst(): JSX.Element {
  return (
    <aside class="panel right" aria-label="Worst joints and what helps">
      {state.check.value.result ? (
        <>
          <Joints />
          <Helps />
        </>
      ) : (
        <p class="bind-empty check-nothing">After a run, the joints that fail are here, and what helps them.</p>
      )}
    </aside>
  );
}

export function Center(): JSX.Element | null {
  if (state.check.value.result || state.progress.value) return null;
  const { kind, joints } = state.model.value;
  const ready = joints.length > 0;
  return (
    <div class="check-center">
      <section class="glass check-card" aria-label="Nothing was checked yet">
        <h2>{ready ? "What breaks, and where?" : kind === "none" ? "There is nothing to check yet" : "Nothing moves this mesh yet"}</h2>
        <p>
          {ready
            ? "Every joint goes through all that it can do. Nine measures say where the skin collapses, stretches, turns over or cuts through itself, and what helps."
            : kind === "none"
              ? "Open a character first."
              : "Fit a skeleton in Bind, or drop a motion on it."}
        </p>
        {ready ? (
          <button type="button" class="button primary" onClick={run}>
            <Icon name="play" /> Check the range of motion
          </button>
        ) : null}
      </section>
    </div>
  );
}
