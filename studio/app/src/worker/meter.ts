// How long frames take, told four times a second, and how long hands wait for the surface.
import type { Stats } from "../protocol";

const EVERY = 250; // ms

export class Meter {
  private core = 0;
  private draw = 0;
  private frames = 0;
  private since = 0;
  private spent = 0;
  private waits: number[] = [];

  // What a move of a hand took before the frame that shows it.
  spend(ms: number): void {
    this.spent += ms;
  }
  // The surface is there, so many ms into its frame.
  shown(ms: number): void {
    if (this.spent > 0) this.waits = [...this.waits.slice(-255), this.spent + ms];
    this.spent = 0;
  }
  // Of every move since this was asked last: ms to the new surface, without its drawing.
  takeWaits(): number[] {
    return this.waits.splice(0);
  }

  add(core: number, draw: number): void {
    this.core += core;
    this.draw += draw;
    this.frames++;
  }

  // Null: it is not yet time.
  take(now: number): Pick<Stats, "core" | "draw" | "fps"> | null {
    const passed = now - this.since;
    if (passed < EVERY) return null;
    const frames = Math.max(1, this.frames);
    const stats = { core: this.core / frames, draw: this.draw / frames, fps: (1000 * this.frames) / passed };
    Object.assign(this, { core: 0, draw: 0, frames: 0, since: now });
    return stats;
  }
}
