// How the volume around joints changes over a clip: with the skin alone, and as the settings say.
import type { Volume, VolumeMethod } from "../../protocol/move";
import type { Ptr } from "@sinew/core";
import { NONE, sn, type Core, type DocumentPtr } from "../library";
import type { Tell } from "../session";

const FPS = 12; // frames a second that are measured: what passes in between is a twelfth of a second

function readCheck(core: Core, name: string, address: Ptr<"snCheck">): { method: VolumeMethod; times: number[]; warn: number; fail: number } {
  const check = core.read("snCheck", address);
  const measure = check.measures[sn.SN_MEASURE_JOINT_VOLUME];
  const violations = core.readList("snViolation", measure.violations, measure.violation_count);
  return {
    method: {
      name,
      worst: violations.filter((one) => one.joint !== NONE && one.joint < check.joint_count).map(({ joint, value, time }) => ({ joint, value, time })),
      series: Array.from(core.floats(measure.series, check.frame_count)),
    },
    times: Array.from(core.floats(check.times, check.frame_count)),
    warn: check.limits.warn[sn.SN_MEASURE_JOINT_VOLUME],
    fail: check.limits.fail[sn.SN_MEASURE_JOINT_VOLUME],
  };
}

async function measureMethod(core: Core, document: DocumentPtr, clip: number, method: string | null, signal: AbortSignal, tell: Tell) {
  const methods = method ? [core.sn_deform_method_find(method)!] : [];
  const progress = (_stage: string, share: number) => tell(method ?? "as the settings say", share);
  const checkup = await core.run("sn_checkup_create", document, { method_count: methods.length, methods: methods as never, fps: FPS, progress: null as never }, { signal });
  try {
    core.sn_checkup_set_clip(checkup, clip, 0, Infinity);
    await core.run("sn_checkup_run", checkup, { signal, progress });
    return readCheck(core, method ?? "settings", core.read("snCheckup", checkup).checks[0] as Ptr<"snCheck">);
  } finally {
    core.sn_checkup_destroy(checkup);
  }
}

export async function measureVolume(core: Core, document: DocumentPtr, clip: number, hash: string, signal: AbortSignal, tell: Tell): Promise<Volume> {
  const plain = await measureMethod(core, document, clip, "linear", signal, (stage, share) => tell(stage, share / 2));
  const own = await measureMethod(core, document, clip, null, signal, (stage, share) => tell(stage, 0.5 + share / 2));
  const { times, warn, fail } = own;
  return { clip, hash, times, warn, fail, methods: [plain.method, own.method] };
}
