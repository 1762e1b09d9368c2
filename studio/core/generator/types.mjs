// C types as short codes, and where wasm32 puts them.
//
//   v void  b bool  c char  B uint8  h int16  H uint16  i int32  I uint32, enums, size_t  q int64  Q uint64  f float  d double
//   {snVec3} a struct   [3]f an array   F a function   *T a pointer   &T a pointer to const

const SCALARS = {
  void: "v", _Bool: "b", bool: "b", char: "c", int8_t: "c", uint8_t: "B", int16_t: "h", uint16_t: "H", int: "i",
  int32_t: "i", "unsigned int": "I", unsigned: "I", uint32_t: "I", size_t: "I", uintptr_t: "I", int64_t: "q", uint64_t: "Q",
  float: "f", double: "d",
};
const SIZES = { b: 1, c: 1, B: 1, h: 2, H: 2, i: 4, I: 4, q: 8, Q: 8, f: 4, d: 8, F: 4, "*": 4, "&": 4 };

export class Types {
  constructor(headers) {
    this.headers = headers;
    this.layouts = new Map();
  }

  code(type) {
    const text = type.replace(/\b(struct|enum|restrict)\b/g, "").replace(/\s+/g, " ").trim();
    if (/\(\*\)\s*\(/.test(text)) return "F";
    const rows = /^(.*)\(\*\)\s*((?:\[\d+\])+)$/.exec(text); // a pointer to arrays
    if (rows) return (/\bconst\b/.test(rows[1]) ? "&" : "*") + rows[2].replace(/\s/g, "") + this.code(rows[1]);
    const array = /^(.*?)\s*((?:\[\d*\])+)$/.exec(text);
    if (array) return array[2] + this.code(array[1]);
    const pointer = /^(.*?)\s*\*\s*(?:const)?$/.exec(text);
    if (pointer) {
      const to = pointer[1];
      const base = to.replace(/\bconst\b/g, "").trim();
      if (this.headers.callbacks.has(base)) return "F";
      const constant = /\bconst$/.test(to) || (/^const\b/.test(to) && !to.includes("*"));
      return (constant ? "&" : "*") + this.code(to);
    }
    const base = text.replace(/\bconst\b/g, "").trim();
    if (SCALARS[base]) return SCALARS[base];
    if (this.headers.enums.has(base)) return "I";
    if (this.headers.callbacks.has(base)) return "F";
    if (base.startsWith("sn")) return `{${base}}`;
    throw new Error(`a type that the generator does not know: ${type}`);
  }

  isComplete(name) {
    return this.headers.structs.has(name);
  }

  // { size, align } of a code.
  measure(code) {
    if (code[0] === "[") {
      const end = code.indexOf("]");
      const item = this.measure(code.slice(end + 1));
      return { size: item.size * Number(code.slice(1, end)), align: item.align };
    }
    if (code[0] === "{") return this.layout(code.slice(1, -1));
    const size = SIZES[code[0]];
    return { size, align: size };
  }

  // { size, align, fields: [{ name, offset, code, comment }] } of a struct.
  layout(name) {
    if (this.layouts.has(name)) return this.layouts.get(name);
    const struct = this.headers.structs.get(name);
    if (!struct) throw new Error(`struct ${name} has no definition`);
    let offset = 0, most = 1;
    const fields = struct.fields.map((field) => {
      const code = this.code(field.type);
      const { size, align } = this.measure(code);
      offset = Math.ceil(offset / align) * align;
      const placed = { name: field.name, offset, code, comment: field.comment, type: field.type };
      offset += size;
      most = Math.max(most, align);
      return placed;
    });
    const layout = { size: Math.ceil(offset / most) * most, align: most, fields };
    this.layouts.set(name, layout);
    return layout;
  }

  // The scalar that a struct of one scalar is passed as; null: it is passed by its address.
  single(name) {
    const { fields } = this.layout(name);
    if (fields.length !== 1) return null;
    const { code } = fields[0];
    if (code[0] === "{") return this.single(code.slice(1, -1));
    return code[0] === "[" ? null : code;
  }
}
