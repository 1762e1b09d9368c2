// What is checked, in which ways, and the table of measures against their limits.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { CheckCell } from "../../protocol/check";
import { send, state } from "../../store";
import { NumberField, Segments, Select } from "../controls";
import { Icon } from "../icons";
import { percent, sentence, methodName } from "./words";

const source = signal<"range" | "clip">("range");
const clip = signal(0);
const methods = signal<string[]>([]);
const limits = signal<Record<string, { warn: number; fail: number }>>({});
const MOST = 4;

export function run(): void {
  const chosen = source.value === "clip" ? Math.min(clip.value, state.model.value.clips.length - 1) : -1;
  send({ type: "check:run", clip: chosen, methods: methods.value, limits: Object.entries(limits.value).map(([name, limit]) => ({ name, ...limit })) });
}

function Source(): JSX.Element {
  const { clips } = state.model.value;
  return (
    <div class="check-source">
      <Segments
        label="Check"
        value={source.value}
        options={[
          { value: "range", label: "Range" },
          ...(clips.length > 0 ? [{ value: "clip" as const, label: "Clip" }] : []),
        ]}
        onChange={(value) => (source.value = value)}
      />
      {source.value === "clip" && clips.length > 0 ? (
        <Select label="Clip to check" value={String(Math.min(clip.value, clips.length - 1))} options={clips.map((one, i) => ({ value: String(i), label: one.name || `clip ${i + 1}` }))} onChange={(value) => (clip.value = Number(value))} />
      ) : null}
      <span class="spring" />
      <button type="button" class="button" disabled={state.progress.value !== null} onClick={run}>
        <Icon name="play" /> {state.check.value.result ? "Run again" : "Run"}
      </button>
    </div>
  );
}

function Methods(): JSX.Element {
  const all = state.methods.value;
  const toggle = (method: string) => {
    const now = methods.value;
    methods.value = now.includes(method) ? now.filter((one) => one !== method) : now.length < MOST ? [...now, method] : now;
  };
  return (
    <fieldset class="check-methods">
      <legend>Compare methods{methods.value.length === 0 ? ": none, as the settings say" : ""}</legend>
      {all.map((method) => (
        <button type="button" aria-pressed={methods.value.includes(method)} disabled={!methods.value.includes(method) && methods.value.length >= MOST} onClick={() => toggle(method)}>
          {method}
        </button>
      ))}
    </fieldset>
  );
}

function Cell({ cell }: { cell: CheckCell }): JSX.Element {
  return (
    <td class={`check-cell ${cell.verdict}`}>
      <span>
        {cell.verdict !== "ok" ? <Icon name={cell.verdict === "warn" ? "warn" : "close"} size={12} /> : null}
        {percent(cell.value).replace(" %", "")}
        <i class="hidden">{cell.verdict === "ok" ? "" : `, ${cell.verdict}s`}</i>
      </span>
    </td>
  );
}

function Table(): JSX.Element | null {
  const { result, measure } = state.check.value;
  if (!result) return null;
  return (
    <table class="check-table">
      <thead>
        <tr>
          <th scope="col">Percent, worst</th>
          {result.methods.map((method) => (
            <th scope="col">{methodName(method.name)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {result.measures.map((row, i) => (
          <tr class={i === measure ? "selected" : ""}>
            <th scope="row">
              <button type="button" aria-pressed={i === measure} title={row.help} onClick={() => send({ type: "check:measure", measure: i })}>
                {sentence(row.title)}
              </button>
            </th>
            {row.methods.map((cell) => (
              <Cell cell={cell} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Limits(): JSX.Element | null {
  const { result, measure } = state.check.value;
  const row = result?.measures[measure];
  if (!row) return null;
  const now = limits.value[row.name] ?? { warn: row.warn, fail: row.fail };
  const changed = now.warn !== row.warn || now.fail !== row.fail;
  const set = (change: Partial<typeof now>) => (limits.value = { ...limits.value, [row.name]: { ...now, ...change } });
  return (
    <section class="check-limits" aria-label="Limits">
      <h2>Limits of {row.title}</h2>
      <div class="setting">
        <span class="name">Warns at</span>
        <NumberField label="Warns at, percent" value={100 * now.warn} min={0} max={100 * now.fail} unit="%" onChange={(value) => set({ warn: value / 100 })} />
      </div>
      <div class="setting">
        <span class="name">Fails at</span>
        <NumberField label="Fails at, percent" value={100 * now.fail} min={100 * now.warn} max={1000} unit="%" onChange={(value) => set({ fail: value / 100 })} />
      </div>
      {changed ? <p class="fine">They hold from the next run on.</p> : null}
      <button type="button" class="button check-save" onClick={() => send({ type: "check:report" })}>
        <Icon name="upload" /> Save report as HTML
      </button>
    </section>
  );
}

export function Measures(): JSX.Element {
  const { result } = state.check.value;
  const bad = result ? result.measures.filter((row) => row.methods.every((cell) => cell.verdict !== "ok")).length : 0;
  return (
    <aside class="panel left check-left" aria-label="Check">
      <div class="check-head">
        <h1>
          {result?.title ?? "Check"}
          {result && bad > 0 ? (
            <span class={`check-badge ${result.verdict}`}>
              <Icon name={result.verdict === "fail" ? "close" : "warn"} size={12} /> {bad} {result.verdict === "fail" ? "fail or warn" : "warn"}
            </span>
          ) : null}
        </h1>
        <p>
          {result
            ? `${result.moves > 0 ? `${result.moves} moves, ` : ""}${result.frames} frames, ${result.seconds.toFixed(0)} s; measured in ${result.took.toFixed(1)} s`
            : "Every joint through all that it can do, and what breaks on the way."}
        </p>
        {result?.stale ? <p class="check-stale">The character has changed since. Run again.</p> : null}
      </div>
      <Source />
      <Methods />
      <Table />
      <Limits />
    </aside>
  );
}
