// What is open about a binding, each with what helps.
import type { BindDoubt } from "../../protocol/bind";
import type { Rigging } from "../rigging";
import type { BindBench } from "./bench";
import type { Heat } from "./heat";

const MOST = 12; // of joints that methods disagree about
const percent = (share: number) => `${(100 * share).toFixed(share < 0.01 ? 1 : 0)} %`;
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function listDoubts(bench: BindBench, rigging: Rigging, heat: Heat): BindDoubt[] {
  const list: BindDoubt[] = [];
  const { joints } = bench;
  const add = (kind: BindDoubt["kind"], joint: number, share: number, text: string, help: string, into = -1) => {
    if (joint >= 0) list.push({ kind, joint, share, text, help, into });
  };
  const unsure = joints.map((joint, j) => ({ j, sure: rigging.fit.get(joint.name) })).filter(({ sure }) => sure && sure.sure < 0.5);
  unsure.sort((a, b) => a.sure!.sure - b.sure!.sure);
  for (const { j, sure } of unsure) add("unsure", j, sure!.sure, sentence(sure!.why || "Its place is a guess"), "Place it by hand");
  const bind = rigging.bind;
  for (const idle of bind?.idle ?? []) {
    const joint = bench.find(idle.joint);
    const parent = joint >= 0 ? joints[joint].parent : -1;
    const into = bench.find(idle.other) >= 0 && joints[joint]?.parent === bench.find(idle.other) ? bench.find(idle.other) : parent;
    add("idle", joint, 0, `Moves no skin: ${idle.why}`, into >= 0 ? `Merge it into ${joints[into].name}` : "", into);
  }
  const idle = new Set(bind?.idle.map((one) => one.joint));
  for (const name of bind?.outside ?? []) if (!idle.has(name)) add("outside", bench.find(name), 0, "Its bone runs outside of the mesh", "Place it by hand");
  for (const { joint, share } of heat.gaps) if (joint < joints.length) add("gap", joint, share, `${percent(share)} of its weight lies across a gap`, "Bind with smaller cells");
  for (const { joint, share } of heat.methods.slice(0, MOST))
    if (joint < joints.length) add("method", joint, share, `Methods disagree on ${percent(share)} of the surface`, "Show where");
  return list;
}
