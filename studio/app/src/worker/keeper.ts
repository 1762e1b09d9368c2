// Saves the document in the browser a moment after every edit.
import type { View } from "../protocol";
import { Keep, type Kept } from "./keep";
import type { Picture } from "./picture";
import type { Player } from "./player";
import { post } from "./post";
import type { Session } from "./session";

const AFTER = 400; // ms without an edit

// What a project remembers beside the document.
export interface Extra {
  base?: number;
  clip?: number;
  time?: number;
  orbit?: Picture["orbit"];
  view?: View;
}

export class Keeper {
  readonly keep = new Keep();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hash = "";

  constructor(
    private readonly session: Session,
    private readonly player: Player,
    private readonly picture: Picture,
    private readonly view: () => View,
    private readonly busy: () => boolean, // an edit is under way, or a job reads the document
  ) {}

  // The document that is shown now is `saved` already, or has not been changed.
  begin(saved: boolean): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.hash = saved ? this.session.hash : "";
    post({ type: "patch", patch: { saved: saved ? "saved" : "unchanged" } });
  }

  schedule(): void {
    if (!this.keep.available) return post({ type: "patch", patch: { saved: "unsaved" } });
    this.wait();
    if (!this.untouched) post({ type: "patch", patch: { saved: "saving" } });
  }
  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), AFTER);
  }

  // Before another document takes its place: what waits is saved now.
  flush(): void {
    if (this.timer !== undefined && !this.busy()) void this.save();
  }

  // The demo, as long as nobody touched it, is no work.
  private get untouched(): boolean {
    const { undo, redo } = this.session.history();
    return this.session.demo && undo.length + redo.length === 0;
  }

  private take(): Kept {
    const { session, player, picture } = this;
    const extra: Extra = { base: session.base, clip: player.state.clip, time: player.moment, orbit: picture.orbit, view: this.view() };
    return { id: session.id, name: session.name, project: session.project(), history: session.historyBytes(), extra: JSON.stringify(extra) };
  }

  private async save(): Promise<void> {
    if (this.session.inGesture || this.busy()) return this.wait();
    this.timer = undefined;
    const { hash } = this.session;
    if (!this.session.document || this.untouched) return;
    if (hash === this.hash) return post({ type: "patch", patch: { saved: "saved" } });
    post({ type: "patch", patch: { saved: "saving" } });
    const { id } = this.session;
    try {
      await this.keep.save(this.take());
      if (id === this.session.id) this.hash = hash;
      // An edit that came meanwhile is not in what was saved.
      const now = this.timer === undefined ? ({ saved: "saved" } as const) : {};
      post({ type: "patch", patch: { ...now, recent: this.keep.recent } });
    } catch (error) {
      console.error(error);
      post({ type: "patch", patch: { saved: "unsaved" } });
    }
  }
}
