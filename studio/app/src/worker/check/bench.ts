// Check, in the worker.
import { emptyCheck } from "../../protocol/check";
import type { Bench, Desk } from "../desk";

export class CheckBench implements Bench {
  constructor(private readonly desk: Desk) {}

  changed(): void {
    this.desk.patch({ check: emptyCheck });
  }
}
