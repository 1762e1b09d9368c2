// The library's functions as methods, by the rules of README.md.
import { SN_RESULT_INVALID_ARGUMENT, SN_RESULT_OK, SN_RESULT_UNSUPPORTED } from "./constants.js";
import { SinewError } from "./error.js";
import { runJob } from "./job.js";
import { Importer } from "./importer.js";
import { Layouts } from "./layouts.js";
import { Frame } from "./marshal.js";
import { Memory, Scratch } from "./memory.js";

const TEXT_ROOM = 4096;
const layouts = new Layouts();

export class Core {
  // `module`: what the glue made; `parts`: its memory and its table.
  constructor(module, parts) {
    this.module = module;
    this.layouts = layouts;
    this.table = parts.table;
    this.memory = new Memory(parts.memory, layouts, (size) => module._malloc(size) >>> 0, (address) => module._free(address));
    this.scratch = new Scratch(this.memory);
    this.addresses = module._sinew_function_table() >>> 0;
    this.progressAddress = module._sinew_progress_address() >>> 0;
    this.importAddress = module._sinew_import_address() >>> 0;
    this.importer = new Importer();
    /** Address of a clock, for the `clock` of Defs. */
    this.clock = module._sinew_clock_address() >>> 0;
    this.quietProgress = this.memory.malloc(8);
    this.memory.set("I", this.quietProgress, this.progressAddress);
    this.memory.set("I", this.quietProgress + 4, 0);
    this.compiled = new Map();
    this.listeners = new Map();
    this.lastListener = 0;
    this.thrown = null;
    this.jobs = new Set();
    this.owners = new Map(); // of what was made from a document: the document
    this.tasks = {};
    this.pool = 0;
    module.sinewImport = (data, size, unit) => this.importer.run(this.memory.now.bytes.subarray(data >>> 0, (data >>> 0) + size), unit);
    module.sinewImportTake = (out) => this.memory.now.bytes.set(this.importer.take(), out >>> 0);
    module.sinewTell = (listener, stage, share) => this.tell(listener, stage, share);
  }

  // ------------------------------------------------------------------------------------------------- progress

  listen(run) {
    this.lastListener = (this.lastListener % 0x7fffffff) + 1;
    this.listeners.set(this.lastListener, run);
    return this.lastListener;
  }
  unlisten(listener) {
    this.listeners.delete(listener);
  }
  // What a listener throws stops the call, and is thrown once that has returned.
  tell(listener, stage, share) {
    const run = this.listeners.get(listener);
    if (!run) return 1;
    try {
      return run(this.memory.string(stage >>> 0), share) === false ? 0 : 1;
    } catch (error) {
      this.thrown = { error };
      return 0;
    }
  }

  // ---------------------------------------------------------------------------------------------------- calls

  // What is known of a function, with the table's entry.
  compile(name) {
    let fn = this.compiled.get(name);
    if (fn) return fn;
    const { index, result, parameters } = this.layouts.function(name);
    const address = this.memory.get("I", this.addresses + 4 * index);
    const struct = result[0] === "{" ? this.layouts.single(result.slice(1, -1)) === null : false;
    fn = { name, address, result, parameters, struct, entry: address ? this.table.get(address) : null };
    fn.inputs = parameters.filter((one) => one.role === "in");
    fn.error = parameters.findIndex((one) => one.role === "error");
    fn.frees = /_(free|destroy|close)$/.test(name);
    fn.sliceable = result === "R" && parameters.every((one) => !"fdqQ".includes(one.code));
    this.compiled.set(name, fn);
    return fn;
  }

  // The arguments as C takes them, with what the call leaves behind.
  prepare(fn, args, arena) {
    if (!fn.entry) throw this.failure(SN_RESULT_UNSUPPORTED, `${fn.name} is not in this build of the core`);
    if (args.length > fn.inputs.length) throw new TypeError(`${fn.name} takes ${fn.inputs.length} arguments: ${fn.inputs.map((one) => one.name).join(", ")}`);
    this.refuseBusy(fn, args);
    const frame = new Frame(this, arena);
    frame.fn = fn;
    frame.args = args;
    frame.values = [];
    frame.outs = [];
    if (fn.struct) frame.values.push((frame.struct = arena.room(this.layouts.size(fn.result))));
    let next = 0;
    for (const one of fn.parameters) frame.values.push(this.value(one, frame, one.role === "in" ? args[next++] : null));
    return frame;
  }
  value(one, frame, given) {
    const { arena } = frame;
    switch (one.role) {
      case "in": return frame.argument(one, given, `${frame.fn.name}: ${one.name}`);
      case "out": return this.output(one, frame);
      case "text": return (frame.text = arena.room(TEXT_ROOM));
      case "capacity": return TEXT_ROOM;
      default: // an error that says nothing yet
        frame.error = arena.room(this.layouts.size("{snError}"));
        this.writeDefaults(this.layouts.struct("snError"), frame.error);
        return frame.error;
    }
  }
  output(one, frame) {
    const code = one.code.slice(1);
    const address = frame.arena.room(this.layouts.size(code));
    const layout = code[0] === "{" ? this.layouts.struct(code.slice(1, -1)) : null;
    if (layout?.defaults) this.writeDefaults(layout, address);
    frame.outs.push({ name: one.name.replace(/^out_/, ""), code, address });
    return address;
  }

  // What the call returned, as JavaScript has it.
  finish(frame, value) {
    const { fn, outs } = frame;
    frame.done();
    if (fn.result === "R" && value !== SN_RESULT_OK) throw this.errorOf(value, frame.error);
    if (fn.frees && typeof frame.args[0] === "number") this.forget(frame.args[0]);
    if (frame.text) return this.memory.string(frame.text);
    const own = fn.result === "R" || fn.result === "v" ? undefined : this.result(fn, frame, value);
    if (outs.length === 0) return own;
    if (own === false) return null;
    const read = outs.map((one) => this.memory.get(one.code, one.address));
    this.own(frame, read);
    const named = Object.fromEntries(outs.map((one, i) => [one.name, read[i]]));
    if (own !== undefined && own !== true) return { result: own, ...named };
    return outs.length === 1 ? read[0] : named;
  }
  result(fn, frame, value) {
    const code = fn.result;
    if (fn.struct) return this.memory.get(code, frame.struct);
    if (code[0] === "{") return { [this.layouts.struct(code.slice(1, -1)).fields[0].name]: value };
    if (code === "&c") return this.memory.string(value >>> 0);
    if (code === "b") return value !== 0;
    if (code === "Q") return BigInt.asUintN(64, value);
    if ("fdqic".includes(code)) return value;
    return value >>> 0;
  }

  call(name, args) {
    const fn = this.compile(name);
    const arena = this.scratch.enter();
    let frame = null;
    try {
      frame = this.prepare(fn, args, arena);
      const value = fn.entry(...frame.values);
      this.rethrow();
      return this.finish(frame, value);
    } finally {
      frame?.release();
      arena.release();
    }
  }
  rethrow() {
    if (this.thrown === null) return;
    const { error } = this.thrown;
    this.thrown = null;
    throw error;
  }

  /** Runs a call in slices, so that the thread can do other things meanwhile. */
  async run(name, ...args) {
    this.importer.wanted = false;
    try {
      return await runJob(this, name, [...args]);
    } catch (error) {
      if (!this.importer.wanted || error.code !== SN_RESULT_UNSUPPORTED) throw error;
      await this.loadImporter();
      return runJob(this, name, args);
    }
  }
  /** Loads the module that reads FBX, which `run` does by itself. */
  loadImporter(wasm) {
    return this.importer.load(wasm);
  }

  // --------------------------------------------------------------------------------------------------- errors

  errorOf(code, address) {
    if (!address || this.memory.get("I", address) === SN_RESULT_OK) return this.failure(code, null);
    const error = this.memory.readStruct("snError", address);
    return new SinewError(error, this.sn_result_name(code), this.sn_error_format(address));
  }
  // One without a place; `text` null: the name of the code.
  failure(code, text) {
    const name = this.sn_result_name(code);
    const error = { code, file: "", line: 0n, offset: 0xffffffffffffffffn, vertex: 0xffffffff, joint: 0xffffffff, text: text ?? name };
    return new SinewError(error, name, text ?? name);
  }

  // --------------------------------------------------------------------------------------------------- owners

  ownerOf(address) {
    return this.owners.get(address) ?? address;
  }
  // What a call made belongs to the first thing that it was given.
  own(frame, read) {
    const { fn, args } = frame;
    const from = fn.inputs.findIndex((one, i) => /^[*&]\{/.test(one.code) && typeof args[i] === "number" && args[i] !== 0);
    if (from < 0) return;
    const owner = this.ownerOf(args[from]);
    frame.outs.forEach((one, i) => {
      if (/^[*&]/.test(one.code) && read[i] !== 0) this.owners.set(read[i], owner);
    });
  }
  forget(address) {
    this.owners.delete(address);
    for (const [made, owner] of this.owners) if (owner === address) this.owners.delete(made);
  }
  refuseBusy(fn, args) {
    if (this.jobs.size === 0) return;
    fn.inputs.forEach((one, i) => {
      if (!/^[*&]\{/.test(one.code) || typeof args[i] !== "number" || args[i] === 0) return;
      const owner = this.ownerOf(args[i]);
      for (const job of this.jobs)
        if (job.owners.has(owner)) throw this.failure(SN_RESULT_INVALID_ARGUMENT, `${fn.name}: ${job.name} still works on this ${one.name}`);
    });
  }

  // ------------------------------------------------------------------------------------------------- defaults

  writeDefaults(layout, address) {
    const { entry, result } = this.compile(layout.defaults);
    if (this.layouts.single(result.slice(1, -1)) === null) entry(address);
    else this.memory.set(layout.fields[0].code, address, entry());
  }

  // --------------------------------------------------------------------------------------------------- memory

  /** Views of the module's memory, until it grows (any call may make it). */
  floats(address, count) { return new Float32Array(this.memory.now.buffer, address, count); }
  doubles(address, count) { return new Float64Array(this.memory.now.buffer, address, count); }
  u8(address, count) { return new Uint8Array(this.memory.now.buffer, address, count); }
  u16(address, count) { return new Uint16Array(this.memory.now.buffer, address, count); }
  u32(address, count) { return new Uint32Array(this.memory.now.buffer, address, count); }
  i32(address, count) { return new Int32Array(this.memory.now.buffer, address, count); }
  string(address) { return this.memory.string(address); }
  strings(address, count) { return Array.from(this.u32(address, count), (one) => this.memory.string(one)); }
  read(name, address) { return this.memory.readStruct(name, address); }
  readList(name, address, count) {
    const { size } = this.layouts.struct(name);
    return Array.from({ length: count }, (_, i) => this.memory.readStruct(name, address + i * size));
  }
  /** The address of a field of a struct. */
  field(name, address, field) { return address + this.layouts.struct(name).byName.get(field).offset; }
  sizeOf(name) { return this.layouts.struct(name).size; }
  alloc(size) {
    const address = this.memory.malloc(size);
    if (address === 0) throw new RangeError(`no memory for ${size} bytes`);
    return address;
  }
  free(address) { this.memory.free(address); }
  /** Bytes of the whole memory now. */
  get memorySize() { return this.memory.now.buffer.byteLength; }

  addFunction(run, signature) { return this.module.addFunction(run, signature); }
  removeFunction(address) { this.module.removeFunction(address); }

  startPool(workers) {
    this.pool = this.sn_pool_create(workers);
    this.tasks = this.sn_pool_tasks(this.pool);
  }
  /** Ends the threads. */
  close() {
    if (this.pool) this.sn_pool_destroy(this.pool);
    this.pool = 0;
    this.tasks = {};
    this.module.PThread?.terminateAllThreads();
  }

  /** A copy of what a writer handed out, which is freed. */
  takeBytes(bytes) {
    const copy = this.memory.now.bytes.slice(bytes.data, bytes.data + bytes.size);
    this.sn_bytes_free(bytes);
    return copy;
  }
  /** Files that lie beside one, for `files` of Defs. */
  files(map) {
    const list = Array.from(map, ([name, data]) => ({ name, data, size: data.byteLength }));
    return { count: list.length, files: list };
  }
}

for (const name of layouts.functions.keys())
  Core.prototype[name] = function (...args) {
    return this.call(name, args);
  };
