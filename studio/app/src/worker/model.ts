// What panels show of a document, read from the library's own structs.
import type { Model, Setting, SettingType, SettingValue } from "../protocol";
import { NONE, text, type Core, type DocumentPtr, type SettingsPtr } from "./library";
import type { Ptr, snModel } from "@sinew/core";

const TYPES: SettingType[] = ["bool", "count", "float", "vec3", "choice"];

// A list of texts that ends with NULL.
function names(core: Core, address: Ptr<"pointer">): string[] {
  const list: string[] = [];
  for (let at = address as number; at !== 0; at += 4) {
    const name = core.u32(at, 1)[0];
    if (name === 0) break;
    list.push(text(core, name));
  }
  return list;
}

// From what sn_settings_format writes; `format` is the way back.
function parse(type: SettingType, text: string): SettingValue {
  if (type === "bool") return text === "true" || text === "on";
  if (type === "choice") return text.replaceAll('"', "");
  if (type !== "vec3") return Number(text);
  return text.replace(/[[\],]/g, " ").trim().split(/\s+/).map(Number) as [number, number, number];
}

export function format(value: SettingValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(" ") : String(value);
}

export class Schema {
  readonly settings: Setting[] = [];
  private readonly rows: Ptr<"snSetting">[] = [];

  constructor(private readonly core: Core) {
    const { result: table, count } = core.sn_setting_table();
    const defaults = core.sn_settings_create(null);
    for (let i = 0; i < count; i++) {
      const address = (table + i * core.sizeOf("snSetting")) as Ptr<"snSetting">;
      const row = core.read("snSetting", address);
      const type = TYPES[row.type];
      this.rows.push(address);
      this.settings.push({
        key: text(core, row.key),
        label: text(core, row.label),
        unit: text(core, row.unit),
        type,
        min: row.min,
        max: row.max,
        usualMin: row.usual_min,
        usualMax: row.usual_max,
        names: names(core, row.names),
        help: text(core, row.help),
        initial: parse(type, core.sn_settings_format(defaults, address)),
      });
    }
    core.sn_settings_destroy(defaults);
  }

  values(settings: SettingsPtr): Record<string, SettingValue> {
    const value = (setting: Setting, i: number) => parse(setting.type, this.core.sn_settings_format(settings, this.rows[i]));
    return Object.fromEntries(this.settings.map((setting, i) => [setting.key, value(setting, i)]));
  }
}

function readParts(core: Core, model: snModel): Model["parts"] {
  return core.readList("snPart", model.parts, model.part_count).map((part) => {
    const mesh = core.read("snMesh", part.mesh);
    return {
      name: text(core, part.name),
      vertices: mesh.vertex_count,
      triangles: mesh.corner_count - 2 * mesh.face_count, // a face of n corners is n - 2 of them
      skinned: part.skin !== NONE,
    };
  });
}

function readJoints(core: Core, model: snModel): Model["joints"] {
  const skeleton = core.read("snSkeleton", model.skeleton);
  const parents = Array.from(core.u32(skeleton.parents, skeleton.joint_count));
  const deforming = new Set<number>();
  for (const skin of core.readList("snSkin", model.skins, model.skin_count))
    for (const joint of core.u32(skin.joints, skin.joint_count)) deforming.add(joint);
  return core
    .strings(skeleton.names, skeleton.joint_count)
    .map((name, i) => ({ name: name ?? "", parent: parents[i] === NONE ? -1 : parents[i], deforms: deforming.has(i) }));
}

function readClips(core: Core, document: DocumentPtr, model: snModel): Model["clips"] {
  return Array.from(core.u32(model.clips, model.clip_count), (address, i) => {
    const clip = core.read("snClip", address as Ptr<"snClip">);
    const source = core.sn_document_clip_source(document, i);
    return { name: text(core, clip.name), duration: clip.duration, from: source ? (core.sn_source_name(source) ?? "") : "" };
  });
}

export const NO_MODEL: Model = { kind: "none", name: "", parts: [], joints: [], clips: [], lattice: false };

export function describe(core: Core, document: DocumentPtr, name: string, demo: boolean): Model {
  const address = core.sn_document_model(document);
  if (!address) return NO_MODEL;
  const model = core.read("snModel", address);
  const rigged = core.sn_document_has_skeleton(document) && model.skin_count > 0;
  return {
    kind: demo ? "demo" : rigged ? "character" : "mesh",
    name,
    parts: readParts(core, model),
    joints: rigged ? readJoints(core, model) : [],
    clips: readClips(core, document, model),
    lattice: model.binding !== 0,
  };
}

// Ways to deform that can be compared.
export function methodNames(core: Core): string[] {
  const list: string[] = [];
  for (let i = 0; ; i++) {
    const method = core.sn_deform_method(i);
    if (!method) return list;
    list.push(text(core, core.read("snDeformMethod", method).name));
  }
}
