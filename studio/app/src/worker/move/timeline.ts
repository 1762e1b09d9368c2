// The timeline's strips, keys and curves: read from the document, and written back as whole lists.
import type { Curve, KeyMark, Strip, Timeline } from "../../protocol/move";
import type { Ptr, snJointKey, snMixDef } from "@sinew/core";
import { lend, text, type Core, type DocumentPtr } from "../library";

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

export function readCurves(core: Core, document: DocumentPtr): Curve[] {
  const settings = core.read("snSettings", core.sn_document_settings(document));
  const swing = core.readList("snProfileKey", settings.profile, settings.profile_count);
  const target = core.readList("snVolumeTarget", settings.volume_targets, settings.volume_target_count).find((one) => text(core, one.joint) === "*");
  const size = target ? core.readList("snVolumeKey", target.keys, target.key_count) : [];
  return [
    { key: "swing", label: "Swing", help: "How much flesh follows, times the setting", min: 0, max: 1, rest: 1, points: swing.map(({ time, delta }) => ({ time, value: delta })) },
    { key: "size", label: "Volume", help: "How large the body is meant to be; with exact volume", min: 0.8, max: 1.25, rest: 1, points: size.map(({ time, factor }) => ({ time, value: factor })) },
  ];
}

// Points in order, no two at one moment.
function inOrder(points: Curve["points"]): Curve["points"] {
  const sorted = [...points].sort((a, b) => a.time - b.time);
  return sorted.filter((point, i) => i === 0 || point.time > sorted[i - 1].time + 1e-4);
}

export function writeCurve(core: Core, document: DocumentPtr, key: Curve["key"], given: Curve["points"]): void {
  const points = inOrder(given);
  const settings = core.sn_settings_copy(core.sn_document_settings(document), null);
  try {
    if (key === "swing") core.sn_settings_set_profile(settings, points.map(({ time, value }) => ({ time, delta: value })), points.length);
    else {
      const keys = points.map(({ time, value }) => ({ time, factor: value }));
      lend(core, "*", (joint) => {
        const targets = keys.length > 0 ? [{ joint, loop: false, key_count: keys.length, keys }] : [];
        core.sn_settings_set_volume_targets(settings, targets as never, targets.length);
      });
    }
    core.sn_document_set_settings(document, settings);
  } finally {
    core.sn_settings_destroy(settings);
  }
}
