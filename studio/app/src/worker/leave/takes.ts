// A clip made into files: sizes, errors, and what fewer helpers or targets would give.
import type { Format, LeaveOptions, Stage } from "../../protocol/leave";
import type { Ptr } from "@sinew/core";
import { sn, type Core, type DocumentPtr } from "../library";
import type { Tell } from "../session";

export interface Made {
  bytes: Uint8Array;
  error: number; // metres, at most
  plain: number | null; // metres that the plain skin is off
  stages: Stage[];
  count: number; // helpers or targets
  frames: number;
}

const TARGETS = { skin: sn.SN_BAKE_SKIN, joints: sn.SN_BAKE_JOINTS, morph: sn.SN_BAKE_MORPHS, cache: sn.SN_BAKE_SKIN };
export type TakeFormat = keyof typeof TARGETS;
export const isTake = (format: Format): format is TakeFormat => format in TARGETS;

export const takeDef = (options: LeaveOptions) => ({
  clip: options.clip < 0 ? sn.SN_CLIP_REST : options.clip,
  from: options.from,
  ...(options.to > 0 ? { to: options.to } : {}),
  fps: options.fps,
});

// At once: in slices it would keep the document from being played meanwhile.
export function makeTake(core: Core, document: DocumentPtr, options: LeaveOptions): Ptr<"snTake"> {
  return core.sn_take_create(document, takeDef(options), null);
}

interface Curve {
  stages: Stage[];
  plain: number;
  error: number;
  count: number;
}
// What was made is one of the stages, with the numbers that it came to.
const withOwn = (stages: Stage[], own: Stage): Stage[] => [...stages.filter((stage) => stage.count !== own.count), own].sort((a, b) => a.count - b.count);

// Errors for sizes. A file with other helpers differs by what their keys, joints and matrices take.
function jointStages(core: Core, address: Ptr<"snJointBake">, size: number): Curve {
  const bake = core.read("snJointBake", address);
  const own = bake.stages.slice(0, bake.stage_count).find((stage) => stage.helper_count === bake.helper_count)?.bytes ?? 0;
  const stages = bake.stages.slice(0, bake.stage_count).map(({ helper_count, worst, bytes }) => ({ count: helper_count, error: worst, size: size - own + bytes }));
  const error = bake.helper_count > 0 ? bake.frames.worst : bake.plain.worst;
  return { stages: withOwn(stages.filter((stage) => stage.count > 0), { count: bake.helper_count, error, size }), plain: bake.plain.worst, error, count: bake.helper_count };
}
// Of one part with targets the curve is the bake's own; of several their errors at equal shares of their targets.
function morphStages(core: Core, address: Ptr<"snMorphBake">, size: number, base: number): Curve {
  const bake = core.read("snMorphBake", address);
  const parts = core.readList("snMorphPart", bake.parts, bake.part_count);
  const lists = parts.filter((part) => part.stage_count > 0).map((part) => part.stages.slice(0, part.stage_count));
  const plain = Math.max(0, ...parts.map((part) => part.skin_error));
  const each = bake.target_count > 0 ? Math.max(0, size - base) / bake.target_count : 0;
  const counts = [...new Set(lists.flatMap((list) => list.map((stage) => stage.target_count)))].sort((a, b) => a - b);
  const stages = counts.map((count) => {
    const at = lists.map((list) => list.filter((stage) => stage.target_count <= count).at(-1) ?? list[0]);
    const all = at.reduce((sum, stage) => sum + stage.target_count, 0);
    return { count, error: Math.max(...at.map((stage) => stage.worst)), size: base + all * each };
  });
  const error = Math.max(bake.worst_error, bake.middle_error);
  const count = Math.max(0, ...parts.map((part) => part.target_count));
  return { stages: withOwn(stages, { count, error, size }), plain, error, count };
}

export async function make(core: Core, document: DocumentPtr, name: string, format: TakeFormat, options: LeaveOptions, plainSize: number, signal: AbortSignal, tell: Tell): Promise<Made> {
  const take = makeTake(core, document, options);
  try {
    const def = {
      target: TARGETS[format],
      compress: options.compress && format !== "cache",
      helper_count: format === "joints" ? options.helpers : 0,
      target_limit: format === "morph" ? options.targets : 0,
      join: true,
    };
    const file = format === "cache" ? `${name}.${options.join}` : `${name}.glb`;
    const bytes = core.takeBytes(await core.run("sn_takes_write_memory", [take] as never, 1, file, def, { signal, progress: tell }));
    const { frames } = core.read("snTakeReport", core.sn_take_report(take));
    const joints = core.sn_take_joints(take);
    const morphs = core.sn_take_morphs(take);
    if (format === "joints" && joints) return { bytes, frames, ...jointStages(core, joints, bytes.byteLength) };
    if (format === "morph" && morphs) return { bytes, frames, ...morphStages(core, morphs, bytes.byteLength, plainSize) };
    return { bytes, frames, error: 0, plain: null, stages: [], count: 0 };
  } finally {
    core.sn_take_destroy(take);
  }
}

// Bytes of a point cache, which is nothing but points behind a header.
export function cacheSize(kind: "pc2" | "mdd", vertices: number, frames: number): number {
  return (kind === "pc2" ? 32 : 8 + 4 * frames) + 12 * vertices * frames;
}
