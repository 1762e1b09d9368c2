// What stands on the timeline, lane by lane, all to one scale.
import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import type { ComponentChildren, JSX } from "preact";
import type { Curve, Strip } from "../../protocol/move";
import { send, state } from "../../store";
import { giveFocusBack, IconButton, NumberField, type Gesture } from "../controls";
import { Icon, type IconName } from "../icons";

export type Scale = { span: number }; // seconds that the lanes show
const percent = (time: number, { span }: Scale) => `${(100 * time) / span}%`;
const seconds = (time: number) => `${time.toFixed(2)} s`;

export function Lane(props: { icon?: IconName; label: string; sub?: ComponentChildren; height: number; children: ComponentChildren }): JSX.Element {
  return (
    <div class="lane" style={{ minHeight: `${props.height}px` }}>
      <div class="lane-label">
        {props.icon ? <Icon name={props.icon} /> : null}
        <span>
          {props.label}
          {props.sub}
        </span>
      </div>
      <div class="lane-track">{props.children}</div>
    </div>
  );
}

// While a drag goes on the lanes keep their scale, though what is dragged may make the timeline longer.
export const frozen = signal<number | null>(null);

// A drag along the track: seconds that it has gone, and how it stands.
function useDrag(scale: Scale, move: (by: number, gesture: Gesture) => void, click?: () => void) {
  const held = useRef<{ x: number; width: number; begun: boolean } | null>(null);
  const by = (event: PointerEvent) => ((event.clientX - held.current!.x) / held.current!.width) * scale.span;
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      const target = event.currentTarget as HTMLElement;
      target.setPointerCapture(event.pointerId);
      held.current = { x: event.clientX, width: target.closest(".lane-track")!.getBoundingClientRect().width, begun: false };
      click?.();
    },
    onPointerMove: (event: PointerEvent) => {
      if (!held.current || (!held.current.begun && Math.abs(event.clientX - held.current.x) < 3)) return;
      frozen.value ??= scale.span;
      move(by(event), held.current.begun ? "more" : "begin");
      held.current.begun = true;
    },
    onPointerUp: (event: PointerEvent) => {
      if (!held.current) return;
      if (held.current.begun) move(by(event), "end");
      held.current = null;
      frozen.value = null;
    },
    onPointerCancel: (event: PointerEvent) => {
      if (held.current?.begun) move(by(event), "end");
      held.current = null;
      frozen.value = null;
    },
  };
}

// ---------------------------------------------------------------------------------------------------- strips

type Change = Partial<Strip>;
const clipOf = (strip: Strip) => state.model.value.clips[strip.clip];

// The end of a strip, pulled: first more of the clip, beyond its end more rounds.
function pullEnd(strip: Strip, by: number): Change {
  const whole = clipOf(strip)?.duration ?? strip.to;
  const length = Math.max(0.1, strip.length + by);
  const once = (strip.to - strip.from) / strip.speed;
  if (strip.rounds > 1 || length > (whole - strip.from) / strip.speed + 1e-3) {
    const to = strip.rounds > 1 ? strip.to : whole;
    return { to, rounds: Math.max(0.05, length / (strip.rounds > 1 ? once : (whole - strip.from) / strip.speed)) };
  }
  return { to: strip.from + length * strip.speed };
}
function pullStart(strip: Strip, by: number): Change {
  const least = -Math.min(strip.start, strip.from / strip.speed);
  const way = Math.min(Math.max(by, least), strip.length - 0.1);
  return { start: strip.start + way, from: strip.from + way * strip.speed };
}

function StripBar({ strip, index, scale }: { strip: Strip; index: number; scale: Scale }): JSX.Element {
  const selected = state.move.value.strip === index;
  const first = useRef(strip);
  const change = (make: (strip: Strip, by: number) => Change) => (by: number, gesture: Gesture) => {
    if (gesture === "begin") first.current = strip;
    send({ type: "move:strip", index, strip: make(first.current, by), gesture });
  };
  const choose = () => send({ type: "move:choose", index });
  const move = useDrag(scale, change((one, by) => ({ start: Math.max(0, one.start + by) })), choose);
  const left = useDrag(scale, change(pullStart), choose);
  const right = useDrag(scale, change(pullEnd), choose);
  const key = (event: KeyboardEvent) => {
    const step = (event.shiftKey ? 10 : 1) / 30;
    const run: Record<string, () => void> = {
      ArrowLeft: () => send({ type: "move:strip", index, strip: { start: Math.max(0, strip.start - step) }, gesture: "one" }),
      ArrowRight: () => send({ type: "move:strip", index, strip: { start: strip.start + step }, gesture: "one" }),
      Delete: () => send({ type: "move:remove", index }),
      Enter: choose,
    };
    if (!(event.key in run)) return;
    event.preventDefault();
    event.stopPropagation();
    run[event.key]();
  };
  const name = clipOf(strip)?.name ?? "clip";
  return (
    <div
      class={`strip ${selected ? "selected" : ""}`}
      style={{ left: percent(strip.start, scale), width: percent(strip.length, scale) }}
      role="button"
      tabIndex={0}
      aria-pressed={selected}
      aria-label={`Strip ${name}, from ${seconds(strip.start)}, ${seconds(strip.length)} long`}
      title={`${name}: drag to move it, its ends to trim it; pulled beyond its end it loops. C cuts it at the playhead, Delete removes it.`}
      onKeyDown={key}
      {...move}
    >
      <i class="grip left-grip" {...left} />
      <span class="strip-name">{name}</span>
      <span class="strip-sub">
        {strip.rounds !== 1 ? `× ${Number(strip.rounds.toFixed(2))}` : ""}
        {strip.speed !== 1 ? ` ${Number(strip.speed.toFixed(2))}×` : ""}
      </span>
      {Array.from({ length: Math.max(0, Math.ceil(strip.rounds - 1e-6) - 1) }, (_, i) => (
        <u style={{ left: `${(100 * (i + 1)) / strip.rounds}%` }} />
      )).slice(0, 64)}
      <i class="grip right-grip" {...right} />
    </div>
  );
}

// Where two strips overlap, the later one comes in.
export function blends(strips: Strip[]): { from: number; to: number }[] {
  const order = [...strips].sort((a, b) => a.start - b.start);
  return order.slice(1).flatMap((next, i) => {
    const to = Math.min(order[i].start + order[i].length, next.start + next.length);
    return to > next.start + 1e-3 ? [{ from: next.start, to }] : [];
  });
}

export function Strips({ scale }: { scale: Scale }): JSX.Element {
  const { timeline } = state.move.value;
  const play = state.play.value;
  const clip = state.model.value.clips[play.clip];
  if (!timeline || timeline.clip !== play.clip)
    return (
      <div class="strip plain" style={{ left: 0, width: percent(play.duration, scale) }}>
        <span class="strip-name">{clip?.name ?? "Rest pose"}</span>
        <span class="strip-sub">{clip?.from && clip.from !== clip.name ? `from ${clip.from}` : ""}</span>
      </div>
    );
  return (
    <>
      {timeline.strips.map((strip, index) => (
        <StripBar key={index} strip={strip} index={index} scale={scale} />
      ))}
      {blends(timeline.strips).map(({ from, to }) => (
        <div class="blend" style={{ left: percent(from, scale), width: percent(to - from, scale) }} title={`They blend for ${seconds(to - from)}.`}>
          <svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true">
            <path d="M0 10 10 0M0 0 10 10" />
          </svg>
        </div>
      ))}
      {timeline.strips.length === 0 ? <span class="lane-empty">Add a clip. Poses of joints hold without one, too.</span> : null}
    </>
  );
}

// ------------------------------------------------------------------------------------------------------ keys

function KeyMark({ joint, time, scale, label, faded }: { joint: number; time: number; scale: Scale; label: string; faded: boolean }): JSX.Element {
  const at = useRef(time);
  const drag = useDrag(
    scale,
    (by, gesture) => {
      if (gesture === "begin") at.current = time;
      const to = Math.max(0, (gesture === "begin" ? time : first.current) + by);
      if (gesture === "begin") first.current = time;
      send({ type: "move:shift", joint, time: at.current, to, gesture });
      at.current = Math.round(to * 30) / 30;
    },
    () => send({ type: "seek", time, done: true }),
  );
  const first = useRef(time);
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) send({ type: "move:shift", joint, time, to: Math.max(0, time + step / 30), gesture: "one" });
    else if (event.key === "Delete") send({ type: "move:unkey", joint, time });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      type="button"
      class={`key-mark ${faded ? "faded" : ""}`}
      style={{ left: percent(time, scale) }}
      aria-label={`Key of ${label} at ${seconds(time)}`}
      title={`${label}, ${seconds(time)}. Drag it; Delete removes it.`}
      onKeyDown={key}
      {...drag}
    />
  );
}

export function Keys({ scale }: { scale: Scale }): JSX.Element {
  const { timeline } = state.move.value;
  const selection = state.selection.value;
  const joint = selection.kind === "joint" ? selection.index : -1;
  const { joints } = state.model.value;
  const keys = timeline?.keys ?? [];
  const own = keys.filter((key) => key.joint === joint);
  const moments = [...new Map(keys.map((key) => [Math.round(key.time * 1000), key.time])).values()];
  const shown = own.length > 0 ? own.map((key) => key.time) : moments;
  const label = own.length > 0 ? joints[joint]?.name : "all joints";
  if (keys.length === 0) return <span class="lane-empty">Turn a joint (R), or drag a hand or a foot (G): its pose gets a key here.</span>;
  return (
    <>
      {shown.map((time, i) => (
        <KeyMark key={i} joint={own.length > 0 ? joint : -1} time={time} scale={scale} label={label ?? ""} faded={own.length === 0} />
      ))}
    </>
  );
}

// -------------------------------------------------------------------------------------------------- contacts

export function contactJoints(): number[] {
  return [...new Set(state.move.value.contacts.map((span) => span.joint))];
}
export function Contacts({ joint, scale }: { joint: number; scale: Scale }): JSX.Element {
  const name = state.model.value.joints[joint]?.name ?? "";
  return (
    <>
      {state.move.value.contacts
        .filter((span) => span.joint === joint)
        .map((span) => (
          <div
            class="contact"
            style={{ left: percent(span.from, scale), width: percent(Math.max(0.02, span.to - span.from), scale) }}
            title={`${name} stands from ${seconds(span.from)} to ${seconds(span.to)}.`}
          />
        ))}
    </>
  );
}

// ---------------------------------------------------------------------------------------------------- curves

export function CurveLane({ curve, scale }: { curve: Curve; scale: Scale }): JSX.Element {
  const [chosen, choose] = useState(-1);
  const [draft, setDraft] = useState<Curve["points"] | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const grabbed = useRef(-1);
  const points = draft ?? curve.points;
  const y = (value: number) => 8 + 84 * (1 - (value - curve.min) / (curve.max - curve.min)); // percent
  const write = (next: Curve["points"], gesture: Gesture, loop = curve.loop ?? false) => send({ type: "move:curve", key: curve.key, points: next, loop, gesture });
  const place = (event: MouseEvent) => {
    const { left, top, width, height } = box.current!.getBoundingClientRect();
    const time = Math.max(0, ((event.clientX - left) / width) * scale.span);
    const share = ((event.clientY - top) / height) * 100;
    const value = Math.min(curve.max, Math.max(curve.min, curve.min + (1 - (share - 8) / 84) * (curve.max - curve.min)));
    return { time, value };
  };
  const between = (i: number, time: number) => {
    const least = i > 0 ? points[i - 1].time + 0.02 : 0;
    const most = i + 1 < points.length ? points[i + 1].time - 0.02 : Infinity;
    return Math.min(most, Math.max(least, time));
  };
  const add = (event: MouseEvent) => {
    const point = place(event);
    const next = [...curve.points, point].sort((a, b) => a.time - b.time);
    choose(next.indexOf(point));
    write(next, "one");
  };
  // Where it repeats, its ends are at one height.
  const changed = (i: number, { time, value }: Partial<Curve["points"][number]>) => {
    const end = points.length - 1;
    const ends = curve.loop && (i === 0 || i === end);
    return points.map((point, k) => ({ time: k === i ? (time ?? point.time) : point.time, value: k === i || (ends && (k === 0 || k === end)) ? (value ?? point.value) : point.value }));
  };
  const repeat = () => write([...points.slice(0, -1), { ...points.at(-1)!, value: curve.loop ? points.at(-1)!.value : points[0].value }], "one", !curve.loop);
  const drag = (i: number) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      grabbed.current = i;
      choose(i);
      setDraft(curve.points);
      write(curve.points, "begin");
    },
    onPointerMove: (event: PointerEvent) => {
      if (grabbed.current !== i || !draft) return;
      const at = place(event);
      const next = changed(i, { time: between(i, at.time), value: at.value });
      setDraft(next);
      write(next, "more");
    },
    onPointerUp: () => {
      if (grabbed.current !== i) return;
      grabbed.current = -1;
      write(draft ?? curve.points, "end");
      setDraft(null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = (curve.max - curve.min) / (event.shiftKey ? 200 : 20);
      const run: Record<string, () => void> = {
        ArrowUp: () => write(changed(i, { value: Math.min(curve.max, points[i].value + step) }), "one"),
        ArrowDown: () => write(changed(i, { value: Math.max(curve.min, points[i].value - step) }), "one"),
        ArrowLeft: () => write(changed(i, { time: between(i, points[i].time - 1 / 30) }), "one"),
        ArrowRight: () => write(changed(i, { time: between(i, points[i].time + 1 / 30) }), "one"),
        Delete: () => {
          choose(-1);
          write(points.filter((_, k) => k !== i), "one", false);
          giveFocusBack();
        },
      };
      if (!(event.key in run)) return;
      event.preventDefault();
      event.stopPropagation();
      run[event.key]();
    },
  });
  const inner = draft || curve.line.length === 0 ? points : curve.line;
  const line = points.length > 0 ? [{ time: 0, value: points[0].value }, ...inner, ...(curve.loop ? [] : [{ time: scale.span, value: points.at(-1)!.value }])] : [];
  const selected = points[chosen];
  return (
    <Lane
      icon="pulse"
      label={curve.title}
      height={selected ? 52 : curve.points.length > 0 ? 36 : 24}
      sub={
        selected ? (
          <span class="curve-numbers">
            <NumberField label={`${curve.label}: time of the point`} value={selected.time} unit="s" min={0} max={3600} onChange={(time) => write(changed(chosen, { time: between(chosen, time) }), "one")} />
            <NumberField label={`${curve.label}: value of the point`} value={selected.value} min={curve.min} max={curve.max} onChange={(value) => write(changed(chosen, { value }), "one")} />
            {curve.loop !== null && points.length > 1 ? <IconButton icon="loop" label={`Repeat the curve of ${curve.label}`} on={curve.loop} onClick={repeat} /> : null}
          </span>
        ) : null
      }
    >
      <div class="curve" ref={box} onDblClick={add} onPointerDown={(event) => event.stopPropagation()} title={`${curve.help}. Double-click adds a point.`}>
        {points.length > 0 ? (
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            <path class="rest" d={`M0 ${y(curve.rest)}H100`} />
            <path class="line" d={`M${line.map(({ time, value }) => `${(100 * time) / scale.span} ${y(value)}`).join("L")}`} />
          </svg>
        ) : (
          <button
            type="button"
            class="lane-empty link"
            onClick={() => {
              write([{ time: 0, value: curve.rest }, { time: Math.max(0.1, state.play.value.duration), value: curve.rest }], "one");
              choose(0);
            }}
          >
            Always as set. Add a curve
          </button>
        )}
        {points.map((point, i) => (
          <button
            type="button"
            class={`curve-point ${i === chosen ? "chosen" : ""}`}
            style={{ left: percent(point.time, scale), top: `${y(point.value)}%` }}
            aria-label={`${curve.label}, point ${i + 1}: ${seconds(point.time)}, ${point.value.toFixed(2)}`}
            title="Drag it; arrows nudge it; Delete removes it."
            onFocus={() => choose(i)}
            {...drag(i)}
          />
        ))}
      </div>
    </Lane>
  );
}

// ---------------------------------------------------------------------------------------------------- volume

export function VolumePlot({ scale }: { scale: Scale }): JSX.Element {
  const { volume, stale } = state.move.value;
  if (!volume)
    return (
      <button type="button" class="lane-empty link" onPointerDown={(event) => event.stopPropagation()} onClick={() => send({ type: "move:measure" })}>
        Measure how volume changes over this clip
      </button>
    );
  const most = Math.max(volume.fail * 1.1, ...volume.methods.flatMap((method) => method.series.filter(Number.isFinite)));
  const y = (value: number) => 96 - (92 * Math.min(value, most)) / most;
  const path = (series: number[]) => `M${series.map((value, i) => `${(100 * volume.times[i]) / scale.span} ${y(Number.isFinite(value) ? value : 0)}`).join("L")}`;
  return (
    <div class={`volume-plot ${stale ? "stale" : ""}`} role="img" aria-label={`Worst joint: linear up to ${percentOf(Math.max(...volume.methods[0].series))}, as set up to ${percentOf(Math.max(...volume.methods[1].series))}`}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="limit" d={`M0 ${y(volume.warn)}H100`} />
        <path class="linear" d={path(volume.methods[0].series)} />
        <path class="own" d={path(volume.methods[1].series)} />
      </svg>
      <span class="limit-name" style={{ top: `${y(volume.warn)}%` }}>
        {percentOf(volume.warn)} warns
      </span>
      {stale ? (
        <button type="button" class="button again" onPointerDown={(event) => event.stopPropagation()} onClick={() => send({ type: "move:measure" })}>
          Changed since. Measure again
        </button>
      ) : null}
    </div>
  );
}
export const percentOf = (value: number) => `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} %`;
