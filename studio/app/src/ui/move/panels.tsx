// The panels of Move: the chosen strip and joint, volume by joint, settings; and what leads which joint.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Bones, JointMap } from "../../protocol/move";
import { send, state } from "../../store";
import { IconButton, NumberField, Section, Select, Slider, Switch, type Gesture } from "../controls";
import { Icon } from "../icons";
import { Outliner } from "../Outliner";
import { Settings } from "../Settings";
import { Field } from "./field";
import { ForcesPanel } from "./forces";
import { percentOf } from "./lanes";

// ----------------------------------------------------------------------------------------------------- strip

function StripPanel(): JSX.Element | null {
  const { timeline, strip: index } = state.move.value;
  const strip = timeline?.clip === state.play.value.clip ? timeline.strips[index] : undefined;
  if (!timeline || !strip) return null;
  const clip = state.model.value.clips[strip.clip];
  const set = (change: Partial<typeof strip>) => send({ type: "move:strip", index, strip: change, gesture: "one" });
  return (
    <Section title={`Strip: ${clip?.name ?? ""}`} right={<IconButton icon="trash" label="Remove the strip" keys="Delete" onClick={() => send({ type: "move:remove", index })} />}>
      <Field label="Begins at">
        <NumberField label="Strip begins at" value={strip.start} unit="s" min={0} max={3600} onChange={(start) => set({ start })} />
      </Field>
      <Field label="Plays" title="Which seconds of the clip">
        <span class="two">
          <NumberField label="From second of the clip" value={strip.from} unit="s" min={0} max={Math.max(0, strip.to - 0.01)} onChange={(from) => set({ from })} />
          <NumberField label="To second of the clip" value={strip.to} unit="s" min={strip.from + 0.01} max={clip?.duration ?? strip.to} onChange={(to) => set({ to })} />
        </span>
      </Field>
      <Field label="Rounds" title="How often it plays, one after the other">
        <NumberField label="Rounds" value={strip.rounds} unit="×" min={0.05} max={1000} onChange={(rounds) => set({ rounds })} />
      </Field>
      <Field label="Speed">
        <NumberField label="Speed of the strip" value={strip.speed} unit="×" min={0.05} max={20} onChange={(speed) => set({ speed })} />
      </Field>
      <div class="setting bool-setting" title="Each strip begins where the one before has brought the character; else all stand where their clips have them">
        <span class="name">Goes on from strip to strip</span>
        <Switch label="Goes on from strip to strip" on={timeline.travel} onChange={(travel) => send({ type: "move:travel", travel })} />
      </div>
    </Section>
  );
}

// ----------------------------------------------------------------------------------------------------- joint

const AXES = ["X", "Y", "Z"] as const;
function Nudge(props: { label: string; unit: string; most: number; run: (axis: 0 | 1 | 2, value: number) => void }): JSX.Element {
  return (
    <div class="vector">
      {AXES.map((axis, i) => (
        <label>
          <span class={`axis-${axis.toLowerCase()}`}>{axis}</span>
          <NumberField label={`${props.label} ${axis}, ${props.unit}`} value={0} min={-props.most} max={props.most} onChange={(value) => props.run(i as 0 | 1 | 2, value)} />
        </label>
      ))}
    </div>
  );
}

function JointPanel(): JSX.Element | null {
  const selection = state.selection.value;
  if (selection.kind !== "joint") return null;
  const { index } = selection;
  const { reach, timeline, softness } = state.move.value;
  const soften = (value: number, gesture: Gesture) => send({ type: "move:soften", joint: index, softness: value, gesture });
  const keyed = timeline?.keys.filter((key) => key.joint === index).length ?? 0;
  return (
    <Section
      title={state.model.value.joints[index]?.name ?? "Joint"}
      right={
        <>
          <span class="of">{keyed > 0 ? `${keyed} ${keyed === 1 ? "key" : "keys"}` : ""}</span>
          <IconButton icon="key" label="Key this pose" keys="I" onClick={() => send({ type: "move:key" })} />
        </>
      }
    >
      <Field label="Turn by, °" title="About the joint's own axes, at the playhead">
        <Nudge label="Turn by" unit="degrees" most={360} run={(axis, degrees) => send({ type: "move:turn", axis, degrees })} />
      </Field>
      {reach !== "none" ? (
        <Field label="Move by, m" title={reach === "limb" ? "Along the axes of the world; the limb follows" : "Along the axes of the world"}>
          <Nudge label="Move by" unit="metres" most={10} run={(axis, metres) => send({ type: "move:put", axis, metres })} />
        </Field>
      ) : null}
      <Field label="Softness" title="How soft the flesh of this joint is, times what the settings say">
        <span class="slider-row">
          <Slider
            label="Softness of the joint"
            value={softness}
            min={0}
            max={4}
            initial={1}
            unit="×"
            onChange={soften}
          />
          <NumberField
            label="Softness of the joint, number"
            value={softness}
            unit="×"
            min={0}
            max={100}
            onChange={(value) => soften(value, "one")}
          />
        </span>
      </Field>
    </Section>
  );
}

function BrushPanel(): JSX.Element | null {
  const { tool, material } = state.move.value;
  if (tool !== "brush") return null;
  return (
    <Section title="Softness brush">
      <Field label="Softness" title="How many times as soft flesh is where you paint">
        <NumberField label="Painted softness" value={material.softness} unit="×" min={0} max={100} onChange={(softness) => send({ type: "move:material", softness })} />
      </Field>
      <Field label="Size">
        <NumberField label="Size of the brush" value={material.radius} unit="m" min={0.005} max={2} onChange={(radius) => send({ type: "move:material", radius })} />
      </Field>
    </Section>
  );
}

// ---------------------------------------------------------------------------------------------------- volume

function VolumePanel(): JSX.Element {
  const { volume, stale } = state.move.value;
  const { joints } = state.model.value;
  const plain = new Map(volume?.methods[0].worst.map((one) => [one.joint, one.value]));
  const own = new Map(volume?.methods[1].worst.map((one) => [one.joint, one.value]));
  const rows = [...new Set([...plain.keys(), ...own.keys()])]
    .map((joint) => ({ joint, plain: plain.get(joint) ?? 0, own: own.get(joint) ?? 0 }))
    .filter((row) => Math.max(row.plain, row.own) > 0.005)
    .sort((a, b) => Math.max(b.plain, b.own) - Math.max(a.plain, a.own))
    .slice(0, 12);
  const most = Math.max(0.01, ...rows.flatMap((row) => [row.plain, row.own]));
  return (
    <Section title="Volume change by joint" right={volume ? <span class="plot-names"><span class="linear">linear</span> <span class="own">as set</span></span> : null}>
      {volume ? null : <p class="hint-text">How much the flesh around each joint shrinks or swells over the clip.</p>}
      {rows.map(({ joint, plain: a, own: b }) => (
        <button
          type="button"
          class={`volume-row ${b > (volume?.warn ?? 1) ? "warns" : ""}`}
          title={`${joints[joint]?.name}: ${percentOf(a)} with the skin alone, ${percentOf(b)} as set. Shows its worst moment.`}
          onClick={() => {
            send({ type: "select", selection: { kind: "joint", index: joint } });
            const at = volume!.methods[1].worst.find((one) => one.joint === joint) ?? volume!.methods[0].worst.find((one) => one.joint === joint);
            if (at) send({ type: "seek", time: at.time, done: true });
          }}
        >
          <span class="volume-name">{joints[joint]?.name}</span>
          <span class="bars">
            <i class="linear" style={{ width: `${(100 * a) / most}%` }} />
            <i class="own" style={{ width: `${(100 * b) / most}%` }} />
          </span>
          <span class="linear">{percentOf(a)}</span>
          <span class="own">{percentOf(b)}</span>
        </button>
      ))}
      <button type="button" class="button" disabled={state.play.value.clip < 0} onClick={() => send({ type: "move:measure" })}>
        {volume ? (stale ? "Changed since. Measure again" : "Measure again") : "Measure this clip"}
      </button>
    </Section>
  );
}

export function Right(): JSX.Element {
  const rigged = state.model.value.joints.length > 0 && state.model.value.clips.length > 0;
  const measured = state.move.value.volume !== null;
  // Once measured it stands further up: it is shown there.
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef(measured);
  useEffect(() => {
    if (measured && !before.current) panel.current?.querySelector(".volume-row")?.closest(".section")?.scrollIntoView({ block: "start" });
    before.current = measured;
  }, [measured]);
  return (
    <div class="panel right move-right" role="complementary" aria-label="Move" ref={panel}>
      <StripPanel />
      <JointPanel />
      <BrushPanel />
      <ForcesPanel />
      {rigged && measured ? <VolumePanel /> : null}
      <Settings />
      {rigged && !measured ? <VolumePanel /> : null}
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- joint map

// A skeleton from the front, with one joint and the bone above it marked.
function BonesPicture({ bones, marked, label }: { bones: Bones; marked: number; label: string }): JSX.Element {
  const line = (j: number) => {
    const p = bones.parents[j];
    if (p < 0) return null;
    const [x1, y1] = bones.points[p];
    const [x2, y2] = bones.points[j];
    return <line key={j} class={j === marked ? "marked" : ""} x1={10 + 80 * x1} y1={5 + 90 * y1} x2={10 + 80 * x2} y2={5 + 90 * y2} />;
  };
  return (
    <figure>
      <svg viewBox="0 0 100 100" role="img" aria-label={label}>
        {bones.points.map((_, j) => line(j))}
        {marked >= 0 && bones.points[marked] ? <circle cx={10 + 80 * bones.points[marked][0]} cy={5 + 90 * bones.points[marked][1]} r={2.6} /> : null}
      </svg>
      <figcaption>{label}</figcaption>
    </figure>
  );
}

const HOW: Record<string, string> = {
  none: "Nothing leads it: it keeps its rest.",
  given: "You paired them.",
  name: "They have the same name.",
  role: "By their names they are the same in a body.",
  structure: "One of the two was recognised by its place alone.",
  "stand-in": "The motion has no such joint; its nearest kin leads it.",
};

function MapRow({ map, index, open, choose }: { map: JointMap; index: number; open: boolean; choose: (index: number) => void }): JSX.Element {
  const pair = map.pairs[index];
  const { joints } = state.model.value;
  const { picture } = state.move.value;
  const options = [{ value: "-1", label: "None" }, ...map.sources.map((name, i) => ({ value: String(i), label: name }))];
  return (
    <>
      <tr class={open ? "open" : ""}>
        <td>
          <button
            type="button"
            class="map-target"
            aria-expanded={open}
            title={HOW[pair.how]}
            onClick={() => {
              choose(open ? -1 : index);
              send({ type: "select", selection: { kind: "joint", index: pair.target } });
              send({ type: "move:compare", on: !open });
            }}
          >
            {joints[pair.target]?.name}
          </button>
        </td>
        <td>
          <Select label={`What leads ${joints[pair.target]?.name}`} value={String(pair.source)} options={options} onChange={(source) => send({ type: "move:pair", target: pair.target, source: Number(source) })} />
        </td>
        <td class={pair.doubtful ? "doubtful" : ""}>
          {pair.doubtful ? <Icon name="warn" size={12} /> : null}
          {pair.source >= 0 ? pair.confidence.toFixed(2) : ""}
        </td>
      </tr>
      {open ? (
        <tr class="map-open">
          <td colSpan={3}>
            <p>{HOW[pair.how]}</p>
            {picture ? (
              <div class="map-pictures">
                <BonesPicture bones={picture.source} marked={pair.source} label={pair.source >= 0 ? map.sources[pair.source] : "none"} />
                <BonesPicture bones={picture.target} marked={pair.target} label={joints[pair.target]?.name ?? ""} />
              </div>
            ) : null}
          </td>
        </tr>
      ) : null}
    </>
  );
}

function MapTable(): JSX.Element | null {
  const { map, doubts } = state.move.value;
  const [open, choose] = useState(-1);
  const [only, setOnly] = useState(false);
  if (!map) return null;
  const { joints } = state.model.value;
  const rows = map.pairs.map((_, i) => i).filter((i) => joints[i]?.deforms || map.pairs[i].source >= 0).filter((i) => !only || map.pairs[i].doubtful);
  return (
    <section class="joint-map" aria-label="Joint map">
      <div class="retarget-head">
        <b title={map.file}>Joint map</b>
        <span title="Joints that follow the motion">
          {map.matched} of {map.pairs.length}
        </span>
        <span class="badge" title="How well the skeletons fit, 0 to 1">
          {map.confidence.toFixed(2)}
        </span>
      </div>
      <div class="map-tools">
        {doubts > 0 ? (
          <label class="only">
            <input type="checkbox" checked={only} onChange={(event) => setOnly(event.currentTarget.checked)} /> Only the {doubts} unsure
          </label>
        ) : (
          <span>All pairs are sure.</span>
        )}
        <button type="button" class="button link" title="All as names and bodies say" onClick={() => send({ type: "move:unpair" })}>
          As found
        </button>
      </div>
      <div class="map-scroll">
        <table>
          <thead>
            <tr>
              <th>Character</th>
              <th>From {map.file}</th>
              <th title="How sure, 0 to 1">Sure</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((i) => (
              <MapRow key={i} map={map} index={i} open={open === i} choose={choose} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function Left(): JSX.Element {
  return (
    <div class="left move-left">
      <Outliner />
      <MapTable />
    </div>
  );
}
