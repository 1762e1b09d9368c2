// The panel of forces: what pulls and blows, and what flesh does not enter, as numbers beside the handles.
import type { JSX } from "preact";
import type { Collider } from "../../protocol/move";
import { send, state } from "../../store";
import { IconButton, NumberField, Section, Select } from "../controls";
import { Field } from "./field";

type Vec = { x: number; y: number; z: number };

function Triple({ label, unit, value, most, onChange }: { label: string; unit: string; value: Vec; most: number; onChange: (value: Vec) => void }): JSX.Element {
  return (
    <div class="vector">
      {(["x", "y", "z"] as const).map((axis) => (
        <label>
          <span class={`axis-${axis}`}>{axis.toUpperCase()}</span>
          <NumberField label={`${label} ${axis.toUpperCase()}, ${unit}`} value={value[axis]} min={-most} max={most} onChange={(number) => onChange({ ...value, [axis]: number })} />
        </label>
      ))}
    </div>
  );
}

function Force({ name, unit, value, most }: { name: "gravity" | "wind"; unit: string; value: Vec; most: number }): JSX.Element {
  const label = name === "gravity" ? "Gravity" : "Wind";
  return (
    <div class="setting" title={`${label}, ${unit}`}>
      <span class="name">
        <i class={`swatch ${name}`} aria-hidden="true" /> {label}
      </span>
      <Triple label={`${label} by its arrow`} unit={unit} value={value} most={most} onChange={({ x, y, z }) => send({ type: "set", key: `forces.${name}`, value: [x, y, z], gesture: "one" })} />
    </div>
  );
}

function ColliderFields({ index, one }: { index: number; one: Collider }): JSX.Element {
  const { joints } = state.model.value;
  const options = [{ value: "", label: "Nothing: it stands" }, ...joints.map(({ name }) => ({ value: name, label: name }))];
  const set = (change: Partial<Collider>) => send({ type: "move:collider", index, change });
  return (
    <>
      <Field label="Moves with">
        <Select label="What the collider moves with" value={one.joint} options={options} onChange={(joint) => set({ joint })} />
      </Field>
      <Field label="From, m" title={one.joint ? "In the joint's own space" : "In the world"}>
        <Triple label="Collider from" unit="metres" value={one.from} most={1000} onChange={(from) => set({ from })} />
      </Field>
      <Field label="To, m" title={one.joint ? "In the joint's own space" : "In the world"}>
        <Triple label="Collider to" unit="metres" value={one.to} most={1000} onChange={(to) => set({ to })} />
      </Field>
      <Field label="Radius">
        <NumberField label="Radius of the collider" value={one.radius} unit="m" min={0.001} max={100} onChange={(radius) => set({ radius })} />
      </Field>
    </>
  );
}

export function ForcesPanel(): JSX.Element | null {
  const { forces, tool } = state.move.value;
  if (tool !== "forces" || !forces) return null;
  const { selection } = state;
  const joint = selection.value.kind === "joint" ? state.model.value.joints[selection.value.index]?.name : undefined;
  return (
    <Section title="Forces" right={<IconButton icon="plus" label={joint ? `Add a collider on ${joint}` : "Add a collider"} onClick={() => send({ type: "move:collide" })} />}>
      <Force name="gravity" unit="m/s²" value={forces.gravity} most={1000} />
      <Force name="wind" unit="m/s" value={forces.wind} most={1000} />
      {forces.colliders.length === 0 ? <p class="hint-text">A collider is a capsule that flesh does not enter: a table, a wall, a belt on a joint. Choose a joint first to make it move along.</p> : null}
      {forces.colliders.map((one, index) => (
        <div class={`collider ${index === forces.chosen ? "on" : ""}`} key={index}>
          <div class="collider-head">
            <button type="button" aria-expanded={index === forces.chosen} onClick={() => send({ type: "move:pick", index: index === forces.chosen ? -1 : index })}>
              Collider {index + 1}
              <span>{one.joint || "in the world"}</span>
            </button>
            <IconButton icon="trash" label={`Remove collider ${index + 1}`} onClick={() => send({ type: "move:uncollide", index })} />
          </div>
          {index === forces.chosen ? <ColliderFields index={index} one={one} /> : null}
        </div>
      ))}
    </Section>
  );
}
