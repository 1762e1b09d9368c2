// What leads which joint in a clip that came from another skeleton, and a picture of both.
import type { Bones, JointMap, MapPicture } from "../../protocol/move";
import type { Ptr } from "@sinew/core";
import { NONE, SinewError, type Core, type DocumentPtr } from "../library";

const SURE = 0.7; // below it names and places disagree, or something stands in

export function readMap(core: Core, document: DocumentPtr, clip: number): JointMap | null {
  const source = core.sn_document_clip_source(document, clip);
  if (!source) return null;
  let address: Ptr<"snJointMap">;
  try {
    address = core.sn_document_clip_map(document, clip);
  } catch (error) {
    if (error instanceof SinewError) return null; // its file was read without what it needs
    throw error;
  }
  const map = core.read("snJointMap", address);
  const skeleton = core.read("snSkeleton", core.read("snModel", core.sn_source_model(source)).skeleton);
  const pairs = core.readList("snJointPair", map.pairs, map.target_count).map((pair, target) => ({
    target,
    source: pair.source === NONE ? -1 : pair.source,
    confidence: pair.confidence,
    how: core.sn_pairing_name(pair.how) ?? "",
    doubtful: pair.source !== NONE && pair.confidence < SURE,
  }));
  const made: JointMap = {
    clip,
    file: core.sn_source_name(source) ?? "",
    confidence: map.confidence,
    matched: map.matched,
    sources: core.strings(skeleton.names, skeleton.joint_count).map((name, i) => name || `#${i}`),
    pairs,
  };
  core.sn_joint_map_destroy(address);
  return made;
}

// A skeleton at rest from the front, as large as fits.
function bones(core: Core, skeleton: Ptr<"snSkeleton">): Bones {
  const { joint_count, rest, parents } = core.read("snSkeleton", skeleton);
  const world = core.alloc(64 * joint_count);
  core.sn_skeleton_world(skeleton, rest, world as unknown as Ptr<"snMat4">);
  const matrices = core.floats(world, 16 * joint_count);
  const points = Array.from({ length: joint_count }, (_, j): [number, number] => [matrices[16 * j + 12], matrices[16 * j + 13]]);
  core.free(world);
  const xs = points.map((one) => one[0]);
  const ys = points.map((one) => one[1]);
  const size = Math.max(1e-6, Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const x0 = (Math.max(...xs) + Math.min(...xs) - size) / 2;
  const y1 = (Math.max(...ys) + Math.min(...ys) + size) / 2;
  return {
    points: points.map(([x, y]) => [(x - x0) / size, (y1 - y) / size]),
    parents: Array.from(core.u32(parents, joint_count), (parent) => (parent === NONE ? -1 : parent)),
  };
}

export function readPicture(core: Core, document: DocumentPtr, clip: number): MapPicture | null {
  const source = core.sn_document_clip_source(document, clip);
  if (!source) return null;
  const own = core.read("snModel", core.sn_document_model(document)).skeleton;
  return { target: bones(core, own), source: bones(core, core.read("snModel", core.sn_source_model(source)).skeleton) };
}
