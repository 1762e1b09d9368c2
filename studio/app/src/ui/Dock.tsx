// Play, scrub, loop, speed; a ruler with the clip on it.
import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import { chooseFiles, MOTIONS, send, state, time } from "../store";
import { IconButton, NumberField } from "./controls";
import { Icon } from "./icons";

// Round steps that leave about 90 px between ticks.
export function step(duration: number, width: number): number {
  const least = duration / Math.max(1, width / 90);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-3)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? 10 * power;
}

function Ruler(): JSX.Element {
  const lane = useRef<HTMLDivElement>(null);
  const width = useRef(900);
  const play = state.play.value;
  const duration = Math.max(play.duration, 1e-6);
  useEffect(() => {
    width.current = lane.current?.clientWidth ?? 900;
  });
  const at = (event: PointerEvent) => {
    const box = lane.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * play.duration;
  };
  const tick = step(duration, width.current);
  const ticks = Array.from({ length: Math.min(200, Math.floor(duration / tick + 1e-6) + 1) }, (_, i) => i * tick);
  const clip = state.model.value.clips[play.clip];
  const now = Math.min(time.value, play.duration);
  return (
    <div
      class="ruler"
      ref={lane}
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={play.duration}
      aria-valuenow={Number(now.toFixed(2))}
      aria-valuetext={`${now.toFixed(2)} seconds`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        lane.current!.setPointerCapture(event.pointerId);
        send({ type: "seek", time: at(event), done: false });
      }}
      onPointerMove={(event) => {
        if (lane.current!.hasPointerCapture(event.pointerId)) send({ type: "seek", time: at(event), done: false });
      }}
      onPointerUp={(event) => event.button === 0 && send({ type: "seek", time: at(event), done: true })}
      onPointerCancel={() => send({ type: "seek", time: now, done: true })}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1 / 30, ArrowRight: 1 / 30 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        send({ type: "seek", time: Math.min(play.duration, Math.max(0, now + by)), done: true });
      }}
    >
      <div class="ticks">
        {ticks.map((t) => (
          <span style={{ left: `${(t / duration) * 100}%` }}>{t < 0.96 * duration ? `${Number(t.toFixed(3))} s` : ""}</span>
        ))}
      </div>
      <div class="clip-lane">
        <div class="clip-bar">
          <span>{clip?.name ?? "Rest pose"}</span>
          <span>{clip?.from && clip.from !== clip.name ? `from ${clip.from}` : ""}</span>
        </div>
      </div>
      <div class="playhead" style={{ left: `${(now / duration) * 100}%` }}>
        <b>{now.toFixed(2)}</b>
      </div>
    </div>
  );
}

export function Dock(): JSX.Element | null {
  const play = state.play.value;
  const { clips, kind } = state.model.value;
  if (kind === "none" || clips.length === 0) return null;
  return (
    <section class="dock" aria-label="Timeline">
      <div class="transport">
        <IconButton icon="first" label="To the beginning" keys="Home" onClick={() => send({ type: "seek", time: 0, done: true })} />
        <IconButton
          icon={play.playing ? "pause" : "play"}
          label={play.playing ? "Pause" : "Play"}
          keys="Space"
          on={play.playing}
          onClick={() => send({ type: "play", playing: !play.playing })}
        />
        <IconButton icon="last" label="To the end" keys="End" onClick={() => send({ type: "seek", time: play.duration, done: true })} />
        <IconButton icon="loop" label="Loop" keys="L" on={play.loop} onClick={() => send({ type: "loop", loop: !play.loop })} />
        <span class="rule" />
        <NumberField
          label="Time in seconds"
          value={Math.min(time.value, play.duration)}
          unit="s"
          min={0}
          max={play.duration}
          onChange={(value) => send({ type: "seek", time: value, done: true })}
        />
        <span class="of">of {play.duration.toFixed(2)} s</span>
        <span class="rule" />
        <span class="of">Speed</span>
        <NumberField label="Speed" value={play.speed} unit="×" min={0.05} max={4} onChange={(speed) => send({ type: "speed", speed })} />
        <span class="spring" />
        <button type="button" class="button" onClick={() => chooseFiles(MOTIONS)}>
          <Icon name="plus" /> Add motion
        </button>
      </div>
      <Ruler />
    </section>
  );
}
