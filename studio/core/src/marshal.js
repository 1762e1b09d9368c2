// Values of JavaScript as the arguments of C, and what C left behind as values of JavaScript.
import { Memory } from "./memory.js";

const VIEWS = { c: Int8Array, b: Uint8Array, B: Uint8Array, h: Int16Array, H: Uint16Array, i: Int32Array, I: Uint32Array, q: BigInt64Array, Q: BigUint64Array, f: Float32Array, d: Float64Array };

function bytesOf(value) {
  if (value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer)) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : null;
}

// One call's arguments. `core` gives defaults of structs and numbers to listeners.
export class Frame {
  constructor(core, arena) {
    this.core = core;
    this.memory = core.memory;
    this.layouts = core.layouts;
    this.arena = arena;
    this.backs = []; // to be done when the call is done
    this.listeners = [];
  }

  // -------------------------------------------------------------------------------------------------- writing

  // `overlay`: what is there already are defaults.
  write(code, address, value, where, overlay = false) {
    const kind = code[0];
    if (kind === "{") {
      const name = code.slice(1, -1);
      if (name === "snProgress") return this.writeProgress(address, value);
      return this.writeStruct(name, address, value, where, overlay);
    }
    if (kind === "[") return this.writeArray(code, address, value, where);
    if (kind === "*" || kind === "&") return this.memory.set("I", address, this.pointer(code, value, where));
    if (kind === "F") return this.memory.set("I", address, this.functionAddress(value, where));
    this.memory.set(code, address, scalar(code, value, where));
  }

  functionAddress(value, where) {
    if (value === null || value === undefined) return 0;
    if (typeof value === "number") return value;
    throw new TypeError(`${where}: a function's address is needed (core.addFunction)`);
  }

  // A number is the listener that it already has.
  writeProgress(address, value) {
    let listener = 0;
    if (typeof value === "function") {
      listener = this.core.listen(value);
      this.listeners.push(listener);
    } else if (typeof value?.run === "number" && value.run !== 0) {
      this.memory.set("I", address, value.run);
      return this.memory.set("I", address + 4, value.user ?? 0);
    }
    this.memory.set("I", address, this.core.progressAddress);
    this.memory.set("I", address + 4, listener);
  }

  writeStruct(name, address, value, where, overlay) {
    const layout = this.layouts.struct(name);
    if (typeof value !== "object" || value === null) throw new TypeError(`${where}: ${name} is an object`);
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return this.writeNumbers(layout, address, value, where);
    if (!overlay && layout.defaults) this.core.writeDefaults(layout, address);
    const whole = overlay || layout.defaults !== null;
    for (const { name: field, offset, code } of layout.fields) {
      if (value[field] !== undefined) continue;
      if (code === "{snProgress}") this.writeProgress(address + offset, null);
      if (code === "{snImport}") this.memory.set("I", address + offset, this.core.importAddress);
    }
    for (const key in value) {
      const field = layout.byName.get(key);
      if (!field) throw new TypeError(`${where}: ${name} has no field ${key}`);
      if (value[key] === undefined) continue;
      this.write(field.code, address + field.offset, value[key], `${where}.${key}`, whole);
    }
  }

  // [x, y, z] or a view for a struct of numbers alone: vectors, matrices.
  writeNumbers(layout, address, value, where) {
    if (value.length * 4 !== layout.size) throw new TypeError(`${where}: ${layout.name} is ${layout.size / 4} numbers`);
    for (let i = 0; i < value.length; i++) this.memory.set("f", address + i * 4, value[i]);
  }

  writeArray(code, address, value, where) {
    const end = code.indexOf("]");
    const count = Number(code.slice(1, end)), inner = code.slice(end + 1);
    if (inner === "c") return this.memory.fill(address, count, value);
    if (value.length > count) throw new RangeError(`${where}: ${value.length} items, ${count} are the most`);
    const size = this.layouts.size(inner);
    for (let i = 0; i < value.length; i++) this.write(inner, address + i * size, value[i], `${where}[${i}]`);
  }

  // ------------------------------------------------------------------------------------------------- pointers

  // The address of what a pointer of this code is given.
  pointer(code, value, where) {
    if (value === null || value === undefined) return this.nothing(code, where);
    if (typeof value === "number") return value;
    const inner = code.slice(1), mutable = code[0] === "*";
    if (typeof value === "string") {
      if (code !== "&c") throw new TypeError(`${where}: a string where none can be`);
      return this.arena.text(value);
    }
    const bytes = bytesOf(value);
    if (bytes) return this.buffer(bytes, mutable);
    if (inner === "{snProgress}") {
      const address = this.arena.room(8);
      this.writeProgress(address, value);
      return address;
    }
    if (Array.isArray(value)) return this.list(inner, value, mutable, where);
    if (inner[0] === "{") return this.object(inner, value, mutable, where);
    throw new TypeError(`${where}: ${typeof value} where a pointer is needed`);
  }

  // NULL; but a Def with progress or an importer becomes its defaults, which have ours.
  nothing(code, where) {
    if (code[0] !== "&" || code[1] !== "{") return 0;
    if (code === "&{snProgress}") return this.core.quietProgress;
    const layout = this.layouts.struct(code.slice(2, -1));
    const ours = layout?.defaults && layout.fields.some((field) => field.code === "{snProgress}" || field.code === "{snImport}");
    return ours ? this.object(code.slice(1), {}, false, where) : 0;
  }

  buffer(bytes, mutable) {
    const address = this.arena.copy(bytes);
    if (mutable) this.backs.push(() => bytes.set(this.memory.now.bytes.subarray(address, address + bytes.length)));
    return address;
  }

  list(inner, value, mutable, where) {
    if (Memory.isScalar(inner)) {
      const view = VIEWS[inner].from(value);
      const address = this.arena.copy(new Uint8Array(view.buffer));
      if (mutable) this.backs.push(() => value.forEach((_, i) => (value[i] = this.memory.get(inner, address + i * view.BYTES_PER_ELEMENT))));
      return address;
    }
    const size = this.layouts.size(inner);
    const address = this.arena.room(size * value.length);
    value.forEach((item, i) => this.write(inner, address + i * size, item, `${where}[${i}]`));
    if (mutable && inner[0] === "{") this.backs.push(() => value.forEach((item, i) => Object.assign(item, this.memory.get(inner, address + i * size))));
    return address;
  }

  // One struct; what may be changed is read back into the object.
  object(inner, value, mutable, where) {
    const name = inner.slice(1, -1);
    if (!this.layouts.struct(name)) throw new TypeError(`${where}: ${name} is opaque, its address is needed`);
    const address = this.arena.room(this.layouts.size(inner));
    this.write(inner, address, value, where);
    if (mutable) this.backs.push(() => Object.assign(value, this.memory.readStruct(name, address)));
    return address;
  }

  // ------------------------------------------------------------------------------------------------ arguments

  argument(parameter, value, where) {
    const { code } = parameter;
    if (code[0] === "{") {
      const single = this.layouts.single(code.slice(1, -1));
      const address = this.arena.room(this.layouts.size(code));
      this.write(code, address, value, where);
      return single ? this.memory.get(single, address) : address;
    }
    if (code[0] === "*" || code[0] === "&") return this.pointer(code, value, where);
    if (code === "F") return this.functionAddress(value, where);
    return scalar(code, value, where);
  }

  done() {
    for (const back of this.backs) back();
  }
  release() {
    for (const listener of this.listeners) this.core.unlisten(listener);
  }
}

function scalar(code, value, where) {
  if (code === "b") return value ? 1 : 0;
  if (code === "q" || code === "Q") return BigInt(value);
  if (typeof value !== "number") {
    if (typeof value === "boolean") return value ? 1 : 0;
    throw new TypeError(`${where}: a number is needed, not ${value === null ? "null" : typeof value}`);
  }
  return value;
}
