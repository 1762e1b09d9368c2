// How the volume around joints changes over a clip: with the skin alone, and as the settings say.
import type { Volume, VolumeWay } from "../../protocol/move";
import type { Ptr } from "@sinew/core";
import { NONE, sn, type Core, type DocumentPtr } from "../library";
import type { Tell } from "../session";

const FPS = 12; // frames a second that are measured: what passes in between is a twelfth of a second

function readCheck(core: Core, name: string, address: Ptr<"snCheck">): { way: VolumeWay; times: number[]; warn: number; fail: number } {
  const check = core.read("snCheck", address);
  const measure = check.measures[sn.SN_MEASURE_JOINT_VOLUME];
  const violations = core.readList("snViolation", measure.violations, measure.violation_count);
  return {
    way: {
      name,
      worst: violations.filter((one) => one.joint !== NONE && one.joint < check.joint_count).map(({ joint, value, time }) => ({ joint, value, time })),
      series: Array.from(core.floats(measure.series, check.frame_count)),
    },
    times: Array.from(core.floats(check.times, check.frame_count)),
    warn: check.limits.warn[sn.SN_MEASURE_JOINT_VOLUME],
    fail: check.limits.fail[sn.SN_MEASURE_JOINT_VOLUME],
  };
}

async function measureWay(core: Core, document: DocumentPtr, clip: number, way: string | null, signal: AbortSignal, tell: Tell) {
  const ways = way ? [core.sn_deform_method_find(way)!] : [];
  const progress = (_stage: string, share: number) => tell(way ?? "as the settings say", share);
  const checkup = await core.run("sn_checkup_create", document, { way_count: ways.length, ways: ways as never, fps: FPS, progress: null as never }, { signal });
  try {
    core.sn_checkup_set_clip(checkup, clip, 0, Infinity);
    await core.run("sn_checkup_run", checkup, { signal, progress });
    return readCheck(core, way ?? "settings", core.read("snCheckup", checkup).checks[0] as Ptr<"snCheck">);
  } finally {
    core.sn_checkup_destroy(checkup);
  }
}

export async function measureVolume(core: Core, document: DocumentPtr, clip: number, hash: string, signal: AbortSignal, tell: Tell): Promise<Volume> {
  const plain = await measureWay(core, document, clip, "linear", signal, (stage, share) => tell(stage, share / 2));
  const own = await measureWay(core, document, clip, null, signal, (stage, share) => tell(stage, 0.5 + share / 2));
  const { times, warn, fail } = own;
  return { clip, hash, times, warn, fail, ways: [plain.way, own.way] };
}
