import type { BindOptions } from "../../protocol/bind";
import { send } from "../../store";

export function set(change: Partial<BindOptions>): void {
  send({ type: "bind:set", set: change });
}
