// What a pointer on the canvas does: what the mode says, else a hand on the flesh where the body is, the camera elsewhere;
// a click selects.
import type { Selection, Touch, View } from "../protocol";
import type { snPick } from "@sinew/core";
import type { Bench } from "./desk";
import { NONE, type Vec3 } from "./library";
import type { Picture } from "./picture";
import type { Pull } from "./pull";
import type { Session } from "./session";

export class Hands {
  private orbiting = false;
  private holder: Bench | undefined; // the mode that took the press

  constructor(
    private readonly session: Session,
    private readonly picture: Picture,
    private readonly pull: Pull,
    private readonly busy: () => boolean,
    private readonly bench: () => Bench | undefined,
  ) {}

  // What is under a CSS pixel now.
  pick(x: number, y: number): { pick: snPick; direction: Vec3 } | null {
    return !this.busy() && this.session.pickable ? this.picture.pick(this.session.document!, x, y) : null;
  }

  // The place of the body at a share of the canvas, to zoom towards.
  under(x: number, y: number): Vec3 | null {
    const { width, height, ratio } = this.picture;
    return this.pick((x * width) / ratio, (y * height) / ratio)?.pick.position ?? null;
  }

  press(touch: Touch): void {
    const { x, y } = touch;
    const axis = this.picture.axis(x, y);
    if (axis) return this.picture.look(axis);
    const bench = this.bench();
    if (!this.busy() && bench?.press?.(touch)) {
      this.holder = bench;
      return;
    }
    this.orbiting = true;
    const met = this.pick(x, y);
    const character = met && this.session.character();
    if (met && character && this.pull.begin(character, met)) this.orbiting = false;
  }

  drag(touch: Touch, dx: number, dy: number): void {
    if (this.holder) this.holder.drag?.(touch, dx, dy);
    else if (this.orbiting) this.picture.turn(dx, dy);
    else this.pull.move(touch.x, touch.y);
  }

  hover(touch: Touch): void {
    if (!this.busy()) this.bench()?.hover?.(touch);
  }

  leave(): void {
    if (!this.busy()) this.bench()?.leave?.();
  }

  // What a click selects; null: it was none.
  letGo(touch: Touch, click: boolean, view: View): Selection | null {
    const { x, y } = touch;
    const { holder } = this;
    this.holder = undefined;
    if (holder) {
      const chosen = holder.release?.(touch, click);
      if (chosen !== undefined) return chosen;
    }
    this.pull.end();
    this.orbiting = false;
    if (!click || this.busy() || this.picture.axis(x, y)) return null;
    const weights = view.show === "weights";
    const joint = view.joints || weights ? this.picture.joint(x, y) : NONE;
    if (joint !== NONE) return { kind: "joint", index: joint };
    const met = this.pick(x, y);
    if (!met) return { kind: "none" };
    return weights ? { kind: "joint", index: met.pick.joint } : { kind: "part", index: met.pick.part };
  }
}
