// Check, in the worker: the character put through its range of motion or a clip, and what helps where it fails.
import { emptyCheck, type CheckCommand, type CheckRemedy, type CheckState } from "../../protocol/check";
import type { Command } from "../../protocol";
import type { Ptr, snMarkInput, snViolation } from "@sinew/core";
import type { Bench, Desk, Overlay } from "../desk";
import { NONE, sn, text, type CharacterPtr, type Vec3 } from "../library";
import { Findings, writeReport } from "./findings";

const FILM = 9; // pictures of a strip
const PICTURE = { width: 176, height: 132 };
const RING = 0xff8178ff;

interface Shown {
  violation: snViolation;
  method: number;
}

export class CheckBench implements Bench {
  private found: Findings | null = null;
  private state: CheckState = emptyCheck;
  private shown: Shown | null = null; // what the body is posed for
  private heat: number[] = []; // addresses of one list a part; the first is that of all
  private poses = 0; // of the heat: which pose it is for
  private entered = false;
  private hash = ""; // of the document that was measured

  constructor(private readonly desk: Desk) {}

  // --------------------------------------------------------------------------------------------------- the mode

  enter(): void {
    this.entered = true;
    if (this.shown && !this.desk.busy) this.show(this.shown, false);
  }
  exit(): void {
    this.entered = false;
    this.desk.player.poser = null;
    this.deform("");
    this.desk.pose();
  }
  changed(): void {
    const { session } = this.desk;
    if (this.found && this.found.document !== session.document) this.forget();
    if (this.found && this.state.result && this.hash !== session.hash !== this.state.result.stale)
      this.state = { ...this.state, result: { ...this.state.result, stale: this.hash !== session.hash } };
    if (this.stale) this.deform("");
    if (this.entered && this.shown && !this.desk.player.poser && !this.stale) this.show(this.shown, false);
    this.tell();
  }
  released(): void {
    this.desk.player.poser = null;
    // Poses and heat are for the model that was measured.
    this.freeHeat();
  }
  private get stale(): boolean {
    return this.state.result?.stale ?? true;
  }
  // The body deforms as what was measured did, not as the settings say.
  private deform(method: string): void {
    const { desk } = this;
    if (desk.panes.only === method) return;
    desk.panes.only = method;
    if (!desk.busy) desk.setView({ left: desk.view.left }); // its characters are made anew
  }
  private forget(): void {
    this.found?.destroy();
    this.found = null;
    this.shown = null;
    this.desk.player.poser = null;
    this.freeHeat();
    this.state = emptyCheck;
  }
  private freeHeat(): void {
    if (this.heat.length > 0) this.desk.core.free(this.heat[0]);
    this.heat = [];
  }
  private tell(): void {
    this.desk.patch({ check: this.state });
  }

  // -------------------------------------------------------------------------------------------------- commands

  quick(command: Command): boolean {
    const c = command as CheckCommand;
    if (!this.found || this.stale) return c.type === "check:measure" && this.found !== null ? this.choose(c.measure) : false;
    if (c.type === "check:measure") return this.choose(c.measure);
    if (c.type === "check:joint") return this.chooseJoint(c.joint);
    if (c.type === "check:moment") return this.chooseMoment(c.time);
    return false;
  }

  async slow(command: Command): Promise<void> {
    const c = command as CheckCommand;
    if (c.type === "check:run") await this.busily(() => this.run(c));
    else if (c.type === "check:helps") await this.busily(() => this.findHelp());
    else if (c.type === "check:apply") await this.apply(c.remedy);
    else if (c.type === "check:report") await this.report();
  }

  private async busily(run: () => Promise<void>): Promise<void> {
    this.state = { ...this.state, busy: true };
    this.tell();
    try {
      await run();
    } finally {
      this.state = { ...this.state, busy: false };
      this.tell();
    }
  }
  private async run(c: Extract<CheckCommand, { type: "check:run" }>): Promise<void> {
    const { desk } = this;
    const { session } = desk;
    if (!session.document || !session.model) return;
    session.endGesture();
    const found = await desk.work("Checking", (signal, tell) =>
      desk.edit(async () => {
        desk.player.poser = null;
        const findings = new Findings(desk.core, session.document!, c.methods, c.limits);
        try {
          await findings.run(c.clip, signal, tell);
          return findings;
        } catch (error) {
          findings.destroy();
          throw error;
        }
      }),
    );
    if (!found) return;
    this.forget();
    this.found = found;
    this.hash = session.hash;
    const result = found.result(session.describe().clips[found.clip]?.name ?? "");
    const bad = result.measures.filter((measure) => measure.methods.every((method) => method.verdict !== "ok"));
    this.state = { ...emptyCheck, busy: true, result, times: found.times, marks: found.moves(), doubts: bad.length };
    desk.player.state.playing = false;
    desk.chooseClip(found.clip);
    this.choose(0);
    await this.findHelp();
  }

  private choose(measure: number): boolean {
    const { found, state } = this;
    if (!found || !state.result) return false;
    const id = found.order[measure];
    this.state = { ...state, measure, lines: found.lines(id), joints: found.joints(id), chosen: -1, film: [], remedies: [] };
    if (this.state.joints.length > 0 && !this.stale) this.chooseJoint(0);
    else this.tell();
    return true;
  }

  private chooseJoint(index: number): boolean {
    const { found } = this;
    const joint = this.state.joints[index];
    if (!found || !joint) return true;
    const violation = found.violation(found.order[this.state.measure], joint.violation);
    this.state = { ...this.state, chosen: index, moment: violation.frame === NONE ? -1 : violation.time, remedies: [] };
    if (joint.joint >= 0) this.desk.select({ kind: "joint", index: joint.joint });
    this.show({ violation, method: 0 }, true);
    this.state = { ...this.state, film: this.film(violation) };
    this.show({ violation, method: 0 }, false);
    this.tell();
    return true;
  }
  private chooseMoment(time: number): boolean {
    const { found, state } = this;
    if (!found || state.times.length === 0) return true;
    const frame = state.times.reduce((best, at, f) => (Math.abs(at - time) < Math.abs(state.times[best] - time) ? f : best), 0);
    const of = state.joints[state.chosen]?.violation ?? 0;
    const violation = { ...found.violation(found.order[state.measure], of), frame, time: state.times[frame] };
    this.state = { ...state, moment: violation.time };
    this.show({ violation, method: 0 }, false);
    this.tell();
    return true;
  }

  // ------------------------------------------------------------------------------------------------ the moment

  // The body as it was when that was seen; with `frame` the camera goes there.
  private show(shown: Shown, frame: boolean): void {
    const { desk, found } = this;
    if (!found) return;
    this.shown = shown;
    this.freeHeat();
    if (this.entered) this.deform(found.names[shown.method] ?? "");
    desk.player.state.playing = false;
    desk.patch({ play: { ...desk.player.state } });
    desk.player.poser = (character) => this.pose(character);
    desk.pose();
    if (!frame) return;
    const at = this.place();
    if (at) desk.picture.frameAt(at.place, at.reach);
  }
  private pose(character: CharacterPtr): void {
    const { core } = this.desk;
    if (!this.shown || !this.found) return;
    core.sn_check_pose(this.found.check(this.shown.method), this.shown.violation, character);
    this.poses++;
    if (character === this.desk.player.character(0)) this.fill(character);
  }
  // Where it hurts, for the heat map.
  private fill(character: CharacterPtr): void {
    const { core, session } = this.desk;
    const sizes = session.describe().parts.map((part) => part.vertices);
    const total = sizes.reduce((a, b) => a + b, 0);
    if (this.heat.length === 0) {
      let at = core.alloc(4 * Math.max(1, total));
      this.heat = sizes.map((size) => ((at += 4 * size), at - 4 * size));
    }
    if (this.heat.length > 0) core.sn_check_heat(this.found!.check(this.shown!.method), this.found!.order[this.state.measure], character, this.heat);
    this.dirty = true;
  }
  private dirty = false;

  // The worst vertex, or the joint, as posed now; and how much around it is worth seeing.
  private place(): { place: Vec3; reach: number } | null {
    const { core, player } = this.desk;
    const character = player.character(0);
    if (!this.shown || !character || !this.found) return null;
    const { violation } = this.shown;
    this.pose(character);
    const reach = this.found.reach(violation.joint);
    if (violation.vertex !== NONE && violation.part !== NONE) {
      const [x, y, z] = core.floats((core.sn_character_surface(character, violation.part).positions as number) + 12 * violation.vertex, 3);
      return { place: { x, y, z }, reach };
    }
    if (violation.joint === NONE) return null;
    const world = core.floats((core.sn_character_world(character) as number) + 64 * violation.joint, 16);
    return { place: { x: world[12], y: world[13], z: world[14] }, reach };
  }

  overlay(): Overlay {
    const { desk, shown, found } = this;
    if (!this.entered || !shown || !found || this.stale || !desk.player.poser || this.heat.length === 0) return {};
    const { view, picture, core } = desk;
    if (view.show !== "surface") return {};
    if (this.dirty) {
      const total = desk.session.describe().parts.reduce((sum, part) => sum + part.vertices, 0);
      picture.heat(this.heat[0] as unknown as Ptr<"float">, total, 1, this.state.result?.measures[this.state.measure]?.title ?? "", "of what fails");
    }
    this.dirty = false;
    const marks: snMarkInput[] = [];
    const character = desk.player.character(0);
    if (character && shown.violation.vertex !== NONE && shown.violation.part !== NONE) {
      const [x, y, z] = core.floats((core.sn_character_surface(character, shown.violation.part).positions as number) + 12 * shown.violation.vertex, 3);
      marks.push({ kind: sn.SN_MARK_RING, a: { x, y, z }, radius: -22 * picture.ratio, size: 2 * picture.ratio, color: RING, on_top: true, panes: 1 });
    }
    return {
      marks,
      look: { show: sn.SN_SHOW_GIVEN, wireframe: view.wireframe, joints: view.joints, ground: view.ground, selected_part: NONE, selected_joint: shown.violation.joint },
    };
  }

  // Pictures through the move in which it was seen, all from one place.
  private film(violation: snViolation): CheckState["film"] {
    const { desk, found } = this;
    if (!found || violation.frame === NONE) return [];
    const measure = found.order[this.state.measure];
    const strip = found.strip(violation, FILM);
    const character = desk.player.character(0);
    if (!character) return [];
    return strip.map((frame) => {
      this.shown = { violation: { ...violation, frame, time: found.times[frame] }, method: 0 };
      this.pose(character);
      desk.panes.update();
      const value = found.value(0, measure, frame, violation.joint);
      const png = desk.picture.thumb(PICTURE.width, PICTURE.height, desk.view, { kind: "none" }, this.overlay());
      return { ...found.cell(measure, value), time: found.times[frame], picture: png.slice().buffer as ArrayBuffer };
    });
  }

  // ------------------------------------------------------------------------------------------------ what helps

  // Each remedy measured in the move in which the chosen joint fails, and nowhere else.
  private async findHelp(): Promise<void> {
    const { desk, found } = this;
    const joint = this.state.joints[this.state.chosen];
    if (!found || !joint || this.stale || joint.verdict === "ok") return;
    const measure = found.order[this.state.measure];
    const violation = found.violation(measure, joint.violation);
    if (violation.frame === NONE) return;
    const { core, session } = desk;
    const list: CheckRemedy[] = [];
    for (let index = 0; ; index++) {
      const remedy = core.sn_remedy(index);
      if (!remedy) break;
      if (!core.sn_remedy_changes(remedy, found.settings(0), session.model!)) continue;
      list.push({ index, name: text(core, core.read("snRemedy", remedy).name), before: joint.value, after: null, verdict: joint.verdict });
    }
    this.state = { ...this.state, remedies: list };
    this.tell();
    await desk.work("Trying what helps", async (signal, tell) =>
      desk.edit(async () => {
        for (let i = 0; i < list.length; i++) {
          const one = list[i];
          const after = await core.run("sn_checkup_try", found.checkup, measure, violation, core.sn_remedy(one.index), null, {
            signal,
            progress: (_stage: string, share: number) => tell(one.name, (i + share) / list.length),
          });
          list[i] = { ...one, after, verdict: found.cell(measure, after).verdict };
        }
      }),
    );
    // The best first; what was not measured is left out, and so is what does not help.
    const better = list.filter((one) => one.after !== null && one.after < one.before).sort((a, b) => a.after! - b.after!);
    this.state = { ...this.state, remedies: better };
    if (this.shown) this.show(this.shown, false);
    this.tell();
  }

  private async apply(index: number): Promise<void> {
    const { desk } = this;
    const { core, session } = desk;
    const remedy = core.sn_remedy(index);
    if (!remedy || !session.document) return;
    await desk.work("Applying", () => desk.edit(() => core.sn_document_take_remedy(session.document!, remedy)));
  }

  private async report(): Promise<void> {
    const { desk, found } = this;
    if (found) await desk.work("Writing the report", async () => desk.give(`${desk.session.name || "character"}-check.html`, writeReport(desk.core, found), "text/html"));
  }
}
