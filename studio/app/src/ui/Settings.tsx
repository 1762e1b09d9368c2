// The panel of settings, made from the table of the library: every setting that there is, in its group.
import { computed } from "@preact/signals";
import type { JSX } from "preact";
import type { Setting, SettingValue } from "../protocol";
import { send, state, tell } from "../store";
import { NumberField, Section, Segments, Select, Slider, Switch, type Gesture } from "./controls";

const TITLES: Record<string, string> = {
  skin: "Skin",
  flesh: "Flesh",
  volume: "Volume",
  forces: "Forces",
  contact: "Contact",
  lattice: "Lattice skin",
  spline: "Spline skin",
  style: "Styles",
};
const ORDER = ["skin", "flesh", "volume", "forces", "contact", "lattice", "spline", "style"];

// Groups in the order people need them; one that is not known comes last, under its own name.
const groups = computed(() => {
  const found = new Map<string, Setting[]>();
  for (const setting of state.schema.value) {
    const group = setting.key.split(".")[0];
    found.set(group, [...(found.get(group) ?? []), setting]);
  }
  const rank = (group: string) => (ORDER.includes(group) ? ORDER.indexOf(group) : ORDER.length);
  return [...found].sort((a, b) => rank(a[0]) - rank(b[0]));
});

function set(key: string, value: SettingValue, gesture: Gesture = "one"): void {
  send({ type: "set", key, value, gesture });
}

// What a group is about only shows where it does something.
function isIdle(group: string): boolean {
  const values = state.settings.value;
  if (group === "lattice") return values.skin !== "lattice";
  if (group === "spline" || group === "style") return values.skin !== "spline";
  return false;
}

const outside = (setting: Setting) => (limit: number) =>
  tell(`${setting.label} is kept at its limit, ${limit}${setting.unit ? ` ${setting.unit}` : ""}.`);

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Vector({ setting, value }: { setting: Setting; value: [number, number, number] }): JSX.Element {
  return (
    <div class="vector">
      {["X", "Y", "Z"].map((axis, i) => (
        <label>
          <span class={`axis-${axis.toLowerCase()}`}>{axis}</span>
          <NumberField
            label={`${setting.label} ${axis}, ${setting.unit}`}
            value={value[i]}
            min={setting.min}
            max={setting.max}
            onOutside={outside(setting)}
            onChange={(number) => set(setting.key, value.map((old, k) => (k === i ? number : old)) as typeof value)}
          />
        </label>
      ))}
    </div>
  );
}

function Control({ setting, value }: { setting: Setting; value: SettingValue }): JSX.Element {
  if (setting.type === "bool")
    return <Switch label={setting.label} on={value as boolean} onChange={(on) => set(setting.key, on)} />;
  if (setting.type === "vec3") return <Vector setting={setting} value={value as [number, number, number]} />;
  if (setting.type === "choice") {
    const options = setting.names.map((name) => ({ value: name, label: name === "parts+exact" ? "Both" : sentence(name) }));
    const props = { label: setting.label, value: value as string, options, onChange: (name: string) => set(setting.key, name) };
    return options.length > 4 ? <Select {...props} /> : <Segments {...props} />;
  }
  const whole = setting.type === "count";
  return (
    <div class="slider-row">
      <Slider
        label={setting.label}
        value={value as number}
        min={setting.usualMin}
        max={setting.usualMax}
        initial={setting.initial as number}
        whole={whole}
        unit={setting.unit}
        onChange={(number, gesture) => set(setting.key, number, gesture)}
      />
      <NumberField
        label={`${setting.label}, number`}
        value={value as number}
        min={setting.min}
        max={setting.max}
        unit={setting.unit}
        whole={whole}
        onOutside={outside(setting)}
        onChange={(number) => set(setting.key, number)}
      />
    </div>
  );
}

const same = (a: SettingValue, b: SettingValue) => JSON.stringify(a) === JSON.stringify(b);

function Row({ setting }: { setting: Setting }): JSX.Element {
  const value = state.settings.value[setting.key] ?? setting.initial;
  const changed = !same(value, setting.initial);
  return (
    <div class={`setting ${setting.type}-setting`} data-key={setting.key} title={setting.help}>
      <span class={`name ${changed ? "changed" : ""}`}>{setting.label}</span>
      <Control setting={setting} value={value} />
    </div>
  );
}

export function Settings(): JSX.Element {
  const values = state.settings.value;
  return (
    <aside class="panel right" aria-label="Settings">
      {groups.value
        .filter(([group]) => !isIdle(group))
        .map(([group, settings]) => {
          const on = settings.find((setting) => setting.key === `${group}.on`);
          const rest = settings.filter((setting) => setting !== on);
          const common = group === "skin" || group === "flesh" || group === "volume";
          return (
            <Section
              key={group}
              title={TITLES[group] ?? sentence(group)}
              open={common}
              right={
                on ? (
                  <span data-key={on.key} title={on.help}>
                    <Switch label={on.label} on={Boolean(values[on.key])} onChange={(value) => set(on.key, value)} />
                  </span>
                ) : null
              }
            >
              {rest.map((setting) => (
                <Row key={setting.key} setting={setting} />
              ))}
            </Section>
          );
        })}
    </aside>
  );
}
