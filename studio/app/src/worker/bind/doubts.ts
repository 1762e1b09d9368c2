// What is open about a binding, each with what helps.
import type { BindDoubt } from "../../protocol/bind";
import type { Joint } from "../../protocol";
import type { Rigging } from "../rigging";
import type { BindBench } from "./bench";
import type { Heat } from "./heat";

const MOST = 12; // of joints that methods disagree about
const percent = (share: number) => `${(100 * share).toFixed(share < 0.01 ? 1 : 0)} %`;
export const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// Where a joint is wrong, what hangs on it is wrong with it: the upper one comes first, and alone.
function unsureTops(joints: Joint[], unsure: (joint: number) => boolean): { joint: number; below: number }[] {
  const tops = new Map<number, number>();
  joints.forEach((_, j) => {
    if (!unsure(j)) return;
    let top = j;
    for (let up = joints[j].parent; up >= 0; up = joints[up].parent) if (unsure(up)) top = up;
    tops.set(top, (tops.get(top) ?? -1) + 1);
  });
  return [...tops].map(([joint, below]) => ({ joint, below })).sort((a, b) => b.below - a.below);
}

export function listDoubts(bench: BindBench, rigging: Rigging, heat: Heat): BindDoubt[] {
  const list: BindDoubt[] = [];
  const { joints } = bench;
  const add = (kind: BindDoubt["kind"], joint: number, share: number, text: string, help: string, into = -1, below = 0) => {
    if (joint >= 0) list.push({ kind, joint, share, text, help, into, below });
  };
  for (const { joint, below } of unsureTops(joints, (j) => (rigging.fit.get(joints[j].name)?.sure ?? 1) < 0.5)) {
    const { sure, why } = rigging.fit.get(joints[joint].name)!;
    const text = sentence(why || "Its place is a guess");
    if (below === 0) add("unsure", joint, sure, text, "Place it by hand");
    else add("unsure", joint, sure, `${text}, and ${plural(below, "joint")} below it`, "Place them by hand", -1, below);
  }
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
