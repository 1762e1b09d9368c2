// What each mode puts around the viewport. All but the timeline and the settings, which the page opens with, is loaded when
// its mode is first chosen.
import { computed, effect, signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useRef } from "preact/hooks";
import { MODES, type Mode } from "../protocol";
import { failure, send, start, state } from "../store";
import { Dock } from "./Dock";
import { Icon, type IconName } from "./icons";
import { Settings } from "./Settings";

export interface ModeParts {
  Left?: ComponentType; // instead of the outliner
  Right?: ComponentType; // the panel
  Dock?: ComponentType; // below
  Rail?: ComponentType; // tools, over the viewport
  Center?: ComponentType; // over the whole of the viewport
  Hints?: ComponentType; // in the status bar
  key?: (event: KeyboardEvent) => boolean; // true: it was one of the mode's
}

const TITLES: Record<Mode, { title: string; icon: IconName; what: string }> = {
  bind: { title: "Bind", icon: "joint", what: "Skeleton and weights" },
  move: { title: "Move", icon: "person", what: "Motion, poses and flesh" },
  check: { title: "Check", icon: "pulse", what: "What breaks, where, and what helps" },
};
const EAGER: Record<Mode, ModeParts> = { bind: { Right: Settings }, move: { Right: Settings, Dock }, check: {} };
const LOAD: Record<Mode, () => Promise<{ parts: ModeParts }>> = {
  bind: () => import("./bind/parts"),
  move: () => import("./move/parts"),
  check: () => import("./check/parts"),
};

const loaded = signal<Partial<Record<Mode, ModeParts>>>({});
const asked = new Set<Mode>();
export const modeParts = computed<ModeParts>(() => ({ ...EAGER[state.mode.value], ...loaded.value[state.mode.value] }));

effect(() => {
  const mode = state.mode.value;
  if (start.value || asked.has(mode)) return;
  asked.add(mode);
  LOAD[mode]().then(
    ({ parts }) => (loaded.value = { ...loaded.value, [mode]: parts }),
    (error: unknown) => {
      asked.delete(mode);
      failure.value = { what: `${TITLES[mode].title} could not be loaded.`, detail: String(error), next: "Is the page's host still there? Choose the mode again." };
    },
  );
});

export function chooseMode(mode: Mode): void {
  send({ type: "mode", mode });
}

export function Tabs(): JSX.Element {
  const group = useRef<HTMLElement>(null);
  const now = state.mode.value;
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (MODES.indexOf(now) + by + MODES.length) % MODES.length;
    chooseMode(MODES[next]);
    (group.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <nav class="tabs" role="tablist" aria-label="Mode" ref={group} onKeyDown={step}>
      {MODES.map((mode, i) => {
        const { title, icon, what } = TITLES[mode];
        const doubts = state[mode].value.doubts;
        return (
          <button
            type="button"
            role="tab"
            aria-selected={mode === now}
            tabIndex={mode === now ? 0 : -1}
            title={`${what} (${i + 1})${doubts ? `. ${doubts} open` : ""}`}
            onClick={() => chooseMode(mode)}
          >
            <Icon name={icon} /> {title}
            {doubts ? <i class="doubt-dot" aria-label={`${doubts} open`} /> : null}
          </button>
        );
      })}
    </nav>
  );
}
