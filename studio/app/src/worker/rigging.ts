// What fitting and binding said, as the page shows it: by the names of joints, which stay when others come and go.
import type { snBindReport, snFitReport } from "@sinew/core";
import { NONE, type Core, type ModelPtr } from "./library";

export interface Sureness {
  sure: number; // 0 to 1
  why: string; // what is in doubt
}
export interface Bound {
  cells: number;
  deforming: number; // joints
  bones: number;
  mirrored: number; // share of the surface
  seconds: number;
  idle: { joint: string; why: string; other: string }[]; // joints that move no skin
  outside: string[]; // whose bones run outside of the mesh
}
export interface Rigging {
  source: string; // where the skeleton came from
  fit: ReadonlyMap<string, Sureness>;
  bind: Bound | null;
}
export const NO_RIGGING: Rigging = { source: "", fit: new Map(), bind: null };

export function readFit(core: Core, report: snFitReport): Map<string, Sureness> {
  const map = new Map<string, Sureness>();
  if (!report.fit || !report.skeleton) return map;
  const fit = core.read("snFit", report.fit);
  const sure = Array.from(core.floats(fit.confidence, fit.joint_count));
  const doubts = Array.from(core.u32(fit.doubts, fit.joint_count));
  const names = core.strings(core.read("snSkeleton", report.skeleton).names, fit.joint_count);
  names.forEach((name, j) => map.set(name ?? "", { sure: sure[j], why: core.sn_fit_doubt_text(doubts[j]) }));
  return map;
}

export function readBind(core: Core, report: snBindReport, model: ModelPtr, seconds: number): Bound {
  const { skeleton } = core.read("snModel", model);
  const { names, joint_count } = core.read("snSkeleton", skeleton);
  const named = core.strings(names, joint_count);
  const name = (joint: number) => (joint === NONE ? "" : (named[joint] ?? ""));
  const idle = report.idle_joints ? core.readList("snIdleJoint", report.idle_joints, report.joints_without_weight_count) : [];
  const outside = report.bones_outside ? Array.from(core.u32(report.bones_outside, report.bones_outside_count)) : [];
  return {
    cells: report.cells,
    deforming: report.deforming_joints,
    bones: report.bones,
    mirrored: report.mirrored,
    seconds,
    idle: idle.map((one) => ({ joint: name(one.joint), why: core.sn_idle_text(one, skeleton), other: name(one.other) })),
    outside: outside.map(name),
  };
}
