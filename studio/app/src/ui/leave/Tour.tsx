// The tour of the first run: a few steps beside what they speak of, left at any moment. It does nothing by itself.
import "./leave.css";
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { dialog, state } from "../../store";
import { IconButton } from "../controls";

interface Step {
  at: string; // selector of what it speaks of
  title: string;
  text: string;
}

const RIGGED: Step[] = [
  { at: "#viewport", title: "Pull it", text: "Drag the belly and let go: flesh swings back. Drag beside the body to look around it." },
  { at: ".left", title: "Make it move", text: "Choose a clip, or drop a BVH of any other skeleton: its joints are matched by themselves." },
  { at: ".right", title: "Make it soft", text: "Swing, Stiffness and Damping say how flesh follows. Every change shows at once." },
  { at: ".rail", title: "Pose it", text: "R turns a joint by its rings, G drags a hand or a foot. Each pose becomes a key." },
  { at: ".dock", title: "Arrange it", text: "Edit a clip as a timeline: trim it, loop it, let others blend into it." },
  { at: ".top-right .primary", title: "Leave with a file", text: "Export says size and error before it costs, and writes what your engine plays." },
];
const BARE: Step[] = [
  { at: "#viewport", title: "A mesh with no rig", text: "Look around it: drag beside it, the wheel goes nearer. Arrows, + and − work, too." },
  { at: ".left", title: "Give it a motion", text: "Drop a BVH or AMC: its skeleton is fitted into the mesh, weights are made, and it moves. Without one, Bind fits the built-in skeleton." },
  { at: ".tabs", title: "See what is unsure", text: "Bind shows each joint that was fitted and how sure it is. A dot marks what is open." },
  { at: ".right", title: "Make it soft", text: "Once it is bound, Swing, Stiffness and Damping say how flesh follows." },
  { at: ".top-right .primary", title: "Leave with a file", text: "Export says size and error before it costs, and writes what your engine plays." },
];

const at = signal(0);

// Beside what it speaks of, within the page.
function place(box: DOMRect, width: number, height: number): { left: number; top: number } {
  const gap = 12;
  // Within what takes most of the page.
  if (box.width > innerWidth / 2 && box.height > innerHeight / 3) return { left: box.left + 24 + 56, top: Math.max(64, box.bottom - height - 24) };
  const left = box.left > innerWidth / 2 ? box.left - width - gap : box.right + gap < innerWidth - width ? box.right + gap : box.left + (box.width - width) / 2;
  const top = box.top > innerHeight / 2 ? box.top - height - gap : box.height > innerHeight / 2 ? box.top + box.height * 0.3 : box.bottom + gap;
  return { left: Math.max(16, Math.min(innerWidth - width - 16, left)), top: Math.max(64, Math.min(innerHeight - height - 16, top)) };
}

export function leaveTour(): void {
  localStorage.setItem("toured", "yes");
  dialog.value = "none";
}

export default function Tour(): JSX.Element | null {
  const steps = (state.model.value.kind === "mesh" ? BARE : RIGGED).filter((step) => document.querySelector(step.at));
  const card = useRef<HTMLDivElement>(null);
  const [where, setWhere] = useState<{ box: DOMRect; left: number; top: number } | null>(null);
  const step = steps[Math.min(at.value, steps.length - 1)];
  useEffect(() => {
    at.value = 0;
  }, []);
  useEffect(() => {
    const put = () => {
      const target = step && document.querySelector(step.at);
      if (!target || !card.current) return;
      const box = target.getBoundingClientRect();
      setWhere({ box, ...place(box, card.current.offsetWidth, card.current.offsetHeight) });
    };
    put();
    card.current?.focus();
    addEventListener("resize", put);
    return () => removeEventListener("resize", put);
  }, [step]);
  if (!step) return null;
  const last = at.value >= steps.length - 1;
  const go = (by: number) => (last && by > 0 ? leaveTour() : (at.value = Math.max(0, at.value + by)));
  const key = (event: KeyboardEvent) => {
    const run: Record<string, () => void> = { Escape: leaveTour, ArrowRight: () => go(1), ArrowLeft: () => go(-1) };
    if (!(event.key in run)) return;
    event.stopPropagation();
    run[event.key]();
  };
  return (
    <>
      {where ? <div class="tour-mark" style={{ left: `${where.box.left}px`, top: `${where.box.top}px`, width: `${where.box.width}px`, height: `${where.box.height}px` }} /> : null}
      <div class="tour" role="dialog" aria-label={`Tour: ${step.title}`} tabIndex={-1} ref={card} onKeyDown={key} style={where ? { left: `${where.left}px`, top: `${where.top}px` } : { opacity: 0 }}>
        <div class="tour-head">
          <b>{step.title}</b>
          <IconButton icon="close" label="Leave the tour" keys="Esc" onClick={leaveTour} />
        </div>
        <p>{step.text}</p>
        <div class="tour-foot">
          <span>
            {at.value + 1} of {steps.length}
          </span>
          <button type="button" class="button" disabled={at.value === 0} onClick={() => go(-1)}>
            Back
          </button>
          <button type="button" class="button primary" onClick={() => go(1)}>
            {last ? "Done" : "Next"}
          </button>
        </div>
      </div>
    </>
  );
}
