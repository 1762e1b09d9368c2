// Which of the files that were dropped is what. Only names are looked at; what is inside the library finds out.
import type { NamedFile } from "../protocol";

const MODELS = new Set(["glb", "gltf", "fbx", "obj", "ply", "off", "stl", "dae", "3mf"]);
const MOTIONS = new Set(["bvh", "amc"]);

export interface Dropped {
  projects: NamedFile[];
  models: NamedFile[];
  motions: NamedFile[];
  settings: NamedFile[];
  beside: NamedFile[]; // buffers, pictures, materials, skeletons of motions
}

export const extension = (name: string): string => name.slice(name.lastIndexOf(".") + 1).toLowerCase();
export const bare = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
export const title = (name: string): string => bare(name).replace(/\.[^.]+$/, "");

export function sort(files: NamedFile[]): Dropped {
  const dropped: Dropped = { projects: [], models: [], motions: [], settings: [], beside: [] };
  for (const file of files) {
    const kind = extension(file.name);
    if (kind === "snproject") dropped.projects.push(file);
    else if (MODELS.has(kind)) dropped.models.push(file);
    else if (MOTIONS.has(kind)) dropped.motions.push(file);
    else if (kind === "json") dropped.settings.push(file);
    else dropped.beside.push(file);
  }
  return dropped;
}

// What lies beside a file, under the names that it would use: relative to its own folder.
export function beside(file: NamedFile, all: NamedFile[]): Map<string, Uint8Array> {
  const folder = file.name.slice(0, file.name.lastIndexOf("/") + 1);
  const map = new Map<string, Uint8Array>();
  for (const other of all) {
    if (other === file) continue;
    const name = other.name.startsWith(folder) ? other.name.slice(folder.length) : bare(other.name);
    map.set(name, new Uint8Array(other.bytes));
    // A file that was chosen without its folder is found under any path that ends in its name.
    if (!map.has(bare(other.name))) map.set(bare(other.name), new Uint8Array(other.bytes));
  }
  return map;
}
