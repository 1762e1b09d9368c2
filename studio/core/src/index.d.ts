// @sinew/core: README.md has the rules.
import type { Functions, snBytes, snFilesInput, snTasksInput } from "./headers.js";

export * from "./headers.js";

/** An address in the module's memory; 0 is NULL. */
export type Ptr<T extends string> = number & { readonly __to?: T };
/** Told what a long call does now and how much of it is done, 0 to 1; false stops it. */
export type Progress = ((stage: string, share: number) => boolean | void) | null;

/** What the library says when a call fails. */
export class SinewError extends Error {
  /** One of SN_RESULT_... */
  code: number;
  /** Of the code: "bad data". */
  name: string;
  /** "file:line: text" */
  message: string;
  file: string;
  /** 1 and on; 0: unknown. */
  line: number;
  offset: number | null;
  vertex: number | null;
  joint: number | null;
  text: string;
}

export interface LoadOptions {
  /** The build with threads: "auto" where the page allows it. Default false. */
  threads?: boolean | "auto";
  /** How many threads work on frames, the calling one counted; default one per core. */
  workers?: number;
  /** The build with CHOLMOD, for posing by handles. Default false. */
  handles?: boolean;
  /** Where the module is, or its bytes; default beside this file. */
  wasm?: URL | string | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
  /** What the viewport draws on. */
  canvas?: OffscreenCanvas | HTMLCanvasElement;
  /** Told what C prints; default the console. */
  print?: (text: string) => void;
}

export interface RunOptions {
  progress?: Progress;
  /** Cancels: the call then throws SN_RESULT_CANCELLED, and everything is as it was. */
  signal?: AbortSignal;
  /** Milliseconds of work between two turns of the event loop; default 8. */
  slice?: number;
  /** Bytes of the call's stack; default SN_JOB_STACK. */
  stack?: number;
}

export interface Core extends Functions {
  /**
   * Runs a call in slices, so that the thread can do other things meanwhile. Until it is done, calls on the same document are
   * refused. For functions that return snResult and take no floats but in structs.
   */
  run<N extends keyof Functions>(name: N, ...args: Parameters<Functions[N]>): Promise<ReturnType<Functions[N]>>;
  run<N extends keyof Functions>(name: N, ...args: [...Parameters<Functions[N]>, RunOptions]): Promise<ReturnType<Functions[N]>>;

  /** Loads the module that reads FBX. `run` does it by itself where a file needs it; other calls throw before. */
  loadImporter(wasm?: LoadOptions["wasm"]): Promise<void>;

  /** How frames are spread over threads, for `tasks` of Defs; empty without threads. */
  readonly tasks: snTasksInput;
  /** Address of a clock, for `clock` of Defs. */
  readonly clock: Ptr<"function">;
  /** Ends the threads. */
  close(): void;

  /** Views of the module's memory. They end when it grows, which any call may make it do. */
  floats(address: number, count: number): Float32Array;
  doubles(address: number, count: number): Float64Array;
  u8(address: number, count: number): Uint8Array;
  u16(address: number, count: number): Uint16Array;
  u32(address: number, count: number): Uint32Array;
  i32(address: number, count: number): Int32Array;
  string(address: number): string | null;
  /** The strings of a list of pointers. */
  strings(address: number, count: number): (string | null)[];
  /** A struct at an address, as an object of its own. */
  read<N extends keyof Structs>(name: N, address: Ptr<N>): Structs[N];
  readList<N extends keyof Structs>(name: N, address: Ptr<N>, count: number): Structs[N][];
  /** The address of a field. */
  field(name: keyof Structs, address: number, field: string): number;
  sizeOf(name: keyof Structs): number;
  /** Memory of the module. */
  alloc(size: number): Ptr<"void">;
  free(address: number): void;
  readonly memorySize: number;

  /** A function of JavaScript as one of C: "vii" is void of two ints, i, j, f, d. */
  addFunction(run: Function, signature: string): Ptr<"function">;
  removeFunction(address: Ptr<"function">): void;

  /** A copy of what a writer handed out, which is freed. */
  takeBytes(bytes: snBytes): Uint8Array;
  /** Files that lie beside one, for `files` of Defs. */
  files(map: Map<string, Uint8Array> | Iterable<[string, Uint8Array]>): snFilesInput;
}

import type { Structs } from "./headers.js";

/** True where threads can share memory. */
export function canThread(): boolean;
/** Loads the library. Several can be loaded side by side; they share nothing. */
export function load(options?: LoadOptions): Promise<Core>;
