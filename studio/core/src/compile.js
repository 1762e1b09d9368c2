// A module from wherever it is: a URL, a file, bytes.
async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (source instanceof WebAssembly.Module) return source;
  const url = new URL(source, import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response;
}

export async function compile(source) {
  const got = await bytesOf(source);
  if (got instanceof WebAssembly.Module) return got;
  if (typeof Response === "undefined" || !(got instanceof Response)) return WebAssembly.compile(got);
  if (got.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(got);
  return WebAssembly.compile(await got.arrayBuffer());
}
