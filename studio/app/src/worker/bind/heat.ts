// Heat maps of what Bind knows: where methods disagree, weights across gaps, painted softness.
import type { BindHeat } from "../../protocol/bind";
import type { Ptr } from "@sinew/core";
import type { Desk } from "../desk";
import { NONE, sn, text } from "../library";
import type { Tell } from "../session";

export interface Found {
  joint: number;
  share: number;
}

export class Heat {
  kind: BindHeat = "";
  searched = false;
  gaps: Found[] = []; // joints with weight across gaps
  methods: Found[] = []; // joints that methods disagree about: their share of the surface
  private doubts: { values: number; limit: number; ptr: Ptr<"snBindDoubt"> } | null = null;
  private bleed = 0; // values; 0: none
  private painted = 0;
  private dirty = false;

  constructor(private readonly desk: Desk) {}

  // The skin is another: what was found holds no more.
  forget(): void {
    const { core } = this.desk;
    if (this.doubts) core.sn_bind_doubt_destroy(this.doubts.ptr);
    if (this.bleed) core.free(this.bleed);
    this.doubts = null;
    this.bleed = 0;
    this.searched = false;
    this.gaps = [];
    this.methods = [];
    if (this.kind === "doubts" || this.kind === "gaps") this.kind = "";
  }
  released(): void {
    this.dirty = true;
  }
  stale(): void {
    this.dirty = true;
  }

  show(kind: BindHeat): void {
    this.kind = kind;
    this.dirty = true;
    this.desk.redraw();
  }

  private get vertices(): number {
    return this.desk.session.describe().parts.reduce((sum, part) => sum + part.vertices, 0);
  }

  // Before a draw. True: it is what the surface shows.
  apply(): boolean {
    if (this.kind === "") return false;
    if (this.kind === "softness" && this.dirty) this.readPainted();
    const { kind, doubts, bleed, painted, desk } = this;
    const values = kind === "doubts" ? (doubts?.values ?? 0) : kind === "gaps" ? bleed : painted;
    if (!values) return false;
    if (this.dirty) {
      const at = values as unknown as Ptr<"float">;
      if (kind === "doubts") desk.picture.heat(at, this.vertices, 2 * doubts!.limit, "Moved by another method", "m");
      else desk.picture.heat(at, this.vertices, 1, kind === "gaps" ? "Weight across gaps" : "Painted softness", "");
    }
    this.dirty = false;
    return true;
  }

  // Amounts of all painted rules, one number a vertex.
  private readPainted(): void {
    const { core, session } = this.desk;
    const model = core.read("snModel", session.model!);
    const settings = core.read("snSettings", core.sn_document_settings(session.document!));
    const parts = core.readList("snPart", model.parts, model.part_count);
    const sizes = parts.map((part) => core.read("snMesh", part.mesh).vertex_count);
    const total = sizes.reduce((a, b) => a + b, 0);
    if (this.painted) core.free(this.painted);
    this.painted = core.alloc(4 * total);
    core.floats(this.painted, total).fill(0);
    for (const rule of settings.rule_count ? core.readList("snFleshRule", settings.rules, settings.rule_count) : []) {
      const p = rule.part ? parts.findIndex((part) => text(core, part.name) === text(core, rule.part)) : -1;
      if (p < 0 || !rule.amounts || !rule.vertices) continue;
      const start = sizes.slice(0, p).reduce((a, b) => a + b, 0);
      const values = core.floats(this.painted, total);
      const amounts = core.floats(rule.amounts, rule.vertex_count);
      core.u32(rule.vertices, rule.vertex_count).forEach((vertex, i) => {
        if (vertex < sizes[p]) values[start + vertex] = Math.max(values[start + vertex], amounts[i]);
      });
    }
  }

  // Asks the other methods, and looks for weights that lie across gaps.
  async search(def: object, signal: AbortSignal, tell: Tell): Promise<void> {
    const { core, session } = this.desk;
    this.forget();
    const document = session.document!;
    const half = (from: number): Tell => (stage, share) => tell(stage, from + 0.5 * share);
    const ptr = await core.run("sn_document_doubt", document, def, null, { signal, progress: half(0) });
    const doubt = core.read("snBindDoubt", ptr);
    this.doubts = { ptr, values: doubt.moves as number, limit: doubt.limit };
    const shares = Array.from(core.floats(doubt.joint_shares, doubt.joint_count));
    this.methods = shares.map((share, joint) => ({ joint, share })).filter(({ share }) => share > 0.002).sort((a, b) => b.share - a.share);
    const check = await core.run("sn_check_create", { model: session.model, settings: core.sn_document_settings(document), clip: sn.SN_CLIP_REST, from: 0, to: 0 }, null, { signal, progress: half(0.5) } as never);
    try {
      this.readGaps(check);
    } finally {
      core.sn_check_destroy(check);
    }
    this.searched = true;
    this.dirty = true;
  }
  private readGaps(check: Ptr<"snCheck">): void {
    const { core, session } = this.desk;
    const { measures, limits } = core.read("snCheck", check);
    const { violations, violation_count } = measures[sn.SN_MEASURE_BLEED];
    const warn = limits.warn[sn.SN_MEASURE_BLEED];
    this.gaps = (violation_count ? core.readList("snViolation", violations, violation_count) : [])
      .filter((one) => one.value > warn && one.joint !== NONE)
      .map((one) => ({ joint: one.joint, share: one.value }));
    const model = core.read("snModel", session.model!);
    const sizes = core.readList("snPart", model.parts, model.part_count).map((part) => core.read("snMesh", part.mesh).vertex_count);
    this.bleed = core.alloc(4 * sizes.reduce((a, b) => a + b, 0));
    let at = this.bleed;
    const addresses = sizes.map((size) => ((at += 4 * size), at - 4 * size));
    core.sn_check_heat(check, sn.SN_MEASURE_BLEED, session.character()!, addresses);
  }
}
