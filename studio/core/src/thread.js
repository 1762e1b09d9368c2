// A thread of the module: a worker that the glue of sinew-threads talks to. It loads the same code over the same memory, then
// runs what pthread_create asks for. Its messages are Emscripten's.
import make from "./sinew-threads.mjs";

let module = {};

function begin({ wasmModule, wasmMemory }) {
  module = {
    wasmModule,
    wasmMemory,
    buffer: wasmMemory.buffer,
    ENVIRONMENT_IS_PTHREAD: true,
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(wasmModule, imports);
      receive(instance, wasmModule);
      return instance.exports;
    },
  };
  return make(module).then((made) => (module = made));
}

function run({ time, threadInfoStruct, start_routine, arg }) {
  module.__performance_now_clock_drift = performance.now() - time;
  module.__emscripten_thread_init(threadInfoStruct, 0, 0, 1);
  module.establishStackSpace();
  module.PThread.receiveObjectTransfer({});
  module.PThread.threadInit();
  try {
    module.__emscripten_thread_exit(module.invokeEntryPoint(start_routine, arg));
  } catch (error) {
    if (error !== "unwind") throw error;
  }
}

self.onmessage = ({ data }) => {
  if (data.cmd === "load") begin(data);
  else if (data.cmd === "run") run(data);
  else if (data.cmd === "cancel" && module._pthread_self()) module.__emscripten_thread_exit(-1);
  else if (data.cmd === "processThreadQueue" && module._pthread_self()) module._emscripten_current_thread_process_queued_calls();
  else if (data.cmd === "processProxyingQueue" && module._pthread_self()) module._emscripten_proxy_execute_queue(data.queue);
};
