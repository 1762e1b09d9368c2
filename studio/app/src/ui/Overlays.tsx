// What lies over the page: the start screen, dialogs, progress, errors, toasts, and files that are dropped.
import { effect, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ComponentChildren, ComponentType, JSX } from "preact";
import {
  chooseFiles,
  dialog,
  dismiss,
  enterDemo,
  failure,
  MODELS,
  notes,
  openFiles,
  panels,
  send,
  start,
  state,
  unable,
  type Dialog as DialogName,
  type Note,
} from "../store";
import { IconButton } from "./controls";
import { Icon, type IconName } from "./icons";

// ----------------------------------------------------------------------------------------------------- start

function Choice(props: { icon: IconName; title: string; text: string; right: string; primary?: boolean; onClick: () => void }): JSX.Element {
  return (
    <button type="button" class={`choice ${props.primary ? "primary" : ""}`} onClick={props.onClick}>
      <span class="choice-icon">
        <Icon name={props.icon} size={28} />
      </span>
      <span class="choice-text">
        <b>{props.title}</b>
        <span>{props.text}</span>
      </span>
      <span class="choice-right">{props.right}</span>
      <Icon name="arrow" />
    </button>
  );
}

export function Start(): JSX.Element | null {
  const ready = state.phase.value === "ready";
  const { kind, name } = state.model.value;
  return (
    <div class="start">
      <h1>Skin that moves like flesh</h1>
      <p>Open a character, or a mesh with no rig at all. All work is done in this tab. Nothing is uploaded.</p>
      {kind === "character" || kind === "mesh" ? (
        <Choice icon="arrow" title={`Back to ${name}`} text="It is as you left it." right="Esc" onClick={() => (start.value = false)} />
      ) : null}
      <Choice icon="person" title="Open a character" text="Add flesh and volume to its rig." right="GLB, glTF, FBX" onClick={() => chooseFiles(MODELS)} />
      <Choice icon="mesh" title="Open a bare mesh" text="Then drop a motion on it, and it walks." right="OBJ, PLY, STL" onClick={() => chooseFiles(".obj,.ply,.off,.stl,.glb,.gltf,.bin,.mtl")} />
      <Choice icon="play" title="Play with the demo" text="It is walking already: pull it, and let go." right="Enter" primary onClick={enterDemo} />
      <div class="drop-hint">
        <Icon name="upload" />
        <span>
          <b>Or drop files anywhere</b>
          <br />
          Models, BVH, AMC with ASF, settings, projects
        </span>
      </div>
      {state.recent.value.length > 0 ? (
        <div class="recent">
          <span>Recent</span>
          {state.recent.value.map((recent) => (
            <button
              type="button"
              onClick={() => {
                start.value = false;
                send({ type: "reopen", id: recent.id });
              }}
            >
              {recent.name}
            </button>
          ))}
        </div>
      ) : null}
      {ready ? null : <p class="loading">Loading the core …</p>}
    </div>
  );
}

// --------------------------------------------------------------------------------------------------- dialogs

export function Dialog(props: { title: string; class?: string; onClose: () => void; children: ComponentChildren }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  // At once: a key that is pressed next is the dialog's.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.focus();
    return () => before?.focus();
  }, []);
  const key = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") props.onClose();
    if (event.key !== "Tab") return;
    const stops = [...box.current!.querySelectorAll<HTMLElement>("button, [href], input, select, [tabindex='0']")];
    if (stops.length === 0) return;
    const end = event.shiftKey ? stops[0] : stops[stops.length - 1];
    if (document.activeElement !== end && document.activeElement !== box.current) return;
    event.preventDefault();
    (event.shiftKey ? stops[stops.length - 1] : stops[0]).focus();
  };
  return (
    <div class="shade dim" onPointerDown={props.onClose}>
      <div
        class={`dialog ${props.class ?? ""}`}
        role="dialog"
        aria-modal="true"
        aria-label={props.title}
        tabIndex={-1}
        ref={box}
        onPointerDown={(event) => event.stopPropagation()}
        onKeyDown={key}
      >
        <div class="dialog-head">
          <h2>{props.title}</h2>
          <IconButton icon="close" label="Close" keys="Esc" onClick={props.onClose} />
        </div>
        {props.children}
      </div>
    </div>
  );
}

const KEYS: [string, string][] = [
  ["Pull flesh", "drag on the body"],
  ["Orbit", "middle drag, or drag where nothing is; arrows; two fingers"],
  ["Pan", "right drag, or Shift middle drag"],
  ["Zoom", "wheel, + and −; pinch"],
  ["Frame", "F"],
  ["Views", "Num 1 front, Num 3 side, Num 7 top; with Ctrl the other side"],
  ["Select a joint or part", "click"],
  ["Menu", "right click, Shift F10; long press"],
  ["Play, pause", "Space"],
  ["First, last moment", "Home, End"],
  ["Loop", "L"],
  ["Wireframe, joints", "Z, J"],
  ["Split view", "V"],
  ["Plain skin, for as long as it is held", "\\"],
  ["Outliner, settings", "T, N"],
  ["Turn, drag, key a joint", "R, G, I"],
  ["Forces; key of the camera", "W; Shift K"],
  ["Brush, its size and strength", "B; F, Shift F, [ ]"],
  ["Bind: mirror, snap", "X, S"],
  ["Check: worse, better; frame", "J, K; comma, full stop"],
  ["Cut the chosen strip", "C"],
  ["Export", "E"],
  ["Undo, redo", "Ctrl Z, Ctrl Shift Z; two-, three-finger tap"],
  ["Save the project", "Ctrl S"],
  ["Slider", "drag; Shift is finer; double-click resets"],
  ["Cancel, select nothing", "Esc"],
];

function Keys(): JSX.Element {
  return (
    <Dialog title="Keys" onClose={() => (dialog.value = "none")}>
      <table class="keys">
        <tbody>
          {KEYS.map(([what, how]) => (
            <tr>
              <th scope="row">{what}</th>
              <td>{how}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {state.model.value.kind === "none" ? null : (
        <button type="button" class="button" onClick={() => (dialog.value = "tour")}>
          Take the tour
        </button>
      )}
      <p class="fine">
        Sinew {state.version.value}. {state.stats.value.threads > 1 ? `${state.stats.value.threads} threads` : "One thread"}. Everything
        happens in this tab.
      </p>
    </Dialog>
  );
}

function History(): JSX.Element {
  const undo = state.undo.value;
  const redo = state.redo.value;
  return (
    <Dialog title="History" onClose={() => (dialog.value = "none")}>
      {undo.length + redo.length === 0 ? <p class="fine">Nothing was changed yet. Every change gets a line here.</p> : null}
      <ol class="history">
        {[...redo].reverse().map((name, i) => (
          <li>
            <button type="button" class="ahead" onClick={() => send({ type: "redo", steps: redo.length - i })}>
              {name}
            </button>
          </li>
        ))}
        {undo.map((name, i) => (
          <li>
            <button type="button" class={i === 0 ? "now" : ""} aria-current={i === 0} onClick={() => i > 0 && send({ type: "undo", steps: i })}>
              {name}
            </button>
          </li>
        ))}
        {undo.length > 0 ? (
          <li>
            <button type="button" onClick={() => send({ type: "undo", steps: undo.length })}>
              As it was opened
            </button>
          </li>
        ) : null}
      </ol>
    </Dialog>
  );
}

// ------------------------------------------------------------------------------------ progress, errors, toasts

function Working(): JSX.Element | null {
  const progress = state.progress.value;
  if (!progress || progress.seconds < 0.3) return null;
  const left = progress.share > 0.05 ? (progress.seconds / progress.share) * (1 - progress.share) : NaN;
  return (
    <div class="working glass" role="status">
      <span class="working-text">
        <b>{progress.what}</b> {progress.stage}
        {left > 1 ? <span class="left">about {Math.ceil(left)} s left</span> : null}
      </span>
      <progress value={progress.share} max={1} aria-label={progress.what} />
      <button type="button" class="button" onClick={() => send({ type: "cancel" })}>
        Cancel
      </button>
    </div>
  );
}

function ErrorBox(): JSX.Element | null {
  const error = failure.value;
  if (!error) return null;
  return (
    <div class="error" role="alert">
      <Icon name="warn" />
      <div>
        <b>{error.what}</b>
        <p>{error.detail}</p>
        <p class="next">{error.next}</p>
      </div>
      <IconButton icon="close" label="Dismiss" onClick={() => (failure.value = null)} />
    </div>
  );
}

// Goes after 6 s, waits under the pointer.
function Toast({ note }: { note: Note }): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const wait = () => (timer.current = setTimeout(() => dismiss(note.id), 6000));
  useEffect(() => {
    wait();
    return () => clearTimeout(timer.current);
  }, []);
  return (
    <div class="toast glass" role="status" onPointerEnter={() => clearTimeout(timer.current)} onPointerLeave={wait}>
      {note.text}
      {note.action === "undo" ? (
        <button
          type="button"
          class="button link"
          onClick={() => {
            send({ type: "undo", steps: 1 });
            dismiss(note.id);
          }}
        >
          Undo
        </button>
      ) : null}
      {note.action === "review" ? (
        <button
          type="button"
          class="button link"
          title="The list of doubts, each with what helps"
          onClick={() => {
            panels.value = { ...panels.value, left: true };
            dismiss(note.id);
            setTimeout(() => document.querySelector<HTMLElement>(".bind-doubts button")?.focus());
          }}
        >
          Review
        </button>
      ) : null}
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(note.id)} />
    </div>
  );
}

const dropping = signal(false);

// Files beside others may come as folders: their paths are kept.
async function filesOf(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      Object.defineProperty(file, "webkitRelativePath", { value: path + file.name });
      files.push(file);
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (batch.length === 0) return;
      for (const child of batch) await walk(child, `${path}${entry.name}/`);
    }
  };
  for (const entry of entries) await walk(entry, "");
  return files;
}

export function startDrops(): () => void {
  let depth = 0;
  const over = (event: DragEvent) => {
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  };
  const enter = (event: DragEvent) => {
    event.preventDefault();
    depth++;
    dropping.value = true;
  };
  const leave = () => {
    if (--depth <= 0) dropping.value = false;
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    depth = 0;
    dropping.value = false;
    if (event.dataTransfer) void filesOf(event.dataTransfer).then(openFiles);
  };
  const pairs: [string, (event: DragEvent) => void][] = [
    ["dragover", over],
    ["dragenter", enter],
    ["dragleave", leave],
    ["drop", drop],
  ];
  for (const [name, run] of pairs) addEventListener(name, run as EventListener);
  return () => pairs.forEach(([name, run]) => removeEventListener(name, run as EventListener));
}

// Dialogs that are loaded when they are first opened.
const lazy = signal<Partial<Record<DialogName, ComponentType>>>({});
const LAZY: Partial<Record<DialogName, () => Promise<{ default: ComponentType }>>> = {
  export: () => import("./leave/Export"),
  tour: () => import("./leave/Tour"),
};
effect(() => {
  const name = dialog.value;
  const load = LAZY[name];
  if (!load || lazy.peek()[name]) return;
  load().then(
    (part) => (lazy.value = { ...lazy.peek(), [name]: part.default }),
    (error: unknown) => {
      dialog.value = "none";
      failure.value = { what: "That could not be loaded.", detail: String(error), next: "Is the page's host still there? Try it again." };
    },
  );
});
function Lazy(): JSX.Element | null {
  const Part = lazy.value[dialog.value];
  return Part ? <Part /> : null;
}

export function Overlays(): JSX.Element {
  return (
    <>
      {dropping.value ? (
        <div class="dropping" aria-hidden="true">
          <span class="glass">{dialog.value === "export" ? "Drop a written GLB to compare it" : "Drop models, motions, settings or a project"}</span>
        </div>
      ) : null}
      {dialog.value === "keys" ? <Keys /> : null}
      {dialog.value === "history" ? <History /> : null}
      <Lazy />
      <Working />
      <div class="messages">
        <ErrorBox />
        {notes.value.map((note) => (
          <Toast key={note.id} note={note} />
        ))}
      </div>
    </>
  );
}

export function Unable(): JSX.Element {
  return (
    <div class="unable" role="alert">
      <h1>This browser cannot show the studio</h1>
      <p>{unable.value}</p>
      <p>The command line does the same work without a browser: sinew animate hero.glb walk.bvh -o out.glb</p>
    </div>
  );
}
