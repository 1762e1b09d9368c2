// @sinew/core: the library for pages and Node.js. README.md has the rules.
import { compile } from "./compile.js";
import { Core } from "./core.js";

export * from "./constants.js";
export { SinewError } from "./error.js";

const NODE = typeof process === "object" && typeof process.versions?.node === "string" && typeof window === "undefined" && typeof WorkerGlobalScope === "undefined";

// Literal, so that bundlers find the files.
const GLUE = {
  plain: () => import("./sinew.mjs"),
  threads: () => import("./sinew-threads.mjs"),
  handles: () => import("./sinew-handles.mjs"),
};
const WASM = {
  plain: () => new URL("./sinew.wasm", import.meta.url),
  threads: () => new URL("./sinew-threads.wasm", import.meta.url),
  handles: () => new URL("./sinew-handles.wasm", import.meta.url),
};

// Makes workers as the glue expects them.
async function workerMaker() {
  if (!NODE) return () => new Worker(new URL("./thread.js", import.meta.url), { type: "module" });
  const { Worker: Thread } = await import(/* @vite-ignore */ "node:worker_threads");
  return () => {
    const thread = new Thread(new URL("./thread-node.js", import.meta.url));
    const worker = { postMessage: (message) => thread.postMessage(message), terminate: () => thread.terminate() };
    thread.on("message", (data) => worker.onmessage({ data }));
    thread.on("error", (error) => worker.onerror(error));
    // Once it waits for work, it does not keep the program alive.
    thread.on("message", ({ cmd }) => cmd === "loaded" && thread.unref());
    return worker;
  };
}
const cores = async () => (NODE ? (await import(/* @vite-ignore */ "node:os")).cpus().length : navigator.hardwareConcurrency || 1);

function find(kind, ...places) {
  for (const place of places) for (const key in place) if (place[key] instanceof kind) return place[key];
  return null;
}

/** True where threads can share memory. */
export function canThread() {
  return typeof SharedArrayBuffer !== "undefined" && (NODE || globalThis.crossOriginIsolated === true);
}

/** Loads the library. Several can be loaded side by side; they share nothing. */
export async function load(options = {}) {
  const threads = options.threads === "auto" ? canThread() : options.threads === true;
  if (threads && !canThread()) throw new Error("threads need a page that is cross-origin isolated");
  if (threads && options.handles) throw new Error("there is no build with threads and handles");
  const kind = threads ? "threads" : options.handles ? "handles" : "plain";
  const [glue, wasm] = await Promise.all([GLUE[kind](), compile(options.wasm ?? WASM[kind]())]);
  const workers = threads ? options.workers ?? (await cores()) : 1;
  const parts = {};
  const given = {
    sinewWorkers: workers - 1,
    sinewWorker: threads ? await workerMaker() : undefined,
    canvas: options.canvas,
    print: options.print,
    // Node.js may wait on its main thread, unlike a page.
    printErr: (text) => (NODE && text.startsWith("Blocking on the main thread") ? undefined : (options.print ?? console.warn)(text)),
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(wasm, imports).then((instance) => {
        parts.memory = find(WebAssembly.Memory, instance.exports, ...Object.values(imports));
        parts.table = find(WebAssembly.Table, instance.exports);
        receive(instance, wasm);
      }, given.sinewFail);
      return {};
    },
  };
  const module = await new Promise((resolve, reject) => {
    given.sinewFail = reject;
    glue.default(given).then(resolve, reject);
  });
  // The name of the canvas, for snViewportDef.
  if (options.canvas && module.specialHTMLTargets) module.specialHTMLTargets["#viewport"] = options.canvas;
  const core = new Core(module, parts);
  if (workers > 1) core.startPool(workers);
  return core;
}
