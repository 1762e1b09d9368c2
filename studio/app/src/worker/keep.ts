// What survives a reload: projects with their history in the browser's own storage for this page. Nothing leaves it.

export interface Kept {
  name: string;
  project: Uint8Array;
  history: Uint8Array;
  extra: string; // JSON: clip, camera
}
interface Entry {
  name: string;
  time: number;
}
interface Index {
  last: string | null;
  entries: Entry[];
}

const MOST = 8; // projects; the oldest goes

const folder = (): Promise<FileSystemDirectoryHandle> => navigator.storage.getDirectory();
const fileOf = (name: string, kind: string) => `${encodeURIComponent(name)}.${kind}`;

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

async function remove(name: string): Promise<void> {
  const root = await folder();
  for (const kind of ["snproject", "history", "json"]) await root.removeEntry(fileOf(name, kind)).catch(() => undefined);
}

async function readIndex(): Promise<Index> {
  const bytes = await read("index.json");
  if (!bytes) return { last: null, entries: [] };
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Index;
  } catch {
    return { last: null, entries: [] };
  }
}

export class Keep {
  private index: Index = { last: null, entries: [] };
  private chain: Promise<unknown> = Promise.resolve();
  available = false;

  async begin(): Promise<void> {
    try {
      await folder();
      this.index = await readIndex();
      this.available = true;
    } catch {
      this.available = false; // a private window, or storage that is full
    }
  }

  get recent(): string[] {
    return [...this.index.entries].sort((a, b) => b.time - a.time).map((entry) => entry.name);
  }
  get last(): string | null {
    return this.index.last;
  }

  // One after the other, in the order of the edits.
  private queue<T>(run: () => Promise<T>): Promise<T> {
    const next = this.chain.then(run, run);
    this.chain = next.catch(() => undefined);
    return next;
  }

  save(kept: Kept): Promise<void> {
    return this.queue(async () => {
      await write(fileOf(kept.name, "snproject"), kept.project);
      await write(fileOf(kept.name, "history"), kept.history);
      await write(fileOf(kept.name, "json"), kept.extra);
      const others = this.index.entries.filter((entry) => entry.name !== kept.name).sort((a, b) => b.time - a.time);
      for (const old of others.splice(MOST - 1)) await remove(old.name);
      this.index = { last: kept.name, entries: [{ name: kept.name, time: Date.now() }, ...others] };
      await write("index.json", JSON.stringify(this.index));
    });
  }

  load(name: string): Promise<Kept | null> {
    return this.queue(async () => {
      const project = await read(fileOf(name, "snproject"));
      if (!project) return null;
      const extra = await read(fileOf(name, "json"));
      return {
        name,
        project,
        history: (await read(fileOf(name, "history"))) ?? new Uint8Array(),
        extra: extra ? new TextDecoder().decode(extra) : "{}",
      };
    });
  }

  // Nothing opens by itself next time.
  leave(): Promise<void> {
    return this.queue(async () => {
      if (this.index.last === null) return;
      this.index = { ...this.index, last: null };
      await write("index.json", JSON.stringify(this.index));
    });
  }
}
