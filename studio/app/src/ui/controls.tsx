// The few controls that panels are made of. Every one is labelled and works by keyboard.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./icons";

export type Gesture = "one" | "begin" | "more" | "end";

// A control that was used by the pointer gives the focus back to the viewport, so that its keys work.
export function giveFocusBack(): void {
  document.getElementById("viewport")?.focus({ preventScroll: true });
}

export function IconButton(props: {
  icon: IconName;
  label: string;
  keys?: string;
  on?: boolean;
  disabled?: boolean;
  class?: string;
  onClick: () => void;
}): JSX.Element {
  const title = props.keys ? `${props.label} (${props.keys})` : props.label;
  return (
    <button
      type="button"
      class={`icon-button ${props.on ? "on" : ""} ${props.class ?? ""}`}
      aria-label={props.label}
      aria-pressed={props.on}
      title={title}
      disabled={props.disabled}
      onClick={(event) => {
        props.onClick();
        if (event.detail > 0) giveFocusBack();
      }}
    >
      <Icon name={props.icon} />
    </button>
  );
}

export function Switch(props: { label: string; on: boolean; title?: string; onChange: (on: boolean) => void }): JSX.Element {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={props.on}
      aria-label={props.label}
      title={props.title}
      onClick={(event) => {
        props.onChange(!props.on);
        if (event.detail > 0) giveFocusBack();
      }}
    />
  );
}

export function Segments<T extends string>(props: {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}): JSX.Element {
  const group = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const count = props.options.length;
    const at = props.options.findIndex((option) => option.value === props.value);
    const next = (at + by + count) % count;
    props.onChange(props.options[next].value);
    (group.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="segments" role="radiogroup" aria-label={props.label} ref={group} onKeyDown={step}>
      {props.options.map((option) => (
        <button
          type="button"
          role="radio"
          aria-checked={option.value === props.value}
          tabIndex={option.value === props.value ? 0 : -1}
          onClick={(event) => {
            props.onChange(option.value);
            if (event.detail > 0) giveFocusBack();
          }}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

export function Select<T extends string>(props: {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}): JSX.Element {
  const pointed = useRef(false); // it was opened by the pointer
  return (
    <span class="select">
      <select
        aria-label={props.label}
        value={props.value}
        onPointerDown={() => (pointed.current = true)}
        onKeyDown={() => (pointed.current = false)}
        onChange={(event) => {
          props.onChange(event.currentTarget.value as T);
          if (pointed.current) giveFocusBack();
        }}
      >
        {props.options.map((option) => (
          <option value={option.value}>{option.label}</option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}

// "2*3", "1/60 s": sums and units are taken; NaN where it is none.
export function evaluate(text: string): number {
  const tokens = text.replace(/,/g, ".").match(/\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|[-+*/()]/gi) ?? [];
  let at = 0;
  const atom = (): number => {
    const token = tokens[at++];
    if (token === "-") return -atom();
    if (token === "+") return atom();
    if (token === "(") {
      const value = sum();
      if (tokens[at++] !== ")") return NaN;
      return value;
    }
    return token === undefined ? NaN : Number(token);
  };
  const product = (): number => {
    let value = atom();
    while (tokens[at] === "*" || tokens[at] === "/") value = tokens[at++] === "*" ? value * atom() : value / atom();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at === tokens.length ? value : NaN;
}

const digits = (value: number, whole: boolean): string => {
  if (whole) return String(Math.round(value));
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 4);
};

export function NumberField(props: {
  label: string;
  value: number;
  unit?: string;
  min: number;
  max: number;
  whole?: boolean;
  title?: string;
  onChange: (value: number) => void;
  onOutside?: (limit: number) => void;
}): JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const take = (text: string) => {
    setDraft(null);
    const value = evaluate(text);
    if (!Number.isFinite(value)) return;
    const wanted = props.whole ? Math.round(value) : value;
    const kept = Math.min(props.max, Math.max(props.min, wanted));
    if (kept !== wanted) props.onOutside?.(kept);
    if (kept !== props.value) props.onChange(kept);
  };
  const key = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      take(event.currentTarget.value);
      event.currentTarget.select();
    } else if (event.key === "Escape") {
      setDraft(null);
      giveFocusBack();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      const step = (props.whole ? 1 : (props.max - props.min > 50 ? 1 : 0.01)) * (event.shiftKey && !props.whole ? 0.1 : 1);
      take(String(props.value + (event.key === "ArrowUp" ? step : -step)));
    }
  };
  return (
    <span class="number" title={props.title}>
      <input
        type="text"
        inputMode="decimal"
        aria-label={props.label}
        value={draft ?? digits(props.value, props.whole ?? false)}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={(event) => draft !== null && take(event.currentTarget.value)}
        onKeyDown={key}
      />
      {props.unit ? <span>{props.unit}</span> : null}
    </span>
  );
}

// Drag; Shift is ten times finer; double-click resets; arrows step; a tick stands at the default.
export function Slider(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  initial: number;
  whole?: boolean;
  unit?: string;
  onChange: (value: number, gesture: Gesture) => void;
}): JSX.Element {
  const track = useRef<HTMLDivElement>(null);
  const held = useRef<{ x: number; value: number } | null>(null);
  const stepped = useRef({ time: -Infinity, value: 0 });
  const latest = useRef(props);
  latest.current = props;
  // A panel that is closed in the middle of a drag ends it.
  useEffect(() => () => {
    if (held.current) latest.current.onChange(latest.current.value, "end");
  }, []);
  const share = (value: number) => Math.min(1, Math.max(0, (value - props.min) / (props.max - props.min))) * 100;
  const settle = (value: number) => {
    const kept = Math.min(props.max, Math.max(props.min, value));
    return props.whole ? Math.round(kept) : kept;
  };
  const moved = (event: PointerEvent): number => {
    const width = track.current!.getBoundingClientRect().width;
    const fine = event.shiftKey ? 0.1 : 1;
    return held.current!.value + ((event.clientX - held.current!.x) / width) * (props.max - props.min) * fine;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const box = track.current!.getBoundingClientRect();
    track.current!.setPointerCapture(event.pointerId);
    const value = settle(props.min + ((event.clientX - box.left) / box.width) * (props.max - props.min));
    held.current = { x: event.clientX, value };
    props.onChange(value, "begin");
  };
  const move = (event: PointerEvent) => {
    if (held.current) props.onChange(settle(moved(event)), "more");
  };
  const up = (event: PointerEvent) => {
    if (!held.current) return;
    const value = settle(moved(event));
    held.current = null;
    props.onChange(value, "end");
    giveFocusBack();
  };
  const key = (event: KeyboardEvent) => {
    const span = props.max - props.min;
    const step = (props.whole ? 1 : span / 100) * (event.shiftKey && !props.whole ? 0.1 : 1);
    const by: Record<string, number> = {
      ArrowRight: step,
      ArrowUp: step,
      ArrowLeft: -step,
      ArrowDown: -step,
      PageUp: span / 10,
      PageDown: -span / 10,
      Home: -Infinity,
      End: Infinity,
    };
    if (!(event.key in by)) return;
    event.preventDefault();
    event.stopPropagation();
    // A key that is held steps on from its own last step, not from what has come back so far.
    const from = event.timeStamp - stepped.current.time < 500 ? stepped.current.value : props.value;
    stepped.current = { time: event.timeStamp, value: settle(from + by[event.key]) };
    props.onChange(stepped.current.value, "one");
  };
  return (
    <div
      class="slider"
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={props.min}
      aria-valuemax={props.max}
      aria-valuenow={props.value}
      aria-valuetext={`${digits(props.value, props.whole ?? false)} ${props.unit ?? ""}`.trim()}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onDblClick={() => props.onChange(props.initial, "one")}
      onKeyDown={key}
    >
      <i style={{ width: `${share(props.value)}%` }} />
      <u style={{ left: `${share(props.initial)}%` }} />
      <b style={{ left: `${share(props.value)}%` }} />
    </div>
  );
}

export function Section(props: {
  title: string;
  right?: ComponentChildren;
  open?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const [open, setOpen] = useState(props.open ?? true);
  return (
    <section class="section">
      <div class="section-head">
        <h2>
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? "down" : "right"} />
            {props.title}
          </button>
        </h2>
        {props.right}
      </div>
      {open ? <div class="section-body">{props.children}</div> : null}
    </section>
  );
}
