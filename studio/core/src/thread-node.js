// A thread in Node.js, dressed as a worker of a page.
import { parentPort } from "node:worker_threads";

globalThis.self = globalThis;
globalThis.postMessage = (message) => parentPort.postMessage(message);
await import("./thread.js");
parentPort.on("message", (data) => self.onmessage({ data }));
