// A file that was written, opened again: the right side of the split view plays it as any viewer would.
import type { Desk } from "../desk";
import { sn, type CharacterPtr, type DocumentPtr, type ModelPtr } from "../library";

export class Guest {
  private document: DocumentPtr | null = null;

  constructor(private readonly desk: Desk) {}

  async open(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    this.close();
    const { core, panes } = this.desk;
    const document = core.sn_document_create({ tasks: core.tasks, history_limit: 0 }, null);
    try {
      await core.run("sn_document_open_memory", document, name, bytes, bytes.byteLength, { images: sn.SN_IMAGES_ALL }, { signal });
    } catch (error) {
      core.sn_document_destroy(document);
      throw error;
    }
    this.document = document;
    const model = core.sn_document_model(document) as ModelPtr;
    // What the file itself does: its skin and its targets, nothing that would come on top.
    core.sn_document_set(document, "flesh.on", "off");
    core.sn_document_set(document, "volume.method", "none");
    core.sn_document_set(document, "skin", "linear");
    panes.guest = { model, character: core.sn_document_character(document) as CharacterPtr, clip: 0 };
  }
  close(): void {
    const { core, panes } = this.desk;
    if (!this.document) return;
    panes.guest = null;
    core.sn_document_destroy(this.document);
    this.document = null;
  }
}
