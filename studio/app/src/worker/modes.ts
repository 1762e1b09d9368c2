// The modes, each loaded when it is first needed, so that the page opens without them.
import type { Command, Mode } from "../protocol";
import type { Bench, Desk, Overlay } from "./desk";

type Name = Mode | "leave";
const LOAD: Record<Name, (desk: Desk) => Promise<Bench>> = {
  bind: async (desk) => new (await import("./bind/bench")).BindBench(desk),
  move: async (desk) => new (await import("./move/bench")).MoveBench(desk),
  check: async (desk) => new (await import("./check/bench")).CheckBench(desk),
  leave: async (desk) => new (await import("./leave/bench")).LeaveBench(desk),
};

// Commands of a mode begin with its name: "bind:fit".
export function modeOf(command: Command): Name | null {
  const name = command.type.split(":")[0] as Name;
  return command.type.includes(":") && name in LOAD ? name : null;
}

export class Modes {
  private readonly loaded = new Map<Name, Bench>();
  private readonly loading = new Map<Name, Promise<Bench>>();
  current: Mode = "move";

  constructor(private readonly desk: Desk) {}

  get bench(): Bench | undefined {
    return this.loaded.get(this.current);
  }
  get(name: Name): Bench | undefined {
    return this.loaded.get(name);
  }
  async load(name: Name): Promise<Bench> {
    const there = this.loading.get(name);
    if (there) return there;
    const coming = LOAD[name](this.desk).then((bench) => {
      this.loaded.set(name, bench);
      return bench;
    });
    coming.catch(() => this.loading.delete(name)); // what could not be loaded is tried again
    this.loading.set(name, coming);
    return coming;
  }

  async choose(mode: Mode): Promise<void> {
    if (mode !== this.current) this.bench?.exit?.();
    this.current = mode;
    const bench = await this.load(mode);
    if (this.current !== mode || this.desk.busy) return; // another was chosen meanwhile; after an edit it is told anyway
    bench.enter?.();
    bench.changed?.();
  }

  changed(): void {
    for (const bench of this.loaded.values()) bench.changed?.();
  }
  released(): void {
    for (const bench of this.loaded.values()) bench.released?.();
  }
  overlay(): Overlay {
    return this.bench?.overlay?.() ?? {};
  }
}
