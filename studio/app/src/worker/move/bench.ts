// Move, in the worker.
import { emptyMove } from "../../protocol/move";
import type { Bench, Desk } from "../desk";

export class MoveBench implements Bench {
  constructor(private readonly desk: Desk) {}

  changed(): void {
    this.desk.patch({ move: emptyMove });
  }
}
