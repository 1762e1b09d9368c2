// The edge of a side panel, which a hand or the arrow keys move.
import { useRef } from "preact/hooks";
import type { JSX } from "preact";
import { widths } from "../store";

const LEAST = 200;
const MOST = 480;

export function Resizer({ side }: { side: "left" | "right" }): JSX.Element {
  const bar = useRef<HTMLDivElement>(null);
  const put = (width: number) => {
    widths.value = { ...widths.value, [side]: Math.round(Math.min(MOST, Math.max(LEAST, width))) };
    localStorage.setItem("widths", JSON.stringify(widths.value));
  };
  return (
    <div
      class={`resizer ${side}-edge`}
      ref={bar}
      role="separator"
      aria-orientation="vertical"
      aria-label={side === "left" ? "Width of the outliner" : "Width of the settings"}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={widths.value[side]}
      tabIndex={0}
      onPointerDown={(event) => bar.current!.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (bar.current!.hasPointerCapture(event.pointerId)) put(side === "left" ? event.clientX : innerWidth - event.clientX);
      }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        put(widths.value[side] + (side === "left" ? by : -by));
      }}
    />
  );
}
