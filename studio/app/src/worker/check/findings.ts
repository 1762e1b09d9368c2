// What was measured: one check for each method, read from the library's own structs.
import type { CheckCell, CheckJoint, CheckResult, CheckState, Verdict } from "../../protocol/check";
import type { Ptr, snCheck, snCheckup, snViolation, snRangeMove } from "@sinew/core";
import { NONE, sn, text, type Core, type DocumentPtr, type SettingsPtr } from "../library";
import type { Tell } from "../session";

type CheckPtr = Ptr<"snCheck">;
const FPS = 8;
const JOINTS = 24; // that a measure names
const VERDICTS: Verdict[] = ["ok", "warn", "fail"];
const METHOD = 32; // no name of a method is longer

export class Findings {
  readonly checkup: Ptr<"snCheckup">;
  clip = -1;
  times: number[] = [];
  order: number[] = []; // measures, worst first
  private checks: CheckPtr[] = [];
  readonly names: string[]; // of the ways; "": as the settings say
  private range: { move_count: number; moves: snRangeMove[] } | null = null;
  private took = 0;
  private readonly limits: { warn: number[]; fail: number[] };

  // Makes the character ready for all methods: within an edit.
  constructor(
    private readonly core: Core,
    readonly document: DocumentPtr,
    methods: string[],
    limits: { name: string; warn: number; fail: number }[],
  ) {
    const all = core.sn_limits();
    this.limits = { warn: Array.from(all.warn as ArrayLike<number>), fail: Array.from(all.fail as ArrayLike<number>) };
    for (const { name, warn, fail } of limits) {
      const measure = core.sn_measure_find(name);
      if (measure < sn.SN_MEASURE_COUNT) Object.assign(this.limits.warn, { [measure]: warn }) && Object.assign(this.limits.fail, { [measure]: fail });
    }
    const list = core.alloc(4 * Math.max(1, methods.length));
    methods.forEach((method, i) => (core.u32(list, methods.length)[i] = core.sn_deform_method_find(method) as unknown as number));
    try {
      this.checkup = core.sn_checkup_create(document, { fps: FPS, limits: this.limits, method_count: methods.length, methods: list as never });
    } finally {
      core.free(list);
    }
    this.names = methods.length > 0 ? methods : [""];
  }
  destroy(): void {
    this.checks = [];
    this.core.sn_checkup_destroy(this.checkup);
  }

  private read(): snCheckup {
    return this.core.read("snCheckup", this.checkup);
  }
  settings(method: number): SettingsPtr {
    return this.read().methods[method].settings as SettingsPtr;
  }
  check(method: number): CheckPtr {
    return this.checks[method];
  }
  private seen(method: number): snCheck {
    return this.core.read("snCheck", this.checks[method]);
  }

  // Every method through the range (clip -1) or a clip.
  async run(clip: number, signal: AbortSignal, tell: Tell): Promise<void> {
    const { core } = this;
    if (clip < 0) this.setRange();
    else core.sn_checkup_set_clip(this.checkup, clip, 0, Infinity);
    const checkup = this.read();
    this.clip = checkup.clip;
    if (checkup.range) {
      const { moves, move_count } = core.read("snRange", checkup.range);
      this.range = { move_count, moves: core.readList("snRangeMove", moves, move_count) };
    }
    const since = performance.now();
    await core.run("sn_checkup_measure", this.checkup, null, { signal, progress: tell });
    const run = this.read();
    this.checks = run.methods.slice(0, run.method_count).map((method) => method.check as CheckPtr);
    this.took = (performance.now() - since) / 1000;
    const first = this.seen(0);
    this.times = Array.from(core.floats(first.times, first.frame_count));
    this.order = this.findOrder();
  }
  // The range becomes a clip of the character, as a step that says what it was for.
  private setRange(): void {
    const { core, document } = this;
    core.sn_document_begin(document, "Check");
    try {
      core.sn_checkup_set_range(this.checkup);
      core.sn_document_end(document);
    } catch (error) {
      core.sn_document_cancel(document);
      throw error;
    }
  }
  private findOrder(): number[] {
    const { core } = this;
    const list = core.alloc(4 * this.checks.length);
    const out = core.alloc(4 * sn.SN_MEASURE_COUNT);
    core.u32(list, this.checks.length).set(this.checks as unknown as number[]);
    core.sn_checks_order(list as never, this.checks.length, out as never);
    const order = Array.from(core.u32(out, sn.SN_MEASURE_COUNT));
    core.free(list);
    core.free(out);
    return order;
  }

  // -------------------------------------------------------------------------------------------------- what is told

  cell(measure: number, value: number): CheckCell {
    return { value, verdict: VERDICTS[this.core.sn_check_judge(this.checks[0], measure as 0, value)] };
  }
  private info(measure: number) {
    return this.core.read("snMeasureInfo", this.core.sn_measure_info(measure as 0));
  }
  result(clip: string): CheckResult {
    const { core } = this;
    const all = this.checks.map((_, method) => this.seen(method));
    const verdict = all.reduce((best, check) => Math.min(best, check.verdict), 2);
    return {
      title: this.range ? "Range of motion" : clip,
      moves: this.range?.move_count ?? 0,
      seconds: this.times.length > 0 ? this.times[this.times.length - 1] : 0,
      took: this.took,
      frames: this.times.length,
      triangles: all[0].triangle_count,
      verdict: VERDICTS[verdict],
      methods: this.names.map((name, method) => ({ name: name.slice(0, METHOD), verdict: VERDICTS[all[method].verdict] })),
      measures: this.order.map((measure) => {
        const info = this.info(measure);
        return {
          name: text(core, info.name),
          title: text(core, info.title),
          help: text(core, info.help),
          advice: text(core, info.advice),
          posed: info.posed,
          warn: this.limits.warn[measure],
          fail: this.limits.fail[measure],
          methods: all.map((check) => ({ value: check.measures[measure].worst.value, verdict: VERDICTS[check.measures[measure].worst.verdict] })),
        };
      }),
      stale: false,
    };
  }
  moves(): CheckState["marks"] {
    return (this.range?.moves ?? []).map((move) => ({ name: this.moveName(move), from: move.from, to: move.to }));
  }
  private moveName(move: snRangeMove): string {
    return typeof move.name === "string" ? move.name : text(this.core, move.name as unknown as number);
  }
  lines(measure: number): number[][] {
    return this.checks.map((_, method) => {
      const { series } = this.seen(method).measures[measure];
      return series ? Array.from(this.core.floats(series, this.times.length)) : [];
    });
  }
  joints(measure: number): CheckJoint[] {
    const { core } = this;
    const { violations, violation_count } = this.seen(0).measures[measure];
    const skeleton = core.read("snSkeleton", core.read("snModel", core.sn_document_model(this.document)).skeleton);
    const names = core.strings(skeleton.names, skeleton.joint_count);
    const list = violation_count > 0 ? core.readList("snViolation", violations, Math.min(violation_count, JOINTS)) : [];
    return list.map((one, violation) => ({
      violation,
      joint: one.joint === NONE ? -1 : one.joint,
      name: one.joint === NONE ? "Whole piece" : (names[one.joint] ?? ""),
      value: one.value,
      verdict: VERDICTS[one.verdict],
      time: one.frame === NONE ? -1 : one.time,
      when: one.frame === NONE ? "weights" : (core.sn_checkup_move(this.checkup, one) ?? "") || `at ${one.time.toFixed(2)} s`,
    }));
  }
  violation(measure: number, index: number): snViolation {
    const { violations } = this.seen(0).measures[measure];
    return this.core.readList("snViolation", ((violations as number) + index * this.core.sizeOf("snViolation")) as typeof violations, 1)[0];
  }
  value(method: number, measure: number, frame: number, joint: number): number {
    const value = this.core.sn_check_value(this.checks[method], measure as 0, frame, joint);
    return Number.isFinite(value) ? value : 0;
  }
  // Frames through the move of a violation, or around it.
  strip(violation: snViolation, most: number): number[] {
    const move = this.range?.moves.find((one) => violation.time >= one.from - 1e-4 && violation.time <= one.to + 1e-4);
    const [from, to] = move ? [move.from, move.to] : [violation.time - 0.5, violation.time + 0.5];
    const all = this.times.map((_, f) => f).filter((f) => this.times[f] >= from - 1e-3 && this.times[f] <= to + 1e-3);
    const step = Math.max(1, Math.ceil(all.length / most));
    return all.filter((f, i) => i % step === 0 || f === violation.frame).slice(0, most);
  }
  // Metres around a joint that are worth seeing: its longest bone.
  reach(joint: number): number {
    const { core } = this;
    const { skeleton } = core.read("snModel", core.sn_document_model(this.document));
    const { parents, joint_count } = core.read("snSkeleton", skeleton);
    const world = core.alloc(64 * joint_count);
    core.sn_skeleton_world(skeleton, null, world as never);
    const at = (j: number) => Array.from(core.floats(world, 16 * joint_count).slice(16 * j + 12, 16 * j + 15));
    const above = Array.from(core.u32(parents, joint_count));
    const all = above.map((_, j) => at(j));
    core.free(world);
    const away = (a: number[], b: number[]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    const whole = all.reduce((most, one) => Math.max(most, away(one, all[0])), 0);
    if (joint === NONE || joint < 0) return whole;
    const bones = above.map((parent, j) => (parent === joint ? away(all[j], all[joint]) : j === joint && parent !== NONE ? away(all[j], all[parent]) : 0));
    return Math.min(0.4 * whole, Math.max(0.06 * whole, ...bones));
  }
}

// The page that the command line writes, without its pictures.
export function writeReport(core: Core, found: Findings): Uint8Array {
  const title = core.sn_source_name(core.sn_document_character_source(found.document)) ?? "";
  return core.takeBytes(core.sn_checkup_report(found.checkup, { title, no_pictures: "the studio shows the moments themselves; sinew check --html draws them" }));
}
