// The worker: it holds the core, the document, the picture and the canvas, and owns the frame loop.
import type { Command } from "../protocol";
import { sn } from "./library";
import { post } from "./post";
import { Studio } from "./studio";

let studio: Studio | null = null;
let theme = { dark: true, still: false };
const early: Command[] = [];

async function begin(command: Extract<Command, { type: "start" }>): Promise<void> {
  const workers = command.threads ? Math.min(8, navigator.hardwareConcurrency || 1) : 1;
  const core = await sn.load({ threads: workers > 1, workers, canvas: command.canvas });
  const made = new Studio(core, command.canvas, workers);
  await made.begin({ width: command.width, height: command.height, ratio: command.ratio }, theme);
  studio = made;
  for (const waiting of early.splice(0)) take(waiting);
}

function take(command: Command): void {
  if (command.type === "theme") theme = command;
  if (!studio) early.push(command);
  else if (!studio.quick(command)) studio.slow(command);
}

self.onmessage = (event: MessageEvent<Command>) => {
  const command = event.data;
  if (command.type !== "start") return take(command);
  begin(command).catch((error: unknown) => {
    console.error(error);
    post({ type: "unable", text: `The studio could not start: ${error instanceof Error ? error.message : String(error)}` });
  });
};
