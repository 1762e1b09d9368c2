// Bind, in the worker.
import { emptyBind } from "../../protocol/bind";
import type { Bench, Desk } from "../desk";

export class BindBench implements Bench {
  constructor(private readonly desk: Desk) {}

  changed(): void {
    this.desk.patch({ bind: emptyBind });
  }
}
