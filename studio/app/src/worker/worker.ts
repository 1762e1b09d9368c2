// The worker: it holds the core, the document, the picture and the canvas, and owns the frame loop.
import type { Command } from "../protocol";
import { sn, type Core } from "./library";
import { post } from "./post";
import { Studio } from "./studio";

let studio: Studio | null = null;
let begun = false; // what it was left with is open, or the demo is
let theme = { dark: true, still: false };
const early: Command[] = [];

// With threads where the page allows them and the build has them.
async function loadCore(canvas: OffscreenCanvas, workers: number): Promise<{ core: Core; workers: number }> {
  if (workers > 1) {
    try {
      return { core: await sn.load({ threads: true, workers, canvas }), workers };
    } catch (error) {
      console.warn("without threads:", error);
    }
  }
  return { core: await sn.load({ canvas }), workers: 1 };
}

async function begin(command: Extract<Command, { type: "start" }>): Promise<void> {
  const wanted = command.threads ? Math.min(8, navigator.hardwareConcurrency || 1) : 1;
  const { core, workers } = await loadCore(command.canvas, wanted);
  command.canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    post({ type: "unable", text: "The graphics driver took the picture away. Reload the page: your work is saved in this browser." });
  });
  const made = new Studio(core, command.canvas, workers);
  studio = made;
  await made.begin({ width: command.width, height: command.height, ratio: command.ratio }, theme);
  begun = true;
  for (const waiting of early.splice(0)) take(waiting);
}

function take(command: Command): void {
  if (command.type === "theme") theme = command;
  if (studio?.quick(command)) return;
  if (studio && begun) studio.slow(command);
  else early.push(command);
}

self.onmessage = (event: MessageEvent<Command>) => {
  const command = event.data;
  if (command.type !== "start") return take(command);
  begin(command).catch((error: unknown) => {
    console.error(error);
    post({ type: "unable", text: `The studio could not start: ${error instanceof Error ? error.message : String(error)}` });
  });
};
