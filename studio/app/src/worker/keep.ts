// What survives a reload: projects with their history in the browser's own storage for this page. Nothing leaves it.
// A project goes by a number of its own, so that two files of one name are two projects.
import type { Recent } from "../protocol";

export interface Kept {
  id: string;
  name: string;
  project: Uint8Array;
  history: Uint8Array;
  extra: string; // JSON: clip, camera
}
interface Index {
  last: string | null; // opened by itself next time
  entries: (Recent & { time: number })[];
}

const MOST = 8; // projects; the oldest goes
const KINDS = ["snproject", "history", "extra"] as const;
const NO_INDEX: Index = { last: null, entries: [] };

const folder = (): Promise<FileSystemDirectoryHandle> => navigator.storage.getDirectory();

async function read(name: string): Promise<Uint8Array | null> {
  try {
    const handle = await (await folder()).getFileHandle(name);
    return new Uint8Array(await (await handle.getFile()).arrayBuffer());
  } catch {
    return null;
  }
}

// As a whole or not at all: what is written replaces the file when it is closed.
async function write(name: string, data: Uint8Array | string): Promise<void> {
  const handle = await (await folder()).getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  await stream.write(data as unknown as FileSystemWriteChunkType);
  await stream.close();
}

async function remove(id: string): Promise<void> {
  const root = await folder();
  for (const kind of KINDS) await root.removeEntry(`${id}.${kind}`).catch(() => undefined);
}

async function readIndex(): Promise<Index> {
  const bytes = await read("index.json");
  if (!bytes) return NO_INDEX;
  try {
    const index = JSON.parse(new TextDecoder().decode(bytes)) as Index;
    return Array.isArray(index.entries) ? index : NO_INDEX;
  } catch {
    return NO_INDEX;
  }
}

export class Keep {
  private index: Index = NO_INDEX;
  private chain: Promise<unknown> = Promise.resolve();
  available = false;

  async begin(): Promise<void> {
    try {
      this.index = await readIndex();
      this.available = typeof (await folder()) === "object" && "createWritable" in FileSystemFileHandle.prototype;
    } catch {
      this.available = false; // a private window, or storage that is full
    }
  }

  get recent(): Recent[] {
    return [...this.index.entries].sort((a, b) => b.time - a.time).map(({ id, name }) => ({ id, name }));
  }
  get last(): string | null {
    return this.index.last;
  }

  // One after the other, in the order of the edits, and never two tabs at once.
  private queue<T>(run: () => Promise<T>): Promise<T> {
    const locked = () => navigator.locks.request("keep", run) as Promise<T>;
    const next = this.chain.then(locked, locked);
    this.chain = next.catch(() => undefined);
    return next;
  }

  save(kept: Kept): Promise<void> {
    return this.queue(async () => {
      await write(`${kept.id}.snproject`, kept.project);
      await write(`${kept.id}.history`, kept.history);
      await write(`${kept.id}.extra`, kept.extra);
      const { entries } = await readIndex();
      const others = entries.filter((entry) => entry.id !== kept.id).sort((a, b) => b.time - a.time);
      for (const old of others.splice(MOST - 1)) await remove(old.id);
      await this.writeIndex({ last: kept.id, entries: [{ id: kept.id, name: kept.name, time: Date.now() }, ...others] });
    });
  }

  load(id: string): Promise<Kept | null> {
    return this.queue(async () => {
      const [project, history, extra] = [await read(`${id}.snproject`), await read(`${id}.history`), await read(`${id}.extra`)];
      const name = this.index.entries.find((entry) => entry.id === id)?.name ?? "project";
      if (!project) return null;
      return { id, name, project, history: history ?? new Uint8Array(), extra: extra ? new TextDecoder().decode(extra) : "{}" };
    });
  }

  // Which one opens by itself next time; null: none.
  setLast(last: string | null): Promise<void> {
    return this.queue(async () => this.writeIndex({ ...(await readIndex()), last }));
  }
  private async writeIndex(index: Index): Promise<void> {
    this.index = index;
    await write("index.json", JSON.stringify(index));
  }
}
