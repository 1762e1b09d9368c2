// The timeline's strips, keys and curves: read from the document, and written back as whole lists.
import type { Curve, KeyMark, Strip, Timeline } from "../../protocol/move";
import type { Ptr, snJointKey, snMixDef } from "@sinew/core";
import { lend, text, type Core, type DocumentPtr, type SettingsPtr } from "../library";

export interface Mix extends Omit<snMixDef, "strips" | "keys" | "name"> {
  name: string;
  strips: Strip[];
  keys: snJointKey[];
}

export function readMix(core: Core, document: DocumentPtr): Mix | null {
  const address = core.sn_document_timeline(document);
  if (!address) return null;
  const mix = core.read("snMixDef", address);
  const model = core.read("snModel", core.sn_document_model(document));
  const clips = core.u32(model.clips, model.clip_count);
  const strips = core.readList("snStrip", mix.strips, mix.strip_count).map((strip, i) => {
    const row = (mix.strips + i * core.sizeOf("snStrip")) as Ptr<"snStrip">;
    return { ...strip, length: core.sn_strip_length(row, clips[strip.clip] as Ptr<"snClip">) };
  });
  return { ...mix, name: text(core, mix.name), strips, keys: core.readList("snJointKey", mix.keys, mix.key_count) };
}

export function writeMix(core: Core, document: DocumentPtr, mix: Partial<Mix> & { strips: Strip[] }): void {
  const strips = mix.strips.map(({ clip, start, from, to, speed, rounds }) => ({ clip, start, from, to, speed, rounds }));
  const keys = mix.keys ?? [];
  core.sn_document_set_timeline(document, { ...mix, strips, strip_count: strips.length, keys, key_count: keys.length });
}

export function readTimeline(core: Core, document: DocumentPtr): Timeline | null {
  const mix = readMix(core, document);
  if (!mix) return null;
  const keys: KeyMark[] = mix.keys.map(({ joint, time }) => ({ joint, time }));
  return { clip: core.sn_document_timeline_clip(document), travel: mix.travel, strips: mix.strips, keys };
}

// ---------------------------------------------------------------------------------------------------- curves

const SIZE = "size:"; // and whose: "*" all of the body, else a joint
const SAMPLES = 96;

function sizeCurve(core: Core, joint: string, target?: { address: Ptr<"snVolumeTarget">; loop: boolean; keys: { time: number; factor: number }[] }): Curve {
  const points = (target?.keys ?? []).map(({ time, factor }) => ({ time, value: factor }));
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0];
  const moments = points.length < 2 ? [] : Array.from({ length: SAMPLES + 1 }, (_, i) => from + ((to - from) * i) / SAMPLES);
  const line = moments.map((time) => ({ time, value: core.sn_volume_target_at(target!.address, time) }));
  const help = `How large ${joint === "*" ? "the body" : joint} is meant to be; with exact volume`;
  return { key: SIZE + joint, label: joint === "*" ? "Volume" : joint, title: joint === "*" ? "Volume over time" : `${joint} volume`, help, min: 0.8, max: 1.25, rest: 1, points, line, loop: target?.loop ?? false };
}

// Swing, the size of the body, of the joint that is chosen, and of those that have a curve already.
export function readCurves(core: Core, document: DocumentPtr, chosen: string): Curve[] {
  const settings = core.read("snSettings", core.sn_document_settings(document));
  const swing = core.readList("snProfileKey", settings.profile, settings.profile_count).map(({ time, delta }) => ({ time, value: delta }));
  const targets = core.readList("snVolumeTarget", settings.volume_targets, settings.volume_target_count).map((one, i) => ({
    joint: text(core, one.joint),
    loop: one.loop,
    keys: core.readList("snVolumeKey", one.keys, one.key_count),
    address: (settings.volume_targets + i * core.sizeOf("snVolumeTarget")) as Ptr<"snVolumeTarget">,
  }));
  const joints = new Set(["*", ...targets.map((one) => one.joint), ...(chosen ? [chosen] : [])]);
  return [
    { key: "swing", label: "Swing", title: "Swing over time", help: "How much flesh follows, times the setting", min: 0, max: 1, rest: 1, points: swing, line: swing, loop: null },
    ...[...joints].map((joint) => sizeCurve(core, joint, targets.find((one) => one.joint === joint))),
  ];
}

// Points in order, no two at one moment.
function inOrder(points: Curve["points"]): Curve["points"] {
  const sorted = [...points].sort((a, b) => a.time - b.time);
  return sorted.filter((point, i) => i === 0 || point.time > sorted[i - 1].time + 1e-4);
}

// Of targets the last one that names a joint counts: that of the whole body stays before the others.
function setSize(core: Core, settings: SettingsPtr, document: DocumentPtr, wanted: string, points: Curve["points"], loop: boolean): void {
  const { volume_targets, volume_target_count } = core.read("snSettings", core.sn_document_settings(document));
  const others = core.readList("snVolumeTarget", volume_targets, volume_target_count);
  const at = others.findIndex((one) => text(core, one.joint) === wanted);
  lend(core, wanted, (joint) => {
    const own = points.length > 0 ? [{ joint, loop: loop && points.length > 1, key_count: points.length, keys: points.map(({ time, value }) => ({ time, factor: value })) }] : [];
    const targets = at >= 0 ? [...others.slice(0, at), ...own, ...others.slice(at + 1)] : wanted === "*" ? [...own, ...others] : [...others, ...own];
    core.sn_settings_set_volume_targets(settings, targets as never, targets.length);
  });
}

export function writeCurve(core: Core, document: DocumentPtr, key: string, given: Curve["points"], loop: boolean): void {
  const points = inOrder(given);
  const settings = core.sn_settings_copy(core.sn_document_settings(document), null);
  try {
    if (key === "swing") core.sn_settings_set_profile(settings, points.map(({ time, value }) => ({ time, delta: value })), points.length);
    else setSize(core, settings, document, key.slice(SIZE.length), points, loop);
    core.sn_document_set_settings(document, settings);
  } finally {
    core.sn_settings_destroy(settings);
  }
}
