// Materials: how soft flesh is around a joint, or where a brush goes.
import type { MoveState } from "../../protocol/move";
import type { Touch } from "../../protocol";
import type { snFleshRule, snPick } from "@sinew/core";
import type { Desk, Overlay } from "../desk";
import { lend, sn, text } from "../library";

const STRENGTH = 0.5; // of one dab

export class Softness {
  private painting = false;
  private at: { pick: snPick } | null = null;

  constructor(private readonly desk: Desk) {}

  private get core() {
    return this.desk.core;
  }

  // Rules of the settings, and which of them is for one joint alone.
  private rules(name: string): { own: snFleshRule | undefined; others: snFleshRule[] } {
    const { core } = this;
    const { rules, rule_count } = core.read("snSettings", core.sn_document_settings(this.desk.session.document!));
    const list = core.readList("snFleshRule", rules, rule_count);
    const isOwn = (rule: snFleshRule) => text(core, rule.bone) === name && !rule.part && !rule.vertices && rule.radius === 0;
    return { own: list.find(isOwn), others: list.filter((rule) => !isOwn(rule)) };
  }
  private name(joint: number): string {
    return this.desk.session.describe().joints[joint]?.name ?? "";
  }
  ofJoint(joint: number): number {
    const name = this.name(joint);
    return (name && this.rules(name).own?.softness) || 1;
  }
  // Its rule gets that factor; 1 takes it away.
  setJoint(joint: number, softness: number): void {
    const { core } = this;
    const name = this.name(joint);
    if (!name) return;
    const { others } = this.rules(name);
    lend(core, name, (bone) => this.put(softness === 1 ? others : [...others, { ...core.sn_flesh_rule_def(), bone: bone as never, softness }]));
  }
  private put(next: snFleshRule[]): void {
    const { core } = this;
    const document = this.desk.session.document!;
    const settings = core.sn_settings_copy(core.sn_document_settings(document), null);
    try {
      core.sn_settings_set_rules(settings, next as never, next.length);
      core.sn_document_set_settings(document, settings);
    } finally {
      core.sn_settings_destroy(settings);
    }
  }

  begin(touch: Touch, material: MoveState["material"]): boolean {
    const { desk } = this;
    const met = this.meet(touch);
    if (!met) return false;
    desk.session.beginGesture("Paint softness");
    this.painting = true;
    this.dab(met, material);
    return true;
  }
  private meet(touch: Touch): { pick: snPick } | null {
    return this.desk.session.pickable ? this.desk.picture.pick(this.desk.session.document!, touch.x, touch.y) : null;
  }
  private dab(met: { pick: snPick }, material: MoveState["material"]): void {
    this.at = met;
    const { part, vertex } = met.pick;
    const brush = { part, vertex, radius: material.radius };
    this.desk.retouch(() => this.core.sn_document_paint_softness(this.desk.session.document!, brush as never, sn.SN_PAINT_ADD, STRENGTH, material.softness), false);
  }
  move(touch: Touch, material: MoveState["material"]): void {
    const met = this.painting ? this.meet(touch) : null;
    if (met) this.dab(met, material);
  }
  end(): void {
    if (!this.painting) return;
    this.painting = false;
    this.desk.retouch(() => this.desk.session.endGesture(), true);
  }
  overlay(material: MoveState["material"]): Overlay {
    if (!this.at) return {};
    const { position, normal } = this.at.pick as snPick & { normal?: { x: number; y: number; z: number } };
    return { marks: [{ kind: sn.SN_MARK_RING, a: position, b: normal ?? { x: 0, y: 0, z: 0 }, radius: material.radius, size: 2, on_top: true }] };
  }
}
