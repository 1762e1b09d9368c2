// The panel of Bind: where the skeleton comes from, the chosen joint, how weights are made, and the brush.
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import type { BindHeat, BrushAction, BrushPaints } from "../../protocol/bind";
import { MOTIONS, send, state, tell } from "../../store";
import { NumberField, Section, Segments, Select, Slider, Switch } from "../controls";
import { Icon } from "../icons";
import { set } from "./set";

const count = (n: number) => n.toLocaleString("en-US");

function Row(props: { name: string; title?: string; children: JSX.Element; wide?: boolean }): JSX.Element {
  return (
    <div class={`setting ${props.wide ? "bool-setting" : ""}`} title={props.title}>
      <span class="name">{props.name}</span>
      {props.children}
    </div>
  );
}

export function chooseSkeleton(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = MOTIONS;
  input.onchange = async () => {
    const files = await Promise.all([...(input.files ?? [])].map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
    if (files.length > 0) send({ type: "bind:skeleton", files }, files.map((file) => file.bytes));
  };
  input.click();
}

function Skeleton(): JSX.Element {
  const { options, source } = state.bind.value;
  return (
    <Section title="Skeleton" right={<span class="bind-right">{source || "From the file"}</span>}>
      <div class="bind-buttons">
        <button type="button" class="button" title="Moves every joint to the middle of its limb, and binds" onClick={() => send({ type: "bind:fit", from: "own" })}>
          Fit again
        </button>
        <button type="button" class="button" title="Another file's skeleton is put into the mesh" onClick={chooseSkeleton}>
          Another …
        </button>
        <button type="button" class="button" title="A person's skeleton, made in code" onClick={() => send({ type: "bind:fit", from: "builtin" })}>
          Built in
        </button>
      </div>
      <Row name="Snap to the middle of the flesh" wide>
        <Switch label="Snap to the middle of the flesh" on={options.snap} onChange={(snap) => set({ snap })} />
      </Row>
      <Row name="Mirror left and right" wide>
        <Switch label="Mirror left and right" on={options.mirror} onChange={(mirror) => set({ mirror })} />
      </Row>
      <Row name="Take along what hangs below" wide>
        <Switch label="Take along what hangs below" on={options.children} onChange={(children) => set({ children })} />
      </Row>
      <Row name="Bind anew as joints change" title="Off, weights stay as they are and joints move through them" wide>
        <Switch label="Bind anew as joints change" on={options.live} onChange={(live) => set({ live })} />
      </Row>
    </Section>
  );
}

// What is typed belongs to one joint under one name: another of either shows its own, in the same picture.
function Name({ joint, name }: { joint: number; name: string }): JSX.Element {
  const [typed, setTyped] = useState({ joint, name, text: name });
  const text = typed.joint === joint && typed.name === name ? typed.text : name;
  const type = (text: string) => setTyped({ joint, name, text });
  const take = () => {
    const wanted = text.trim();
    if (wanted === name) return;
    if (wanted === "") return type(name);
    send({ type: "bind:rename", joint, name: wanted });
  };
  return (
    <input
      class="bind-name"
      type="text"
      aria-label="Name of the joint"
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") take();
        if (event.key === "Escape") type(name);
      }}
    />
  );
}

function Joint(): JSX.Element {
  const { joints } = state.model.value;
  const selection = state.selection.value;
  const { place, sure } = state.bind.value;
  const index = selection.kind === "joint" ? selection.index : -1;
  const joint = joints[index];
  if (!joint || !place)
    return (
      <Section title="Joint">
        <p class="bind-empty">Choose a joint in the list, or click one in the body.</p>
      </Section>
    );
  const below = (j: number): boolean => j === index || (joints[j].parent >= 0 && below(joints[j].parent));
  const parents = [{ value: "-1", label: "None" }, ...joints.map((one, j) => ({ value: String(j), label: one.name })).filter((_, j) => !below(j))];
  const known = sure[index];
  return (
    <Section title="Joint" right={known ? <span class={`bind-right ${known.sure < 0.5 ? "bind-doubt" : ""}`}>{Math.round(100 * known.sure)} % sure</span> : null}>
      <Row name="Name">
        <Name joint={index} name={joint.name} />
      </Row>
      <Row name="Hangs on">
        <Select label="Hangs on" value={String(joint.parent)} options={parents} onChange={(parent) => send({ type: "bind:parent", joint: index, parent: Number(parent) })} />
      </Row>
      <div class="setting bind-place">
        <span class="name">Place, m</span>
        <div class="vector">
          {(["X", "Y", "Z"] as const).map((axis, i) => (
            <label>
              <span class={`axis-${axis.toLowerCase()}`}>{axis}</span>
              <NumberField
                label={`Place ${axis}, metres`}
                value={Number(place[i].toFixed(4))}
                min={-1000}
                max={1000}
                onChange={(number) => send({ type: "bind:place", joint: index, place: place.map((old, k) => (k === i ? number : old)) as [number, number, number] })}
              />
            </label>
          ))}
        </div>
      </div>
      <div class="bind-buttons">
        <button type="button" class="button" title="A new joint that hangs on this one" onClick={() => send({ type: "bind:add", parent: index })}>
          <Icon name="plus" /> Add below
        </button>
        <button type="button" class="button" title="What hangs on it and its skin go to the joint above" onClick={() => send({ type: "bind:remove", joint: index })}>
          <Icon name="trash" /> Remove
        </button>
      </div>
    </Section>
  );
}

const HEATS: { value: BindHeat; label: string }[] = [
  { value: "", label: "As above" },
  { value: "doubts", label: "Doubts" },
  { value: "gaps", label: "Gaps" },
];

function Weights(): JSX.Element {
  const { options, bound, searched, heat } = state.bind.value;
  const busy = state.progress.value !== null;
  return (
    <Section title="Weights" right={bound ? <span class="bind-right">{bound.seconds.toFixed(1)} s</span> : null}>
      <Row name="Method" title="Auto: nearest bone through the flesh, then smoothed over the surface. Heat and geodesic: as published.">
        <Segments
          label="Method"
          value={options.method}
          options={[
            { value: "auto", label: "Auto" },
            { value: "heat", label: "Heat" },
            { value: "geodesic", label: "Geodesic" },
          ]}
          onChange={(method) => set({ method })}
        />
      </Row>
      <Row name="Influences" title="Joints of a vertex. Most engines take four.">
        <Segments
          label="Influences"
          value={options.influences}
          options={[
            { value: "4", label: "4" },
            { value: "8", label: "8" },
          ]}
          onChange={(influences) => set({ influences })}
        />
      </Row>
      <Row name="Resolution" title="Cells along the longest side; 0: what suits the model">
        <div class="slider-row">
          <Slider label="Resolution" value={options.cells} min={0} max={96} initial={0} whole unit="cells" onChange={(cells) => set({ cells })} />
          <NumberField
            label="Resolution, number"
            value={options.cells}
            min={0}
            max={256}
            whole
            unit={options.cells === 0 ? "auto" : "cells"}
            onOutside={(limit) => tell(`Resolution is kept at its limit, ${limit} cells.`)}
            onChange={(cells) => set({ cells })}
          />
        </div>
      </Row>
      {bound ? (
        <p class="bind-fine">
          {count(bound.cells)} cells, {bound.deforming} joints deform{bound.mirrored > 0.5 ? `, ${Math.round(100 * bound.mirrored)} % mirrors` : ""}
        </p>
      ) : null}
      <div class="bind-buttons">
        <button type="button" class="button primary" disabled={busy} title="Replaces the weights that are there" onClick={() => send({ type: "bind:run" })}>
          Bind
        </button>
      </div>
      {searched ? (
        <Row name="Show">
          <Segments label="Show" value={heat} options={HEATS} onChange={(value) => send({ type: "bind:heat", heat: value })} />
        </Row>
      ) : null}
    </Section>
  );
}

const ACTIONS: Record<BrushPaints, { value: BrushAction; label: string }[]> = {
  weight: [
    { value: "add", label: "Add" },
    { value: "take", label: "Take" },
    { value: "smooth", label: "Smooth" },
    { value: "rigid", label: "Rigid" },
    { value: "fill", label: "Fill" },
  ],
  softness: [
    { value: "add", label: "Add" },
    { value: "take", label: "Take" },
    { value: "smooth", label: "Smooth" },
    { value: "fill", label: "Fill" },
  ],
  rigidity: [
    { value: "add", label: "Add" },
    { value: "smooth", label: "Smooth" },
  ],
};

// From full strength in the middle to nothing at the border, as the core has it.
function FallOff({ hardness }: { hardness: number }): JSX.Element {
  const at = (x: number) => {
    const t = x <= hardness ? 1 : (1 - x) / Math.max(1 - hardness, 1e-6);
    return t * t * (3 - 2 * t);
  };
  const points = Array.from({ length: 25 }, (_, i) => `${(60 * i) / 24 + 2},${22 - 20 * at(i / 24)}`).join(" ");
  return (
    <svg class="bind-fall" width="64" height="24" viewBox="0 0 64 24" aria-hidden="true">
      <polyline points={points} />
    </svg>
  );
}

function Brush(): JSX.Element {
  const { options } = state.bind.value;
  const actions = ACTIONS[options.paints];
  const action = actions.some((one) => one.value === options.action) ? options.action : "add";
  const paint = (paints: BrushPaints) => set({ paints, tool: "brush", action: ACTIONS[paints].some((one) => one.value === options.action) ? options.action : "add" });
  return (
    <Section title="Brush" right={<kbd>B</kbd>} open={options.tool === "brush"} key={options.tool === "brush" ? "open" : "shut"}>
      <Row name="Paints">
        <Segments
          label="Paints"
          value={options.paints}
          options={[
            { value: "weight", label: "Weight" },
            { value: "softness", label: "Softness" },
            { value: "rigidity", label: "Rigidity" },
          ]}
          onChange={paint}
        />
      </Row>
      <div class="setting bind-stack">
        <span class="name">Action</span>
        <Segments label="Action" value={action} options={actions} onChange={(value) => set({ action: value, tool: "brush" })} />
      </div>
      <Row name="Radius" title="F, then move the pointer; [ and ]">
        <div class="slider-row">
          <Slider label="Radius" value={options.radius} min={4} max={300} initial={48} unit="px" onChange={(radius) => set({ radius })} />
          <NumberField label="Radius, number" value={Math.round(options.radius)} min={4} max={300} unit="px" onChange={(radius) => set({ radius })} />
        </div>
      </Row>
      <Row name="Strength" title="Shift F, then move the pointer">
        <div class="slider-row">
          <Slider label="Strength" value={options.strength} min={0.01} max={1} initial={0.35} onChange={(strength) => set({ strength })} />
          <NumberField label="Strength, number" value={options.strength} min={0.01} max={1} onChange={(strength) => set({ strength })} />
        </div>
      </Row>
      <Row name="Fall-off">
        <div class="slider-row">
          <FallOff hardness={options.hardness} />
          <Slider label="Hardness" value={options.hardness} min={0} max={1} initial={0.2} onChange={(hardness) => set({ hardness })} />
        </div>
      </Row>
      {options.paints === "softness" ? (
        <Row name="As soft" title="How many times as soft as the flesh around">
          <div class="slider-row">
            <Slider label="How many times as soft" value={options.softness} min={0.25} max={4} initial={2} unit="×" onChange={(softness) => set({ softness })} />
            <NumberField label="How many times as soft, number" value={options.softness} min={0.05} max={20} unit="×" onChange={(softness) => set({ softness })} />
          </div>
        </Row>
      ) : null}
    </Section>
  );
}

export function Panel(): JSX.Element {
  const rigged = state.model.value.joints.length > 0;
  return (
    <aside class="panel right" aria-label="Bind">
      {rigged ? (
        <>
          <Skeleton />
          <Joint />
          <Weights />
          <Brush />
        </>
      ) : (
        <p class="bind-empty bind-nothing">{state.model.value.kind === "none" ? "Open a model first." : "There is no skeleton yet. Fit one, and its joints and weights are here."}</p>
      )}
    </aside>
  );
}
