// Joints that come and go, each edit one step, with the weights that follow from it.
import { NONE } from "../library";
import type { BindBench } from "./bench";

export class JointEdits {
  constructor(private readonly bench: BindBench) {}

  // Half of the way to what hangs on it, or, at the end of a limb, as far again as it is from the joint above.
  async add(parent: number): Promise<void> {
    const at = this.bench.placeOf(parent);
    const child = this.bench.joints.findIndex((joint) => joint.parent === parent);
    const above = this.bench.joints[parent].parent;
    const other = child >= 0 ? this.bench.placeOf(child) : above >= 0 ? this.bench.placeOf(above) : [at[0], at[1] - 0.1, at[2]];
    const share = child >= 0 ? 0.5 : -0.5;
    const place = at.map((x, i) => x + share * (other[i] - x)) as [number, number, number];
    let name = `${this.bench.joints[parent].name}_new`;
    for (let i = 2; this.bench.find(name) >= 0; i++) name = `${this.bench.joints[parent].name}_new${i}`;
    let made = -1;
    await this.bench.change("Adding a joint", "Add joint", async () => {
      made = this.bench.desk.core.sn_document_add_joint(this.bench.desk.session.document!, name, parent, place);
      return true;
    });
    if (made >= 0) this.bench.desk.select({ kind: "joint", index: made });
  }
  async remove(joint: number): Promise<void> {
    const { parent } = this.bench.joints[joint];
    await this.bench.change("Removing a joint", "Remove joint", async (signal, tell) => {
      await this.bench.desk.core.run("sn_document_remove_joint", this.bench.desk.session.document!, joint, null, { signal, progress: tell });
      return true;
    });
    if (this.bench.chosen === joint || this.bench.chosen < 0) this.bench.desk.select(parent >= 0 ? { kind: "joint", index: parent > joint ? parent - 1 : parent } : { kind: "none" });
  }
  // From the ends of limbs up, so that each goes into one that is still there.
  async mergeIdle(): Promise<void> {
    const { core, session } = this.bench.desk;
    const depth = (joint: number): number => (joint < 0 ? 0 : 1 + depth(this.bench.joints[joint].parent));
    const names = (session.rigging.bind?.idle ?? []).map((one) => one.joint).filter((name) => this.bench.find(name) >= 0 && this.bench.joints[this.bench.find(name)].parent >= 0);
    names.sort((a, b) => depth(this.bench.find(b)) - depth(this.bench.find(a)));
    const find = (name: string) => session.describe().joints.findIndex((joint) => joint.name === name);
    this.bench.desk.select({ kind: "none" });
    await this.bench.change("Merging joints", "Merge joints", async (signal, tell) => {
      for (const [i, name] of names.entries())
        await core.run("sn_document_remove_joint", session.document!, find(name), null, { signal, progress: (stage, share) => tell(stage, (i + share) / names.length) });
      return names.length > 0;
    });
  }
  async rename(joint: number, name: string): Promise<void> {
    const { session, core } = this.bench.desk;
    const old = this.bench.joints[joint].name;
    const known = session.rigging.fit.get(old);
    await this.bench.change("Renaming a joint", "Rename joint", async () => {
      core.sn_document_rename_joint(session.document!, joint, name.trim());
      return false; // weights stay as they are
    });
    if (known) session.rigging = { ...session.rigging, fit: new Map([...session.rigging.fit, [name.trim(), known]]) };
    this.bench.tell();
  }
  async hang(joint: number, parent: number): Promise<void> {
    await this.bench.change("Parenting a joint", "Parent joint", async () => {
      this.bench.desk.core.sn_document_parent_joint(this.bench.desk.session.document!, joint, parent < 0 ? NONE : parent);
      return true;
    });
  }
}
