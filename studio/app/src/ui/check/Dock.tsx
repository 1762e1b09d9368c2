// The chosen measure over all frames, and pictures of the move in which it is worst.
import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { CheckFrame } from "../../protocol/check";
import { send, state } from "../../store";
import { COLORS, DASHES, percent, sentence, methodName } from "./words";

const WIDTH = 1000;
const HEIGHT = 96;

function steps(span: number): number {
  const least = span / 8;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-3)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? 10 * power;
}

function Plot(): JSX.Element | null {
  const { result, measure, times, lines, marks, moment } = state.check.value;
  const area = useRef<HTMLDivElement>(null);
  const row = result?.measures[measure];
  if (!row || times.length === 0) return null;
  if (!row.posed) return <p class="check-none">{sentence(row.title)} is of the weights alone: it is the same in every frame.</p>;
  const from = times[0];
  const span = Math.max(1e-6, times[times.length - 1] - from);
  const top = Math.max(1.2 * row.fail, ...lines.flatMap((line) => line.map((value) => 1.05 * value)));
  const x = (time: number) => (WIDTH * (time - from)) / span;
  const y = (value: number) => HEIGHT * (1 - Math.min(1, value / top));
  const at = (event: PointerEvent) => {
    const box = area.current!.getBoundingClientRect();
    return from + span * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const move = marks.find((one) => moment >= one.from - 1e-4 && moment <= one.to + 1e-4)?.name ?? "";
  const step = steps(span);
  const ticks = Array.from({ length: Math.floor(span / step + 1e-6) + 1 }, (_, i) => from + i * step);
  return (
    <div class="check-plot">
      <span class="check-limit-label" style={{ top: `${(100 * y(row.fail)) / HEIGHT}%` }}>
        {percent(row.fail)}
      </span>
      <span class="check-limit-label" style={{ top: `${(100 * y(row.warn)) / HEIGHT}%` }}>
        {percent(row.warn)}
      </span>
      <div
        class="check-area"
        ref={area}
        role="slider"
        tabIndex={0}
        aria-label={`${sentence(row.title)} over time`}
        aria-valuemin={from}
        aria-valuemax={from + span}
        aria-valuenow={Math.max(from, moment)}
        aria-valuetext={`${Math.max(from, moment).toFixed(2)} seconds${move ? `, ${move}` : ""}`}
        onPointerDown={(event) => {
          area.current!.setPointerCapture(event.pointerId);
          send({ type: "check:moment", time: at(event) });
        }}
        onPointerMove={(event) => area.current!.hasPointerCapture(event.pointerId) && send({ type: "check:moment", time: at(event) })}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          const now = times.findIndex((time) => time >= moment - 1e-4);
          send({ type: "check:moment", time: times[Math.min(times.length - 1, Math.max(0, now + by))] });
        }}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {marks.map((one, i) => (i % 2 ? <rect class="check-band" x={x(one.from)} width={x(one.to) - x(one.from)} y={0} height={HEIGHT} /> : null))}
          <line class="check-line warn" x1={0} x2={WIDTH} y1={y(row.warn)} y2={y(row.warn)} />
          <line class="check-line fail" x1={0} x2={WIDTH} y1={y(row.fail)} y2={y(row.fail)} />
          {lines.map((line, method) => (
            <polyline style={{ stroke: COLORS[method] }} stroke-dasharray={DASHES[method]} points={line.map((value, f) => `${x(times[f]).toFixed(1)},${y(value).toFixed(1)}`).join(" ")} />
          ))}
        </svg>
        {moment >= 0 ? (
          <div class="check-head-line" style={{ left: `${(100 * x(moment)) / WIDTH}%` }}>
            <b>{move || `${moment.toFixed(2)} s`}</b>
          </div>
        ) : null}
        <div class="check-ticks">
          {ticks.map((tick) => (
            <span style={{ left: `${(100 * x(tick)) / WIDTH}%` }}>{Number(tick.toFixed(2))} s</span>
          ))}
        </div>
      </div>
    </div>
  );
}

function Picture({ frame, now }: { frame: CheckFrame; now: boolean }): JSX.Element {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!frame.picture || !image.current) return;
    const url = URL.createObjectURL(new Blob([frame.picture], { type: "image/png" }));
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [frame.picture]);
  return (
    <button type="button" class={`check-frame ${frame.verdict}`} aria-pressed={now} aria-label={`${frame.time.toFixed(2)} s, ${percent(frame.value)}`} onClick={() => send({ type: "check:moment", time: frame.time })}>
      <img ref={image} alt="" />
      <span>{percent(frame.value)}</span>
    </button>
  );
}

export function Dock(): JSX.Element | null {
  const { result, measure, film, moment, lines } = state.check.value;
  const row = result?.measures[measure];
  if (!result || !row) return null;
  return (
    <section class="dock check-dock" aria-label="Over time">
      <div class="check-dock-head">
        <b>{sentence(row.title)}</b>
        <span class="check-help">{sentence(row.help)}.</span>
        <span class="spring" />
        {lines.length > 1
          ? result.methods.map((method, i) => (
              <span class="check-key">
                <svg width="20" height="4" aria-hidden="true">
                  <line x1="0" x2="20" y1="2" y2="2" style={{ stroke: COLORS[i] }} stroke-dasharray={DASHES[i]} />
                </svg>
                {methodName(method.name)}
              </span>
            ))
          : null}
      </div>
      <Plot />
      {film.length > 0 ? (
        <div class="check-film" role="group" aria-label="The move in which it is worst">
          {film.map((frame) => (
            <Picture key={frame.time} frame={frame} now={Math.abs(frame.time - moment) < 1e-4} />
          ))}
        </div>
      ) : null}
    </section>
  );
}
