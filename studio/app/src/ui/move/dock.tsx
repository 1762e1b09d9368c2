// The timeline: transport, ruler, and lanes under one playhead.
import { useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { Curve } from "../../protocol/move";
import { chooseFiles, MOTIONS, send, state, time } from "../../store";
import { IconButton, NumberField, Select } from "../controls";
import { step } from "../Dock";
import { Icon } from "../icons";
import { contactJoints, Contacts, CurveLane, frozen, Keys, Lane, Strips, VolumePlot, type Scale } from "./lanes";

function Ruler({ scale }: { scale: Scale }): JSX.Element {
  const lane = useRef<HTMLDivElement>(null);
  const play = state.play.value;
  const tick = step(scale.span, lane.current?.clientWidth ?? 900);
  const now = Math.min(time.value, play.duration);
  return (
    <div
      class="move-ruler"
      ref={lane}
      role="slider"
      tabIndex={0}
      aria-label="Time"
      title="Drag to go to a moment; arrows go frame by frame."
      aria-valuemin={0}
      aria-valuemax={play.duration}
      aria-valuenow={Number(now.toFixed(2))}
      aria-valuetext={`${now.toFixed(2)} seconds`}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1 / 30, ArrowRight: 1 / 30 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        send({ type: "seek", time: Math.min(play.duration, Math.max(0, now + by)), done: true });
      }}
    >
      {Array.from({ length: Math.min(200, Math.floor(scale.span / tick + 1e-6) + 1) }, (_, i) => i * tick).map((t) => (
        <span style={{ left: `${(100 * t) / scale.span}%` }}>{t < 0.97 * scale.span ? `${Number(t.toFixed(3))} s` : ""}</span>
      ))}
    </div>
  );
}

// Wherever nothing else is held the pointer goes through time.
function useScrub(scale: Scale) {
  const track = useRef<HTMLElement | null>(null);
  const at = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    return Math.min(state.play.value.duration, Math.max(0, ((event.clientX - box.left) / box.width) * scale.span));
  };
  const end = (event: PointerEvent) => {
    if (track.current) send({ type: "seek", time: at(event), done: true });
    track.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      const over = (event.target as HTMLElement).closest<HTMLElement>(".lane-track");
      if (event.button !== 0 || !over) return;
      track.current = over;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      send({ type: "seek", time: at(event), done: false });
    },
    onPointerMove: (event: PointerEvent) => track.current && send({ type: "seek", time: at(event), done: false }),
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function Playhead({ scale }: { scale: Scale }): JSX.Element {
  const now = Math.min(time.value, state.play.value.duration);
  return (
    <div class="heads">
      <div class="head" style={{ left: `${(100 * now) / scale.span}%` }}>
        <b>{now.toFixed(2)}</b>
      </div>
    </div>
  );
}

function Transport(): JSX.Element {
  const play = state.play.value;
  const { timeline, strip } = state.move.value;
  const { clips } = state.model.value;
  const own = timeline !== null && timeline.clip === play.clip;
  const others = clips.map((clip, value) => ({ value: String(value), label: clip.name || `clip ${value + 1}` })).filter(({ value }) => Number(value) !== timeline?.clip);
  return (
    <div class="transport">
      <IconButton icon="first" label="To the beginning" keys="Home" onClick={() => send({ type: "seek", time: 0, done: true })} />
      <IconButton icon={play.playing ? "pause" : "play"} label={play.playing ? "Pause" : "Play"} keys="Space" on={play.playing} onClick={() => send({ type: "play", playing: !play.playing })} />
      <IconButton icon="last" label="To the end" keys="End" onClick={() => send({ type: "seek", time: play.duration, done: true })} />
      <IconButton icon="loop" label="Loop" keys="L" on={play.loop} onClick={() => send({ type: "loop", loop: !play.loop })} />
      <span class="rule" />
      <NumberField label="Time in seconds" value={Math.min(time.value, play.duration)} unit="s" min={0} max={play.duration} onChange={(value) => send({ type: "seek", time: value, done: true })} />
      <span class="of">of {play.duration.toFixed(2)} s</span>
      <span class="rule" />
      <span class="of">Speed</span>
      <NumberField label="Speed" value={play.speed} unit="×" min={0.05} max={4} onChange={(speed) => send({ type: "speed", speed })} />
      <span class="spring" />
      {own ? (
        <>
          <IconButton icon="split" label="Cut the chosen strip at the playhead" keys="C" disabled={strip < 0} onClick={() => send({ type: "move:cut", index: strip, time: time.value })} />
          <IconButton icon="trash" label="Remove the chosen strip" keys="Delete" disabled={strip < 0} onClick={() => send({ type: "move:remove", index: strip })} />
          <Select label="Add a clip to the timeline" value="" options={[{ value: "", label: "Add a clip" }, ...others]} onChange={(clip) => clip !== "" && send({ type: "move:add", clip: Number(clip) })} />
        </>
      ) : (
        <button
          type="button"
          class="button"
          disabled={play.clip < 0}
          title={timeline ? "Show the timeline that is there" : "Make a timeline of this clip, to trim, loop, blend and pose it"}
          onClick={() => (timeline ? send({ type: "clip", clip: timeline.clip }) : send({ type: "move:compose", clip: play.clip }))}
        >
          <Icon name="clip" /> {timeline ? "Show timeline" : "Edit as timeline"}
        </button>
      )}
      <button type="button" class="button" title="Bring a motion of another file onto this character" onClick={() => chooseFiles(MOTIONS)}>
        <Icon name="plus" /> Add motion
      </button>
    </div>
  );
}

// How large the body, or what a joint moves, is meant to be is for volume that is kept exactly.
const useful = (curve: Curve) => curve.key === "swing" || curve.points.length > 0 || String(state.settings.value["volume.method"]).includes("exact");

export function Dock(): JSX.Element | null {
  const play = state.play.value;
  const { clips, kind, joints } = state.model.value;
  const { timeline, curves, volume } = state.move.value;
  const own = timeline !== null && timeline.clip === play.clip;
  const scale = { span: frozen.value ?? Math.max(play.duration, 0.1) * (own ? 1.06 : 1) };
  const scrub = useScrub(scale);
  if (kind === "none" || (clips.length === 0 && joints.length === 0)) return null;
  if (clips.length === 0)
    return (
      <section class="dock move-empty" aria-label="Timeline">
        <span>No motion yet. Bring one of another file, or pose joints by hand (R, G).</span>
        <button type="button" class="button" onClick={() => chooseFiles(MOTIONS)}>
          <Icon name="plus" /> Add motion
        </button>
      </section>
    );
  return (
    <section class="dock move-dock" aria-label="Timeline">
      <Transport />
      <div class="lanes" {...scrub}>
        <div class="lane ruler-lane">
          <div class="lane-label" />
          <div class="lane-track">
            <Ruler scale={scale} />
          </div>
        </div>
        <Lane icon="clip" label="Clips" height={32}>
          <Strips scale={scale} />
        </Lane>
        <Lane icon="key" label="Keys" height={24}>
          <Keys scale={scale} />
        </Lane>
        {contactJoints().map((joint) => (
          <Lane key={joint} label={joints[joint]?.name ?? ""} sub={<span class="dim"> stands</span>} height={16}>
            <Contacts joint={joint} scale={scale} />
          </Lane>
        ))}
        {curves.filter(useful).map((curve) => (
          <CurveLane key={curve.key} curve={curve} scale={scale} />
        ))}
        <Lane
          icon="mesh"
          label="Worst joint"
          height={volume ? 72 : 32}
          sub={
            volume ? (
              <span class="plot-names">
                <span class="linear">linear</span>
                <span class="own">as set</span>
              </span>
            ) : null
          }
        >
          <VolumePlot scale={scale} />
        </Lane>
        <Playhead scale={scale} />
      </div>
    </section>
  );
}
