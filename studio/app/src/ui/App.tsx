import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { JSX } from "preact";
import { ask, dialog, failure, firstFrame, panels, start, state, time, unable, widths } from "../store";
import { IconButton } from "./controls";
import { Icon } from "./icons";
import { modeParts } from "./modes";
import { Outliner } from "./Outliner";
import { Overlays, Start, startDrops, Unable } from "./Overlays";
import { TopBar } from "./TopBar";
import { Resizer } from "./Resizer";
import { DemoBar, key, letGo, Viewport } from "./Viewport";

const count = (n: number) => n.toLocaleString("en-US");

function StatusBar(): JSX.Element {
  const stats = state.stats.value;
  const has = state.model.value.kind !== "none";
  const { Hints } = modeParts.value;
  return (
    <footer class="status">
      {state.pullable.value && state.mode.value === "move" && state.move.value.tool === "pull" ? (
        <span class="hint">
          <Icon name="hand" /> Pull flesh
        </span>
      ) : null}
      {Hints ? <Hints /> : null}
      <span class="hint">
        <Icon name="wheel" /> Orbit
      </span>
      <span class="hint">
        <Icon name="mouse" /> Menu
      </span>
      <span class="hint">
        <kbd>Space</kbd> {state.play.value.playing ? "Pause" : "Play"}
      </span>
      <span class="hint">
        <kbd>?</kbd> Keys
      </span>
      <span class="spring" />
      {has ? (
        <>
          <span>{count(stats.vertices)} vertices</span>
          <span>{count(stats.triangles)} triangles</span>
          <span>{count(stats.joints)} joints</span>
          {stats.particles > 0 ? <span>{count(stats.particles)} particles</span> : null}
          <span title="Time of the core for one frame">Core {stats.core.toFixed(1)} ms</span>
          <span>{Math.round(stats.fps)} fps</span>
        </>
      ) : null}
    </footer>
  );
}

// Who is here for the first time is asked; nothing begins by itself.
const toured = signal(localStorage.getItem("toured") !== null);
function TourOffer(): JSX.Element | null {
  if (toured.value || state.model.value.kind === "none" || dialog.value !== "none") return null;
  const done = () => {
    localStorage.setItem("toured", "yes");
    toured.value = true;
  };
  return (
    <div class="tour-offer glass">
      <span>New here?</span>
      <button
        type="button"
        class="button link"
        onClick={() => {
          done();
          dialog.value = "tour";
        }}
      >
        Take the tour, a minute
      </button>
      <IconButton icon="close" label="No tour" onClick={done} />
    </div>
  );
}

// For tests, which wait for what a person would see.
effect(() => {
  Object.assign(globalThis, {
    studio: {
      phase: state.phase.value,
      firstFrame: firstFrame.value,
      model: state.model.value,
      settings: state.settings.value,
      play: state.play.value,
      time: time.value,
      undo: state.undo.value,
      redo: state.redo.value,
      saved: state.saved.value,
      view: state.view.value,
      selection: state.selection.value,
      legend: state.legend.value,
      stats: state.stats.value,
      progress: state.progress.value,
      retarget: state.retarget.value,
      mode: state.mode.value,
      bind: state.bind.value,
      move: state.move.value,
      check: state.check.value,
      leave: state.leave.value,
      failure: failure.value,
      hash: (clip: number, fps: number) => ask((id) => ({ type: "hash", id, clip, fps })),
      waits: () => ask((id) => ({ type: "waits", id })),
      settle: () => ask((id) => ({ type: "settle", id })),
      places: () => ask((id) => ({ type: "move:read", id })),
      probe: (x: number, y: number) => ask((id) => ({ type: "probe", id, x, y })),
    },
  });
});

export function App(): JSX.Element {
  useEffect(() => {
    addEventListener("keydown", key);
    const blur = () => letGo();
    addEventListener("keyup", letGo);
    addEventListener("blur", blur);
    const stop = startDrops();
    return () => {
      removeEventListener("keydown", key);
      removeEventListener("keyup", letGo);
      removeEventListener("blur", blur);
      stop();
    };
  }, []);
  if (unable.value) return <Unable />;
  const starting = start.value;
  const { left, right } = panels.value;
  const { Right, Dock, Center, Rail, Left } = modeParts.value;
  return (
    <div style={{ "--left": `${widths.value.left}px`, "--right": `${widths.value.right}px` }} class={`app ${starting ? "starting" : ""} ${left ? "" : "no-left"} ${right ? "" : "no-right"}`}>
      <TopBar />
      {starting || !left ? null : Left ? <Left /> : <Outliner />}
      {starting || !left ? null : <Resizer side="left" />}
      <Viewport rail={starting || !Rail ? null : <Rail />} />
      {starting || !Center ? null : <Center />}
      {starting || !Dock ? null : <Dock />}
      {starting || !right || !Right ? null : <Right />}
      {starting || !right ? null : <Resizer side="right" />}
      {starting ? <Start /> : <TourOffer />}
      {starting ? <DemoBar /> : null}
      <StatusBar />
      <Overlays />
    </div>
  );
}
