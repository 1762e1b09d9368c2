// Pictures as numbers.
import { inflateSync } from "node:zlib";

class Picture {
  constructor(width, height, data) {
    Object.assign(this, { width, height, data }); // RGB
  }
  // Columns from one share of the width to another, and rows of the height.
  slice(from, to, top = 0, bottom = 1) {
    const x0 = Math.round(from * this.width), x1 = Math.round(to * this.width), width = x1 - x0;
    const y0 = Math.round(top * this.height), y1 = Math.round(bottom * this.height);
    const data = new Uint8Array(width * (y1 - y0) * 3);
    for (let y = y0; y < y1; y++) data.set(this.data.subarray((y * this.width + x0) * 3, (y * this.width + x1) * 3), (y - y0) * width * 3);
    return new Picture(width, y1 - y0, data);
  }
}

const paeth = (a, b, c) => {
  const p = a + b - c, pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};

// An 8-bit PNG of RGB or RGBA, not interlaced.
export function pixels(png) {
  const bytes = Buffer.from(png);
  let width = 0, height = 0, channels = 3;
  const parts = [];
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at), kind = bytes.toString("latin1", at + 4, at + 8), body = bytes.subarray(at + 8, at + 8 + size);
    if (kind === "IHDR") [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 6 ? 4 : 3];
    if (kind === "IDAT") parts.push(body);
    at += size + 12;
  }
  const raw = inflateSync(Buffer.concat(parts)), stride = width * channels;
  const rows = new Uint8Array(stride * height), data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? rows[y * stride + x - channels] : 0, up = y > 0 ? rows[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? rows[(y - 1) * stride + x - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      rows[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  for (let i = 0; i < width * height; i++) for (let c = 0; c < 3; c++) data[3 * i + c] = rows[channels * i + c];
  return new Picture(width, height, data);
}

// Mean difference, 0 .. 1.
export function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i] - b.data[i]);
  return sum / a.data.length / 255;
}

// How many colors there are, counted in steps of 8.
export function variety({ data }) {
  const seen = new Set();
  for (let i = 0; i < data.length; i += 3) seen.add((data[i] >> 3) | ((data[i + 1] >> 3) << 5) | ((data[i + 2] >> 3) << 10));
  return seen.size;
}
