// Leave: the export dialog, in the worker.
import { emptyLeave } from "../../protocol/leave";
import type { Bench, Desk } from "../desk";

export class LeaveBench implements Bench {
  constructor(private readonly desk: Desk) {}

  changed(): void {
    this.desk.patch({ leave: emptyLeave });
  }
}
