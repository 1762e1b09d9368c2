// What is in the document: parts, joints, clips.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Joint, Selection } from "../protocol";
import { chooseFiles, MOTIONS, send, state } from "../store";
import { Icon, type IconName } from "./icons";
import { giveFocusBack, IconButton } from "./controls";
import { chooseMode } from "./modes";

const find = signal("");
const folded = signal<Set<string>>(new Set(["skeleton"]));

function toggle(id: string): void {
  const next = new Set(folded.value);
  if (!next.delete(id)) next.add(id);
  folded.value = next;
}

const count = (n: number) => n.toLocaleString("en-US");

function Row(props: {
  id: string;
  level: number;
  icon: IconName;
  name: string;
  right?: string;
  selected?: boolean;
  folds?: boolean;
  dim?: boolean;
  extra?: JSX.Element;
  onClick?: () => void;
}): JSX.Element {
  const open = props.folds ? !folded.value.has(props.id) : undefined;
  const key = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return; // a button in the row
    const row = event.currentTarget as HTMLElement;
    const rows = [...row.closest("[role=tree]")!.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const at = rows.indexOf(row);
    const go: Record<string, () => void> = {
      ArrowDown: () => rows[at + 1]?.focus(),
      ArrowUp: () => rows[at - 1]?.focus(),
      Home: () => rows[0]?.focus(),
      End: () => rows[rows.length - 1]?.focus(),
      ArrowRight: () => open === false && toggle(props.id),
      ArrowLeft: () => open === true && toggle(props.id),
      Enter: () => (props.onClick ?? (() => toggle(props.id)))(),
      " ": () => (props.onClick ?? (() => toggle(props.id)))(),
    };
    if (!(event.key in go)) return;
    event.preventDefault();
    event.stopPropagation();
    go[event.key]();
  };
  return (
    <div
      class={`tree-row ${props.selected ? "selected" : ""} ${props.dim ? "dim" : ""}`}
      role="treeitem"
      aria-level={props.level}
      aria-selected={props.selected ?? false}
      aria-expanded={open}
      tabIndex={0}
      style={{ paddingLeft: `${8 + (props.level - 1) * 12}px` }}
      onClick={(event) => {
        (props.onClick ?? (() => toggle(props.id)))();
        if (event.detail > 0) giveFocusBack();
      }}
      onKeyDown={key}
    >
      {props.folds ? (
        <span
          class="fold"
          onClick={(event) => {
            event.stopPropagation();
            toggle(props.id);
          }}
        >
          <Icon name={open ? "down" : "right"} size={12} />
        </span>
      ) : (
        <span class="fold" />
      )}
      <Icon name={props.icon} />
      <span class="tree-name">{props.name}</span>
      <span class="tree-right">{props.right}</span>
      {props.extra ? <span onClick={(event) => event.stopPropagation()}>{props.extra}</span> : null}
    </div>
  );
}

const matches = (name: string) => name.toLowerCase().includes(find.value.trim().toLowerCase());
const selects = (kind: Selection["kind"], index: number) => {
  const now = state.selection.value;
  return now.kind === kind && now.kind !== "none" && now.index === index;
};

// Joints in the order of the tree, each with its depth; with a search, all that match, flat.
function joints(): { joint: Joint; index: number; depth: number; parent: boolean }[] {
  const all = state.model.value.joints;
  if (find.value.trim()) return all.map((joint, index) => ({ joint, index, depth: 0, parent: false })).filter((j) => matches(j.joint.name));
  const children = new Map<number, number[]>();
  all.forEach((joint, index) => children.set(joint.parent, [...(children.get(joint.parent) ?? []), index]));
  const rows: ReturnType<typeof joints> = [];
  const stack = [...(children.get(-1) ?? [])].reverse().map((index) => ({ index, depth: 0 }));
  while (stack.length > 0) {
    const { index, depth } = stack.pop()!;
    const below = children.get(index) ?? [];
    rows.push({ joint: all[index], index, depth, parent: below.length > 0 });
    if (!folded.value.has(`joint ${index}`)) for (const child of [...below].reverse()) stack.push({ index: child, depth: depth + 1 });
  }
  return rows;
}

function Clips(): JSX.Element {
  const { clips } = state.model.value;
  return (
    <>
      <Row id="clips" level={1} icon="clip" name="Clips" right={String(clips.length)} folds />
      {folded.value.has("clips")
        ? null
        : clips
            .map((clip, index) => ({ clip, index }))
            .filter(({ clip }) => matches(clip.name))
            .map(({ clip, index }) => (
              <Row
                key={index}
                id={`clip ${index}`}
                level={2}
                icon="clip"
                name={clip.name || `clip ${index + 1}`}
                right={`${clip.duration.toFixed(1)} s`}
                selected={state.play.value.clip === index}
                onClick={() => send({ type: "clip", clip: index })}
                extra={
                  clip.from ? (
                    <IconButton icon="close" label={`Remove ${clip.name}`} onClick={() => send({ type: "remove-clip", clip: index })} />
                  ) : undefined
                }
              />
            ))}
    </>
  );
}

export function Outliner(): JSX.Element {
  const model = state.model.value;
  const searching = find.value.trim() !== "";
  const retarget = state.retarget.value;
  return (
    <aside class="panel left" aria-label="Outliner">
      <label class="find">
        <Icon name="find" />
        <input
          type="search"
          placeholder="Find"
          aria-label="Find parts, joints and clips"
          value={find.value}
          onInput={(event) => (find.value = event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
        />
      </label>
      <div class="tree" role="tree" aria-label="Document">
        <Row id="model" level={1} icon={model.kind === "mesh" ? "mesh" : "person"} name={model.name} folds onClick={() => send({ type: "select", selection: { kind: "none" } })} />
        {folded.value.has("model") && !searching ? null : (
          <>
            {model.parts.map((part, index) =>
              matches(part.name) ? (
                <Row
                  key={`part ${index}`}
                  id={`part ${index}`}
                  level={2}
                  icon="mesh"
                  name={part.name || `part ${index + 1}`}
                  right={count(part.vertices)}
                  selected={selects("part", index)}
                  onClick={() => send({ type: "select", selection: { kind: "part", index } })}
                />
              ) : null,
            )}
            {model.joints.length > 0 ? (
              <Row id="skeleton" level={2} icon="joint" name="Skeleton" right={String(model.joints.length)} folds />
            ) : null}
            {folded.value.has("skeleton") && !searching
              ? null
              : joints().map(({ joint, index, depth, parent }) => (
                  <Row
                    key={`joint ${index}`}
                    id={`joint ${index}`}
                    level={3 + depth}
                    icon="joint"
                    name={joint.name || `joint ${index}`}
                    dim={!joint.deforms}
                    selected={selects("joint", index)}
                    folds={parent}
                    onClick={() => send({ type: "select", selection: { kind: "joint", index } })}
                  />
                ))}
          </>
        )}
        {model.kind === "mesh" || (model.clips.length === 0 && model.joints.length === 0) ? null : <Clips />}
      </div>
      {model.clips.length === 0 && model.kind !== "none" ? (
        <div class="empty">
          {model.kind === "mesh"
            ? "This mesh has no skeleton yet. Drop a motion on it: its skeleton is fitted into the mesh, and it moves."
            : "No motion yet. Drop a BVH, an AMC with its ASF, or a model with clips."}
          <br />
          <button type="button" class="button" onClick={() => chooseFiles(MOTIONS)}>
            <Icon name="plus" /> Add motion
          </button>
          {model.kind === "mesh" && state.mode.value !== "bind" ? (
            <button type="button" class="button" onClick={() => chooseMode("bind")}>
              <Icon name="joint" /> Fit one in Bind
            </button>
          ) : null}
        </div>
      ) : null}
      {retarget ? (
        <div class="retarget" aria-label="Retargeting">
          <div class="retarget-head">
            <b>{retarget.file}</b>
            <span title="Joints that follow the motion">
              {retarget.matched} of {retarget.joints}
            </span>
            <span class="badge" title="How well the skeletons fit, 0 to 1">
              {retarget.confidence.toFixed(2)}
            </span>
          </div>
          {retarget.doubts.length > 0 ? (
            <details>
              <summary>{retarget.doubts.length === 1 ? "1 thing" : `${retarget.doubts.length} things`} to know</summary>
              <ul>
                {retarget.doubts.map((doubt) => (
                  <li>{doubt}</li>
                ))}
              </ul>
            </details>
          ) : null}
        </div>
      ) : null}
    </aside>
  );
}
