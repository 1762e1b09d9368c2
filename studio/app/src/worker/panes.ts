// Which character each pane shows: the document's own, or one of the same model that deforms another way.
import type { View } from "../protocol";
import type { CharacterPtr, Core, ModelPtr, SettingsPtr } from "./library";
import type { Picture } from "./picture";
import type { Player } from "./player";
import type { Session } from "./session";

const BOTH = [0, 1];
const GUEST = "file"; // a way of the right side

export class Panes {
  only = ""; // the way that a mode wants the whole view to deform in
  updates = 0; // of surfaces that are shown
  // Another model for the right side: a file that was written. Its owner takes it away before it goes.
  guest: { model: ModelPtr; character: CharacterPtr; clip: number } | null = null;

  constructor(
    private readonly core: Core,
    private readonly session: Session,
    private readonly picture: Picture,
    private readonly player: Player,
  ) {}

  private way(view: View, pane: number): string {
    if (view.without && pane === 0) return "linear";
    if (!view.split) return pane === 0 ? this.only : "";
    if (pane === 1 && view.right === GUEST) return ""; // it has gone
    return pane === 0 ? view.left : view.right;
  }

  // What the panes show goes before the model does.
  release(): void {
    this.picture.forget();
    this.player.destroy();
  }

  attach(view: View): void {
    const { model } = this.session;
    let taken = false; // the document's character is in a pane already
    this.picture.documentPane = -1;
    for (const pane of BOTH) {
      if (pane === 1 && this.attachGuest(view)) continue;
      const shown = model !== null && (pane === 0 || view.split);
      const way = this.way(view, pane);
      const own: boolean = shown && (way !== "" || taken);
      const character = !shown ? null : own ? this.create(way) : this.session.character();
      if (shown && !own) this.picture.documentPane = pane;
      taken ||= shown && !own;
      this.player.setCharacter(pane, character, shown ? model : null, own);
      this.picture.show(pane, shown ? model : null, character);
    }
  }

  private attachGuest(view: View): boolean {
    const { guest } = this;
    if (!guest || !view.split || view.right !== GUEST) return false;
    this.player.setCharacter(1, guest.character, guest.model, false, guest.clip);
    this.picture.show(1, guest.model, guest.character);
    return true;
  }

  // The document's settings, deforming that way; the caller destroys them.
  private settings(way: string): SettingsPtr {
    const settings = this.core.sn_settings_copy(this.core.sn_document_settings(this.session.document!), null);
    const found = way === "" ? null : this.core.sn_deform_method_find(way);
    if (found) this.core.sn_settings_use_method(settings, found);
    return settings;
  }
  private create(way: string): CharacterPtr {
    const settings = this.settings(way);
    try {
      return this.core.sn_character_create({ model: this.session.model, settings, tasks: this.core.tasks }, null);
    } finally {
      this.core.sn_settings_destroy(settings);
    }
  }

  // Settings changed: only what depends on them is made anew.
  change(view: View): void {
    const { model } = this.session;
    const character = this.session.character(); // brought up to date by asking for it
    for (const pane of BOTH) {
      const shown = this.player.character(pane);
      if (!shown || !model || shown === this.guest?.character) continue;
      if (shown !== character) {
        const settings = this.settings(this.way(view, pane));
        try {
          this.core.sn_character_update_settings(shown, settings);
        } finally {
          this.core.sn_settings_destroy(settings);
        }
      }
      this.picture.show(pane, model, shown);
    }
    this.player.touch();
  }

  update(): void {
    this.updates++;
    this.session.moved = true;
    for (const pane of BOTH) this.picture.update(pane);
  }
}
