// What the library says when a call fails.
const NONE = 0xffffffff;
const UNKNOWN = 0xffffffffffffffffn;

export class SinewError extends Error {
  // `error`: an snError as it was read; `name`: of its code; `message`: as sn_error_format writes it.
  constructor(error, name, message) {
    super(message);
    this.code = error.code;
    this.name = name;
    this.file = error.file;
    this.line = Number(error.line);
    this.offset = error.offset === UNKNOWN ? null : Number(error.offset);
    this.vertex = error.vertex === NONE ? null : error.vertex;
    this.joint = error.joint === NONE ? null : error.joint;
    this.text = error.text;
  }
}
