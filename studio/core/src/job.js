// Long calls in slices: each is an snJob, and between slices the thread is free for others.
import { SN_RESULT_OK } from "./constants.js";
import { Arena } from "./memory.js";

const SLICE = 8; // milliseconds
// A Call of bridge.c.
const CALL = { function: 0, count: 4, error: 8, listener: 12, arguments: 28, most: 10, size: 96 };

// Messages come at once; timers wait four milliseconds after a few rounds.
const turn =
  typeof setImmediate === "function"
    ? () => new Promise((resolve) => setImmediate(resolve))
    : (() => {
        const { port1, port2 } = new MessageChannel();
        const waiting = [];
        port1.onmessage = () => waiting.shift()();
        return () => new Promise((resolve) => (waiting.push(resolve), port2.postMessage(0)));
      })();

function writeCall(core, frame, listener) {
  const { memory } = core;
  const { fn, values } = frame;
  const address = frame.arena.room(CALL.size);
  memory.set("I", address + CALL.function, fn.address);
  memory.set("I", address + CALL.count, values.length);
  memory.set("i", address + CALL.error, fn.error);
  memory.set("i", address + CALL.listener, listener);
  values.forEach((value, i) => memory.set("I", address + CALL.arguments + 4 * i, value));
  return address;
}

async function stepThrough(core, job, call, { signal, slice }) {
  const { module } = core;
  for (;;) {
    // A turn before the first slice too: whoever began it may be within another call.
    await turn();
    if (signal?.aborted) module._sinew_job_cancel(job);
    module._sinew_job_step(job, call, slice);
    if (!module._sinew_job_runs(job)) return;
  }
}

export async function runJob(core, name, args) {
  const fn = core.compile(name);
  const options = args.length > fn.inputs.length ? args.pop() : {};
  if (!fn.sliceable || fn.parameters.length > CALL.most) throw new TypeError(`${name} cannot run in slices`);
  const arena = new Arena(core.memory);
  const entry = { name, owners: new Set() };
  let frame = null, listener = 0, job = 0;
  try {
    frame = core.prepare(fn, args, arena);
    // A listener among the arguments hears of the job, as `progress` of the options does.
    const told = options.progress ?? core.listeners.get(frame.listeners[0]);
    if (told) listener = core.listen(told);
    const call = writeCall(core, frame, listener);
    const out = arena.room(4), error = arena.room(core.layouts.size("{snError}"));
    core.writeDefaults(core.layouts.struct("snError"), error);
    const made = core.module._sinew_job_create(call, options.stack ?? 0, out, error);
    if (made !== SN_RESULT_OK) throw core.errorOf(made, error);
    job = core.memory.get("I", out);
    fn.inputs.forEach((one, i) => {
      if (/^[*&]\{/.test(one.code) && typeof args[i] === "number" && args[i] !== 0) entry.owners.add(core.ownerOf(args[i]));
    });
    core.jobs.add(entry);
    await stepThrough(core, job, call, { signal: options.signal, slice: options.slice ?? SLICE });
    core.jobs.delete(entry);
    core.rethrow();
    frame.error = error;
    return core.finish(frame, core.module._sinew_job_result(job, error));
  } finally {
    core.jobs.delete(entry);
    if (job) core.module._sinew_job_destroy(job);
    if (listener) core.unlisten(listener);
    frame?.release();
    arena.release();
  }
}
