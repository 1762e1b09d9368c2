// What becomes of files that were dropped or chosen.
import type { NamedFile } from "../protocol";
import { bare, sort, title } from "./files";
import { post } from "./post";
import type { Opened, Session, Tell } from "./session";

export type Work = <T>(what: string, run: (signal: AbortSignal, tell: Tell) => Promise<T>) => Promise<T | null>;

export interface Takers {
  work: Work; // one long call at a time; null: it failed or was cancelled, and that was said
  show(opened: Opened): boolean; // false: it has no surface, so it is a motion
  move(file: NamedFile, all: NamedFile[]): Promise<boolean>; // false: cancelled
  set(run: () => void): void; // an edit of the settings
}

const KNOWN =
  "Drop a model (GLB, glTF, FBX, OBJ, PLY, OFF, STL), a motion (BVH, AMC with its ASF), settings (JSON) or a project. Your work was not changed.";

// A project or the first model becomes the document; motions, and models without a surface, come onto it.
export async function openFiles(files: NamedFile[], session: Session, takers: Takers): Promise<void> {
  const { projects, models, motions, settings } = sort(files);
  if (projects.length + models.length + motions.length + settings.length === 0) {
    post({ type: "error", what: "Nothing to open.", detail: files.map((file) => bare(file.name)).join(", "), next: KNOWN });
    return;
  }
  const first = projects[0] ?? models[0];
  const clips = [...models.filter((model) => model !== first), ...motions];
  if (first) {
    const opened = await takers.work(`Opening ${bare(first.name)}`, (signal, tell) =>
      projects.length > 0
        ? session.openProject({ name: title(first.name), project: new Uint8Array(first.bytes) }, signal, tell)
        : session.openModel(first, files, signal, tell),
    );
    if (!opened) return; // what belongs to it is left alone
    if (!takers.show(opened)) clips.unshift(first);
  }
  for (const file of clips) if (!(await takers.move(file, files))) return;
  for (const file of settings) await takers.work(`Reading ${bare(file.name)}`, async () => takers.set(() => session.readSettings(file)));
}
