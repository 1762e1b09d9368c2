// FBX, read by a module of its own. Every file gets a new instance, which is thrown away: a bug that a file reaches does not
// reach the next one, nor the core.
import { compile } from "./compile.js";

const ABSENT = -1, CRASHED = -2;
const URL_OF = () => new URL("./fbx.wasm", import.meta.url);

export class Importer {
  module = null;
  loading = null;
  wanted = false; // it was asked for before it was there
  stream = null;

  load(wasm) {
    this.loading ??= compile(wasm ?? URL_OF()).then(
      (module) => void (this.module = module),
      (error) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }

  // It has no files and no clock; what it asks of the system fails.
  instance() {
    const imports = {};
    for (const { module, name, kind } of WebAssembly.Module.imports(this.module))
      if (kind === "function") (imports[module] ??= {})[name] = () => -1;
    const { exports } = new WebAssembly.Instance(this.module, imports);
    exports._initialize?.();
    return exports;
  }

  // The length of the stream, which `take` then hands out.
  run(data, unit) {
    this.wanted = this.module === null;
    if (this.wanted) return ABSENT;
    try {
      const { memory, ...made } = this.instance();
      const room = made.sinew_import_room(data.length) >>> 0;
      if (room === 0) return CRASHED;
      new Uint8Array(memory.buffer, room, data.length).set(data);
      if (!made.sinew_import(unit)) return CRASHED;
      this.stream = new Uint8Array(memory.buffer, made.sinew_import_data() >>> 0, made.sinew_import_size());
      return this.stream.length;
    } catch {
      return CRASHED;
    }
  }

  take() {
    const { stream } = this;
    this.stream = null;
    return stream;
  }
}
