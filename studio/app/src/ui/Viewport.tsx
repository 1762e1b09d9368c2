// The canvas. The worker draws into it; this side only turns pointers into commands.
import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import { MODES, type Show } from "../protocol";
import { dark, dialog, enterDemo, menu, panels, send, start, state, still, unable } from "../store";
import { IconButton, Segments, Select } from "./controls";
import { startGestures } from "./gestures";
import { chooseMode, modeParts } from "./modes";

function size(element: HTMLElement): { width: number; height: number; ratio: number } {
  const box = element.getBoundingClientRect();
  const ratio = Math.min(2, devicePixelRatio || 1);
  return { width: Math.max(1, Math.round(box.width * ratio)), height: Math.max(1, Math.round(box.height * ratio)), ratio };
}

function Canvas(): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    if (unable.value) return;
    const offscreen = element.transferControlToOffscreen();
    send({ type: "theme", dark: dark.value, still });
    send({ type: "start", canvas: offscreen, ...size(element), threads: crossOriginIsolated }, [offscreen]);
    const watch = new ResizeObserver(() => send({ type: "resize", ...size(element) }));
    watch.observe(element);
    const stop = startGestures(element);
    return () => {
      watch.disconnect();
      stop();
    };
  }, []);
  const model = state.model.value;
  return (
    <canvas
      id="viewport"
      ref={canvas}
      tabIndex={0}
      role="application"
      aria-label={`Viewport: ${model.name || "empty"}. Arrow keys turn the camera, + and - zoom, Space plays.`}
      onContextMenu={(event) => event.preventDefault()}
    />
  );
}

const SHOWS: { value: Show; label: string; lattice?: boolean; skeleton?: boolean }[] = [
  { value: "surface", label: "Surface" },
  { value: "normals", label: "Normals" },
  { value: "weights", label: "Weights of a joint", skeleton: true },
  { value: "all-weights", label: "All weights", skeleton: true },
  { value: "lattice", label: "Lattice", lattice: true },
  { value: "parts", label: "Parts of the lattice", lattice: true },
  { value: "moves", label: "Moves in mm", skeleton: true },
];

const title = (way: string) => way.charAt(0).toUpperCase() + way.slice(1).replace("+", " + ");

function Methods(): JSX.Element | null {
  const view = state.view.value;
  if (!view.split) return null;
  const written = state.leave.value.comparing;
  const options = [{ value: "", label: "As the settings say" }, ...state.methods.value.map((method) => ({ value: method, label: title(method) }))];
  return (
    <>
      <div class="way" style={{ left: "16px" }}>
        <Select label="Left side" value={view.left} options={options} onChange={(left) => send({ type: "view", view: { left } })} />
      </div>
      <div class="way" style={{ left: `calc(${view.divide * 100}% + 16px)` }}>
        <Select label="Right side" value={view.right} options={written ? [...options, { value: "file", label: `Written: ${written}` }] : options} onChange={(right) => send({ type: "view", view: { right } })} />
      </div>
      <Divider />
    </>
  );
}

function Divider(): JSX.Element {
  const bar = useRef<HTMLDivElement>(null);
  const { divide } = state.view.value;
  const put = (share: number) => send({ type: "view", view: { divide: Math.min(0.85, Math.max(0.15, share)) } });
  return (
    <div
      class="divider"
      ref={bar}
      role="separator"
      aria-orientation="vertical"
      aria-label="Divide the view"
      aria-valuenow={Math.round(divide * 100)}
      tabIndex={0}
      style={{ left: `${divide * 100}%` }}
      onPointerDown={(event) => bar.current!.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!bar.current!.hasPointerCapture(event.pointerId)) return;
        const box = bar.current!.parentElement!.getBoundingClientRect();
        put((event.clientX - box.left) / box.width);
      }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        put(divide + by);
      }}
    />
  );
}

function Legend(): JSX.Element | null {
  const legend = state.legend.value;
  if (!legend) return null;
  const number = (value: number) => (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(2));
  return (
    <div class="legend glass" role="img" aria-label={`${legend.title}, ${number(legend.min)} to ${number(legend.max)} ${legend.unit}`}>
      <span>{legend.title}</span>
      <i style={{ background: `linear-gradient(90deg, ${legend.colors.join(",")})` }} />
      <span class="legend-ends">
        <span>{number(legend.min)}</span>
        <span>
          {number(legend.max)} {legend.unit}
        </span>
      </span>
    </div>
  );
}

function Tools(): JSX.Element | null {
  const view = state.view.value;
  const model = state.model.value;
  if (model.kind === "none") return null;
  const shows = SHOWS.filter((show) => (!show.lattice || model.lattice) && (!show.skeleton || model.joints.length > 0));
  const set = (change: Partial<typeof view>) => send({ type: "view", view: change });
  return (
    <div class={`view-tools ${view.split ? "below" : ""}`}>
      <span class="glass">
        <Select label="Show" value={view.show} options={shows} onChange={(show) => set({ show })} />
      </span>
      <span class="glass buttons">
        <IconButton icon="mesh" label="Wireframe" keys="Z" on={view.wireframe} onClick={() => set({ wireframe: !view.wireframe })} />
        {model.joints.length > 0 ? (
          <IconButton icon="joint" label="Joints" keys="J" on={view.joints} onClick={() => set({ joints: !view.joints })} />
        ) : null}
        <IconButton icon="frame" label="Frame" keys="F" onClick={() => send({ type: "frame" })} />
        {model.joints.length > 0 ? (
          <IconButton icon="split" label="Split view: two ways side by side" keys="V" on={view.split} onClick={() => set({ split: !view.split })} />
        ) : null}
      </span>
    </div>
  );
}

function Menu(): JSX.Element | null {
  const at = menu.value;
  if (!at) return null;
  const view = state.view.value;
  const entries: [string, string, () => void][] = [
    ["Frame", "F", () => send({ type: "frame" })],
    ["From the front", "Num 1", () => send({ type: "axis", axis: "front" })],
    ["From the side", "Num 3", () => send({ type: "axis", axis: "right" })],
    ["From above", "Num 7", () => send({ type: "axis", axis: "top" })],
    [view.wireframe ? "Hide wireframe" : "Show wireframe", "Z", () => send({ type: "view", view: { wireframe: !view.wireframe } })],
    [view.joints ? "Hide joints" : "Show joints", "J", () => send({ type: "view", view: { joints: !view.joints } })],
    [view.split ? "One view" : "Split view", "V", () => send({ type: "view", view: { split: !view.split } })],
    ["Export …", "E", () => (dialog.value = "export")],
    ["Save picture", "", () => send({ type: "picture" })],
    ["Save project", "Ctrl S", () => send({ type: "write", what: "snproject" })],
    ["Save character (.glb)", "", () => send({ type: "write", what: "glb" })],
    ["Save settings (.json)", "", () => send({ type: "write", what: "json" })],
  ];
  const close = () => {
    menu.value = null;
    document.getElementById("viewport")?.focus();
  };
  const key = (event: KeyboardEvent) => {
    event.stopPropagation();
    const items = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
    const index = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape" || event.key === "Tab") close();
    if (event.key === "ArrowDown") items[(index + 1) % items.length].focus();
    if (event.key === "ArrowUp") items[(index - 1 + items.length) % items.length].focus();
  };
  return (
    <div class="shade" onPointerDown={close} onContextMenu={(event) => event.preventDefault()}>
      <div
        class="menu"
        role="menu"
        style={{ left: `${Math.min(at.x, innerWidth - 232)}px`, top: `${Math.min(at.y, innerHeight - entries.length * 32 - 24)}px` }}
        onPointerDown={(event) => event.stopPropagation()}
        onKeyDown={key}
        ref={(element) => element?.querySelector("button")?.focus()}
      >
        {entries.map(([label, keys, run]) => (
          <button
            type="button"
            role="menuitem"
            onClick={() => {
              run();
              close();
            }}
          >
            {label}
            <kbd>{keys}</kbd>
          </button>
        ))}
      </div>
    </div>
  );
}

export function Viewport({ rail }: { rail: JSX.Element | null }): JSX.Element {
  return (
    <main class="view">
      <Canvas />
      {rail}
      <Methods />
      <Tools />
      <Legend />
      <Menu />
    </main>
  );
}

// ------------------------------------------------------------------------------------------------------ keys

// Letters act while the viewport, the timeline or nothing has the focus. No key that browsers keep is taken.
export function key(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (target.closest("input, select, textarea, [role=dialog], [role=menu]")) return;
  const ctrl = event.ctrlKey || event.metaKey;
  const view = state.view.value;
  const play = state.play.value;
  const moves = (dx: number, dy: number) => () => send({ type: "orbit", dx, dy });
  const center = () => ({ x: 0.5, y: 0.5 });
  const commands: Record<string, () => void> = ctrl
    ? {
        z: () => (event.shiftKey ? send({ type: "redo", steps: 1 }) : send({ type: "undo", steps: 1 })),
        y: () => send({ type: "redo", steps: 1 }),
        s: () => send({ type: "write", what: "snproject" }),
      }
    : {
        " ": () => send({ type: "play", playing: !play.playing }),
        f: () => send({ type: "frame" }),
        z: () => send({ type: "view", view: { wireframe: !view.wireframe } }),
        j: () => send({ type: "view", view: { joints: !view.joints } }),
        v: () => send({ type: "view", view: { split: !view.split } }),
        t: () => (panels.value = { ...panels.value, left: !panels.value.left }),
        n: () => (panels.value = { ...panels.value, right: !panels.value.right }),
        l: () => send({ type: "loop", loop: !play.loop }),
        e: () => (state.model.value.kind === "none" || start.value ? undefined : (dialog.value = "export")),
        "?": () => (dialog.value = "keys"),
        "+": () => send({ type: "zoom", factor: 0.9, ...center() }),
        "=": () => send({ type: "zoom", factor: 0.9, ...center() }),
        "-": () => send({ type: "zoom", factor: 1.1, ...center() }),
        arrowleft: moves(-24, 0),
        arrowright: moves(24, 0),
        arrowup: moves(0, -24),
        arrowdown: moves(0, 24),
        home: () => send({ type: "seek", time: 0, done: true }),
        end: () => send({ type: "seek", time: play.duration, done: true }),
        escape: () => (state.progress.value ? send({ type: "cancel" }) : send({ type: "select", selection: { kind: "none" } })),
      };
  const pad: Record<string, () => void> = {
    Numpad1: () => send({ type: "axis", axis: event.ctrlKey ? "back" : "front" }),
    Numpad3: () => send({ type: "axis", axis: event.ctrlKey ? "left" : "right" }),
    Numpad7: () => send({ type: "axis", axis: event.ctrlKey ? "bottom" : "top" }),
    NumpadDecimal: () => send({ type: "frame" }),
  };
  if (event.key === "F10" && event.shiftKey) {
    event.preventDefault();
    menu.value = { x: innerWidth / 2, y: innerHeight / 3 };
    return;
  }
  // Space and Enter on a focused button press it.
  if (event.key === " " && target.closest("button, [role=treeitem], summary")) return;
  if (event.key === "\\") {
    if (!held) send({ type: "view", view: { without: true } });
    held = event.code;
    return;
  }
  if (event.key === "Enter" && start.value && !target.closest("button")) return enterDemo();
  if (event.key === "Escape" && start.value && state.model.value.kind !== "demo") {
    start.value = false;
    return;
  }
  if (event.altKey) return;
  if (!start.value && modeParts.value.key?.(event)) return event.preventDefault();
  const digit = ctrl || event.code.startsWith("Numpad") ? undefined : MODES[Number(event.key) - 1];
  if (digit && !start.value) return chooseMode(digit);
  const run = pad[event.code] ?? commands[event.key.toLowerCase()];
  if (!run) return;
  event.preventDefault();
  run();
}

// The key that shows the plain skin, by its place: what it writes may change while it is down.
let held = "";
export function letGo(event?: KeyboardEvent): void {
  if (!held || (event && event.code !== held)) return;
  held = "";
  send({ type: "view", view: { without: false } });
}

// The first run shows the demo's clips and flesh where hands can reach them.
export function DemoBar(): JSX.Element | null {
  const { clips } = state.model.value;
  const play = state.play.value;
  if (clips.length === 0 || clips.length > 8) return null;
  return (
    <div class="demo-bar glass">
      <IconButton
        icon={play.playing ? "pause" : "play"}
        label={play.playing ? "Pause" : "Play"}
        keys="Space"
        on={play.playing}
        onClick={() => send({ type: "play", playing: !play.playing })}
      />
      <Segments
        label="Clip"
        value={String(play.clip)}
        options={clips.map((clip, index) => ({ value: String(index), label: title(clip.name) }))}
        onChange={(clip) => send({ type: "clip", clip: Number(clip) })}
      />
    </div>
  );
}
