// A hand on the flesh. It moves in the plane through the place that it took, facing the camera.
import type { snPick } from "@sinew/core";
import { SinewError, type CharacterPtr, type Core, type Vec3 } from "./library";
import type { Picture } from "./picture";

const SETTLE = 3; // seconds that flesh swings on after it was let go, while the clip stands

const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;

export class Pull {
  private held: { character: CharacterPtr; part: number; vertex: number; taken: Vec3; to: Vec3; normal: Vec3 } | null = null;
  private swinging = 0; // seconds

  constructor(
    private readonly core: Core,
    private readonly picture: Picture,
  ) {}

  // False: there is no flesh where the hand is.
  begin(character: CharacterPtr, met: { pick: snPick; direction: Vec3 }): boolean {
    const { part, vertex, position } = met.pick;
    try {
      this.core.sn_character_pull(character, part, vertex, position, 1);
    } catch (error) {
      if (error instanceof SinewError) return false;
      throw error;
    }
    this.held = { character, part, vertex, taken: position, to: position, normal: met.direction };
    return true;
  }

  move(x: number, y: number): void {
    const { held } = this;
    if (!held) return;
    const { origin, direction } = this.picture.ray(x, y);
    const across = dot(direction, held.normal);
    if (Math.abs(across) < 1e-6) return;
    const from = { x: held.taken.x - origin.x, y: held.taken.y - origin.y, z: held.taken.z - origin.z };
    const way = dot(from, held.normal) / across;
    held.to = { x: origin.x + direction.x * way, y: origin.y + direction.y * way, z: origin.z + direction.z * way };
    this.core.sn_character_pull(held.character, held.part, held.vertex, held.to, 1);
    this.picture.markPull(held.taken, held.to);
  }

  end(): void {
    if (!this.held) return;
    const { character, part, vertex, to } = this.held;
    this.held = null;
    this.picture.marks = [];
    this.swinging = SETTLE;
    try {
      this.core.sn_character_pull(character, part, vertex, to, 0);
    } catch (error) {
      if (!(error instanceof SinewError)) throw error; // its flesh was switched off meanwhile
    }
  }

  // True: flesh moves though the clip may stand.
  step(seconds: number): boolean {
    if (this.held) return true;
    this.swinging = Math.max(0, this.swinging - seconds);
    return this.swinging > 0;
  }
}
