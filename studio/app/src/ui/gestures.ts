// Pointers into commands. Mouse: left is the tool where the body is and orbits elsewhere, middle orbits, Shift middle
// and right pan, the wheel zooms. Touch: one finger is the tool, two orbit, pan and zoom; two tap undo, three redo.
import type { Touch } from "../protocol";
import { menu, send } from "../store";

type Held = "tool" | "orbit" | "pan";
const CLICK = 4; // CSS pixels that a click may move

export function startGestures(canvas: HTMLCanvasElement): () => void {
  const touches = new Map<number, { x: number; y: number }>();
  let held: Held | null = null;
  let from = { x: 0, y: 0 };
  let last = { x: 0, y: 0 };
  let moved = false;
  let tapFingers = 0;
  let tapTime = 0;
  let press: ReturnType<typeof setTimeout> | undefined;

  const place = (event: { clientX: number; clientY: number }) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const share = (at: { x: number; y: number }) => {
    const box = canvas.getBoundingClientRect();
    return { x: at.x / box.width, y: at.y / box.height };
  };

  const touch = (event: PointerEvent): Touch => ({
    ...place(event),
    shift: event.shiftKey,
    ctrl: event.ctrlKey || event.metaKey,
    pressure: event.pointerType === "pen" && event.pressure > 0 ? event.pressure : 1,
  });

  const release = (event: PointerEvent, click = !moved) => {
    clearTimeout(press);
    if (held === "tool") send({ type: "release", ...touch(event), click });
    held = null;
  };

  const startTouch = (event: PointerEvent) => {
    touches.set(event.pointerId, place(event));
    tapFingers = Math.max(tapFingers, touches.size);
    if (touches.size === 1) {
      tapTime = event.timeStamp;
      tapFingers = 1;
      begin(event, "tool");
      press = setTimeout(() => {
        if (!moved && touches.size === 1) {
          release(event, false);
          menu.value = { x: event.clientX, y: event.clientY };
        }
      }, 550);
    } else {
      release(event, false); // what one finger began ends where two are down
    }
  };

  const moveTouch = (event: PointerEvent) => {
    const before = touches.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (touches.size === 1) {
      touches.set(event.pointerId, now);
      drag(event);
      return;
    }
    const other = [...touches].find(([id]) => id !== event.pointerId)?.[1];
    touches.set(event.pointerId, now);
    if (!other || touches.size > 2) return;
    const distance = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const dx = (now.x - before.x) / 2;
    const dy = (now.y - before.y) / 2;
    if (Math.hypot(dx, dy) > 0.5) moved = true;
    const factor = distance(before) / Math.max(1, distance(now));
    // Fingers that come together or part zoom; fingers that go the same way orbit.
    if (Math.abs(factor - 1) > 0.004) send({ type: "zoom", factor, ...share(middle) });
    else send({ type: "orbit", dx: dx * 2, dy: dy * 2 });
  };

  const endTouch = (event: PointerEvent) => {
    touches.delete(event.pointerId);
    if (touches.size > 0) return;
    release(event);
    const tap = !moved && event.timeStamp - tapTime < 350;
    if (tap && tapFingers === 2) send({ type: "undo", steps: 1 });
    if (tap && tapFingers === 3) send({ type: "redo", steps: 1 });
    moved = false;
  };

  const begin = (event: PointerEvent, what: Held) => {
    held = what;
    from = last = place(event);
    moved = false;
    if (what === "tool") send({ type: "press", ...touch(event) });
  };

  const drag = (event: PointerEvent) => {
    if (!held) return send({ type: "hover", ...touch(event) });
    const now = place(event);
    const dx = now.x - last.x;
    const dy = now.y - last.y;
    if (Math.hypot(now.x - from.x, now.y - from.y) > CLICK) moved = true;
    last = now;
    if (held === "tool") send({ type: "drag", ...touch(event), dx, dy });
    else send({ type: held, dx, dy });
  };

  const down = (event: PointerEvent) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") return startTouch(event);
    if (event.button === 0) begin(event, "tool");
    else if (event.button === 1) begin(event, event.shiftKey ? "pan" : "orbit");
    else if (event.button === 2) begin(event, "pan");
  };
  const move = (event: PointerEvent) => (event.pointerType === "touch" ? moveTouch(event) : drag(event));
  const up = (event: PointerEvent) => {
    if (event.pointerType === "touch") return endTouch(event);
    const click = event.button === 2 && held === "pan" && !moved;
    release(event);
    if (click) menu.value = { x: event.clientX, y: event.clientY };
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY;
    send({ type: "zoom", factor: Math.exp(Math.max(-0.4, Math.min(0.4, lines / 500))), ...share(place(event)) });
  };

  const leave = (event: PointerEvent) => !held && event.pointerType !== "touch" && send({ type: "leave" });

  // The middle button would scroll the page.
  const still = (event: MouseEvent) => event.button === 1 && event.preventDefault();
  canvas.addEventListener("mousedown", still);
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("wheel", wheel, { passive: false });
  return () => {
    canvas.removeEventListener("mousedown", still);
    canvas.removeEventListener("pointerdown", down);
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerup", up);
    canvas.removeEventListener("pointercancel", up);
    canvas.removeEventListener("pointerleave", leave);
    canvas.removeEventListener("wheel", wheel);
  };
}
