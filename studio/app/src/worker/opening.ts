// What becomes of files that were dropped or chosen.
import type { NamedFile } from "../protocol";
import { bare, sort, title } from "./files";
import { post } from "./post";
import type { Opened, Session } from "./session";

type Progress = (stage: string, share: number) => void;
export type Work = <T>(what: string, run: (signal: AbortSignal, progress: Progress) => Promise<T>) => Promise<T | null>;

export interface Takers {
  work: Work; // one long call at a time
  show(opened: Opened): boolean; // false: it has no surface, so it is a motion
  move(file: NamedFile, all: NamedFile[]): Promise<void>;
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
  const clips = [...motions];
  let [first] = projects;
  const open = first
    ? (signal: AbortSignal, progress: Progress) => session.openProject(title(first.name), new Uint8Array(first.bytes), null, undefined, signal, progress)
    : (signal: AbortSignal, progress: Progress) => session.openModel(first, files, signal, progress);
  first ??= models[0];
  clips.unshift(...models.filter((model) => model !== first));
  if (first) {
    const opened = await takers.work(`Opening ${bare(first.name)}`, open);
    if (!opened) return; // that was said; what belongs to it is left alone
    if (!takers.show(opened)) clips.unshift(first);
  }
  for (const file of clips) await takers.move(file, files);
  for (const file of settings) await takers.work(`Reading ${bare(file.name)}`, async () => takers.set(() => session.readSettings(file)));
}
