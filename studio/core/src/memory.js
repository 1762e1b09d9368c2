// The module's memory: views, values of C types, and room for the length of a call.

const SCALARS = new Set("bcBhHiIqQfd");

export class Memory {
  constructor(memory, layouts, malloc, free) {
    Object.assign(this, { memory, layouts, malloc, free });
    this.decoder = new TextDecoder();
    this.encoder = new TextEncoder();
    this.refresh();
  }

  refresh() {
    this.buffer = this.memory.buffer;
    this.data = new DataView(this.buffer);
    this.bytes = new Uint8Array(this.buffer);
  }
  // Views are made anew once the memory has grown.
  get now() {
    if (this.buffer !== this.memory.buffer) this.refresh();
    return this;
  }

  // -------------------------------------------------------------------------------------------------- words

  string(address) {
    if (!address) return null;
    const { bytes } = this.now;
    return this.decode(address, bytes.indexOf(0, address));
  }
  decode(begin, end) {
    return this.decoder.decode(this.bytes.slice(begin, end)); // decoders refuse shared memory
  }
  fill(address, capacity, text) {
    const { bytes } = this.now;
    const words = this.encoder.encode(text);
    if (words.length >= capacity) throw new RangeError(`${JSON.stringify(text)} is longer than ${capacity - 1} bytes`);
    bytes.set(words, address);
    bytes.fill(0, address + words.length, address + capacity);
  }

  // ------------------------------------------------------------------------------------------------- values

  get(code, address) {
    const { data } = this.now;
    switch (code[0]) {
      case "b": return data.getUint8(address) !== 0;
      case "c": return data.getInt8(address);
      case "B": return data.getUint8(address);
      case "h": return data.getInt16(address, true);
      case "H": return data.getUint16(address, true);
      case "i": return data.getInt32(address, true);
      case "q": return data.getBigInt64(address, true);
      case "Q": return data.getBigUint64(address, true);
      case "f": return data.getFloat32(address, true);
      case "d": return data.getFloat64(address, true);
      case "{": return this.readStruct(code.slice(1, -1), address);
      case "[": return this.readArray(code, address);
      default: return data.getUint32(address, true); // numbers, pointers, functions
    }
  }

  set(code, address, value) {
    const { data } = this.now;
    switch (code[0]) {
      case "b": data.setUint8(address, value ? 1 : 0); break;
      case "c": data.setInt8(address, value); break;
      case "B": data.setUint8(address, value); break;
      case "h": data.setInt16(address, value, true); break;
      case "H": data.setUint16(address, value, true); break;
      case "i": data.setInt32(address, value, true); break;
      case "q": data.setBigInt64(address, BigInt(value), true); break;
      case "Q": data.setBigUint64(address, BigInt(value), true); break;
      case "f": data.setFloat32(address, value, true); break;
      case "d": data.setFloat64(address, value, true); break;
      default: data.setUint32(address, value, true);
    }
  }

  readStruct(name, address) {
    const layout = this.layouts.struct(name);
    if (!layout) throw new TypeError(`${name} is opaque`);
    const out = {};
    for (const { name: field, offset, code } of layout.fields) out[field] = this.get(code, address + offset);
    return out;
  }

  readArray(code, address) {
    const end = code.indexOf("]");
    const count = Number(code.slice(1, end)), inner = code.slice(end + 1);
    if (inner === "c") {
      const { bytes } = this.now;
      const zero = bytes.indexOf(0, address);
      return this.decode(address, zero < 0 || zero > address + count ? address + count : zero);
    }
    const size = this.layouts.size(inner);
    return Array.from({ length: count }, (_, i) => this.get(inner, address + i * size));
  }

  static isScalar(code) {
    return code.length === 1 && SCALARS.has(code);
  }
}

// Room that is given back in the order it was taken: what one call needs, and what calls within it do.
export class Scratch {
  constructor(memory, size = 1 << 16) {
    this.memory = memory;
    this.size = size;
    this.base = memory.malloc(size);
    this.used = 0;
  }
  enter() {
    return new Arena(this.memory, this);
  }
}

// What a call needs until it is done.
export class Arena {
  constructor(memory, scratch = null) {
    this.memory = memory;
    this.scratch = scratch;
    this.mark = scratch?.used ?? 0;
    this.blocks = [];
  }
  room(size, zero = true) {
    const whole = (size + 15) & ~15 || 16;
    const { scratch } = this;
    let address;
    if (scratch && scratch.used + whole <= scratch.size) {
      address = scratch.base + scratch.used;
      scratch.used += whole;
    } else {
      address = this.memory.malloc(whole);
      if (address === 0) throw new RangeError(`no memory for ${size} bytes`);
      this.blocks.push(address);
    }
    if (zero) this.memory.now.bytes.fill(0, address, address + whole);
    return address;
  }
  text(text) {
    const words = this.memory.encoder.encode(text);
    const address = this.room(words.length + 1);
    this.memory.now.bytes.set(words, address);
    return address;
  }
  copy(bytes) {
    const address = this.room(bytes.length, false);
    this.memory.now.bytes.set(bytes, address);
    return address;
  }
  release() {
    if (this.scratch) this.scratch.used = this.mark;
    for (const block of this.blocks) this.memory.free(block);
    this.blocks.length = 0;
  }
}
