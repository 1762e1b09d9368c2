// A film of VP8 or VP9 in WebM: as few elements as players need. A second picture a frame, its greys, may say how opaque
// the first is.
const text = (value: string) => new TextEncoder().encode(value);

function join(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
function whole(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}
function real(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}
// Sizes always take eight bytes: simple, and no file is that small.
function element(id: number, ...content: Uint8Array[]): Uint8Array {
  const body = join(content);
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(body.length) | (1n << 56n));
  return join([whole(id), size, body]);
}

export interface FilmFrame {
  time: number; // ms
  key: boolean;
  data: Uint8Array;
  alpha?: Uint8Array;
}

function block(frame: FilmFrame, begin: number): Uint8Array {
  const relative = Math.round(frame.time) - begin;
  const head = Uint8Array.from([0x81, (relative >> 8) & 255, relative & 255, frame.key && !frame.alpha ? 0x80 : 0]);
  if (!frame.alpha) return element(0xa3, head, frame.data);
  const more = element(0xa6, element(0xee, whole(1)), element(0xa5, frame.alpha));
  const reference = frame.key ? [] : [element(0xfb, Uint8Array.from([0xff]))]; // some frame before it
  return element(0xa0, element(0xa1, head, frame.data), element(0x75a1, more), ...reference);
}

export function webm(codec: "V_VP8" | "V_VP9", width: number, height: number, duration: number, frames: FilmFrame[]): Uint8Array {
  const alpha = frames.some((frame) => frame.alpha);
  const header = element(0x1a45dfa3, element(0x4286, whole(1)), element(0x42f7, whole(1)), element(0x42f2, whole(4)), element(0x42f3, whole(8)), element(0x4282, text("webm")), element(0x4287, whole(4)), element(0x4285, whole(2)));
  const info = element(0x1549a966, element(0x2ad7b1, whole(1_000_000)), element(0x4489, real(1000 * duration)), element(0x4d80, text("Sinew")), element(0x5741, text("Sinew Studio")));
  const picture = element(0xe0, element(0xb0, whole(width)), element(0xba, whole(height)), ...(alpha ? [element(0x53c0, whole(1))] : []));
  const track = element(0xae, element(0xd7, whole(1)), element(0x73c5, whole(1)), element(0x83, whole(1)), ...(alpha ? [element(0x55ee, whole(1))] : []), element(0x86, text(codec)), picture);
  // A cluster at each key frame, and at least every half minute: block times are 16 bits.
  const clusters: Uint8Array[] = [];
  for (let i = 0; i < frames.length; ) {
    const begin = Math.round(frames[i].time);
    const blocks: Uint8Array[] = [];
    do blocks.push(block(frames[i++], begin));
    while (i < frames.length && !frames[i].key && frames[i].time - begin < 30_000);
    clusters.push(element(0x1f43b675, element(0xe7, whole(begin)), ...blocks));
  }
  return join([header, element(0x18538067, info, element(0x1654ae6b, track), ...clusters)]);
}
