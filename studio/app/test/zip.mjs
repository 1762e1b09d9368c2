// The files in a zip, by name.
import { inflateRawSync } from "node:zlib";

export function unzip(bytes) {
  const files = new Map();
  let end = bytes.length - 22;
  while (end > 0 && bytes.readUInt32LE(end) !== 0x06054b50) end--;
  let at = bytes.readUInt32LE(end + 16);
  for (let i = bytes.readUInt16LE(end + 10); i > 0; i--) {
    const [method, size, name, extra, comment, start] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32), bytes.readUInt32LE(at + 42)];
    const body = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const raw = bytes.subarray(body, body + size);
    files.set(bytes.toString("utf8", at + 46, at + 46 + name), method === 8 ? inflateRawSync(raw) : Buffer.from(raw));
    at += 46 + name + extra + comment;
  }
  return files;
}
