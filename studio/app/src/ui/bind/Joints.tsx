// The joints of the character: how sure each is, and what is in doubt.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { BindDoubt } from "../../protocol/bind";
import { send, state } from "../../store";
import { giveFocusBack } from "../controls";
import { Icon } from "../icons";
import { Outliner } from "../Outliner";
import { set } from "./set";

const find = signal("");
const folded = signal<ReadonlySet<number>>(new Set());

interface Row {
  index: number;
  name: string;
  depth: number;
  parent: boolean;
  deforms: boolean;
}

// In the order of the tree; with a search all that match, flat.
function rows(): Row[] {
  const joints = state.model.value.joints;
  const wanted = find.value.trim().toLowerCase();
  const children = new Map<number, number[]>();
  joints.forEach((joint, j) => children.set(joint.parent, [...(children.get(joint.parent) ?? []), j]));
  const row = (index: number, depth: number): Row => ({ index, name: joints[index].name || `joint ${index}`, depth, parent: children.has(index), deforms: joints[index].deforms });
  if (wanted) return joints.map((_, j) => row(j, 0)).filter((one) => one.name.toLowerCase().includes(wanted));
  const list: Row[] = [];
  const walk = (index: number, depth: number) => {
    list.push(row(index, depth));
    if (!folded.value.has(index)) for (const child of children.get(index) ?? []) walk(child, depth + 1);
  };
  for (const root of children.get(-1) ?? []) walk(root, 0);
  return list;
}

function toggle(index: number): void {
  const next = new Set(folded.value);
  if (!next.delete(index)) next.add(index);
  folded.value = next;
}

const choose = (index: number) => send({ type: "select", selection: { kind: "joint", index } });

function JointRow({ row }: { row: Row }): JSX.Element {
  const { sure, list } = state.bind.value;
  const known = sure[row.index];
  const idle = list.find((doubt) => doubt.joint === row.index && doubt.kind === "idle");
  const selection = state.selection.value;
  const selected = selection.kind === "joint" && selection.index === row.index;
  const key = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const all = [...event.currentTarget.closest("[role=tree]")!.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const at = all.indexOf(event.currentTarget);
    const go: Record<string, () => void> = {
      ArrowDown: () => all[at + 1]?.focus(),
      ArrowUp: () => all[at - 1]?.focus(),
      Home: () => all[0]?.focus(),
      End: () => all[all.length - 1]?.focus(),
      ArrowRight: () => row.parent && folded.value.has(row.index) && toggle(row.index),
      ArrowLeft: () => row.parent && !folded.value.has(row.index) && toggle(row.index),
      Enter: () => choose(row.index),
      " ": () => choose(row.index),
    };
    if (!(event.key in go)) return;
    event.preventDefault();
    event.stopPropagation();
    go[event.key]();
  };
  const says = known ? `${Math.round(100 * known.sure)} % sure${known.why ? `: ${known.why}` : ""}` : "";
  return (
    <div
      class={`tree-row ${selected ? "selected" : ""} ${row.deforms ? "" : "dim"}`}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={selected}
      aria-expanded={row.parent ? !folded.value.has(row.index) : undefined}
      aria-label={[row.name, says, idle ? "moves no skin" : ""].filter(Boolean).join(", ")}
      title={idle ? idle.text : says}
      tabIndex={0}
      style={{ paddingLeft: `${4 + Math.min(row.depth, 12) * 6}px` }}
      onClick={(event) => {
        choose(row.index);
        if (event.detail > 0) giveFocusBack();
      }}
      onKeyDown={key}
    >
      <span
        class="fold"
        onClick={(event) => {
          event.stopPropagation();
          if (row.parent) toggle(row.index);
        }}
      >
        {row.parent ? <Icon name={folded.value.has(row.index) ? "right" : "down"} size={12} /> : null}
      </span>
      <Icon name="joint" />
      <span class="tree-name">{row.name}</span>
      {idle ? (
        <span class="bind-warn">
          <Icon name="warn" />
        </span>
      ) : null}
      {known && known.sure < 0.5 ? <span class="bind-doubt">{Math.round(100 * known.sure)} %</span> : null}
      {known && known.sure >= 0.5 ? (
        <span class="bind-sure">
          <i style={{ width: `${Math.round(100 * known.sure)}%` }} />
        </span>
      ) : null}
    </div>
  );
}

// A doubt with what helps; pressing it does that, or brings one there.
export function help(doubt: BindDoubt): void {
  if (doubt.kind === "idle" && doubt.into >= 0) return send({ type: "bind:remove", joint: doubt.joint });
  choose(doubt.joint);
  if (doubt.kind === "unsure" || doubt.kind === "outside") set({ tool: "move", ...(doubt.below > 0 ? { children: true } : {}) });
  else if (doubt.kind === "method") send({ type: "bind:heat", heat: "doubts" });
  else if (doubt.kind === "gap") {
    set({ cells: Math.min(96, Math.round((state.bind.value.options.cells || 33) * 1.5)) });
    send({ type: "bind:run" });
  }
}

const TITLES: Record<BindDoubt["kind"], string> = { unsure: "Unsure", idle: "Move no skin", outside: "Outside", gap: "Across gaps", method: "Methods disagree" };

function Doubts(): JSX.Element | null {
  const { list, searched, bound } = state.bind.value;
  const { joints } = state.model.value;
  const kinds = (Object.keys(TITLES) as BindDoubt["kind"][]).filter((kind) => list.some((doubt) => doubt.kind === kind));
  return (
    <section class="bind-doubts" aria-label="Doubts">
      {kinds.map((kind) => {
        const of = list.filter((doubt) => doubt.kind === kind);
        const count = of.reduce((sum, doubt) => sum + 1 + doubt.below, 0);
        return (
          <>
            <h2>
              {TITLES[kind]}
              <span>
                {kind === "idle" && count > 1 ? (
                  <button type="button" class="button link" title="All of them into their parents, as one step" onClick={() => send({ type: "bind:merge" })}>
                    Merge all
                  </button>
                ) : null}{" "}
                {count} {count === 1 ? "joint" : "joints"}
              </span>
            </h2>
            {of.map((doubt) => (
              <div class="bind-doubt-row" key={`${kind} ${doubt.joint}`}>
                <button type="button" class="bind-doubt-name" title={doubt.text} onClick={() => choose(doubt.joint)}>
                  <Icon name={kind === "unsure" ? "joint" : "warn"} />
                  <span>{joints[doubt.joint]?.name}</span>
                  {doubt.share > 0 ? <b>{(100 * doubt.share).toFixed(doubt.share < 0.01 ? 1 : 0)} %</b> : null}
                </button>
                <p>
                  {doubt.text}.{" "}
                  {doubt.help ? (
                    <button type="button" class="button link" onClick={() => help(doubt)}>
                      {doubt.help}
                    </button>
                  ) : null}
                </p>
              </div>
            ))}
          </>
        );
      })}
      {list.length === 0 && bound ? <p class="fine">Nothing is in doubt{searched ? ", and no weight lies across a gap" : ""}.</p> : null}
      {searched ? null : (
        <button type="button" class="button" onClick={() => send({ type: "bind:search" })}>
          <Icon name="find" /> Look for gaps and doubts
        </button>
      )}
    </section>
  );
}

export function Joints(): JSX.Element {
  const model = state.model.value;
  if (model.joints.length === 0) return <Outliner />;
  return (
    <aside class="panel left" aria-label="Joints">
      <label class="find">
        <Icon name="find" />
        <input
          type="search"
          placeholder="Find a joint"
          aria-label="Find a joint"
          value={find.value}
          onInput={(event) => (find.value = event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
        />
      </label>
      <div class="tree bind-tree" role="tree" aria-label="Joints">
        {rows().map((row) => (
          <JointRow key={row.index} row={row} />
        ))}
      </div>
      <Doubts />
    </aside>
  );
}
