// The core's types under short names.
import * as sn from "@sinew/core";
import { SinewError, type Ptr } from "@sinew/core";

export { sn, SinewError };
export type Core = Awaited<ReturnType<typeof sn.load>>;
export type DocumentPtr = Ptr<"snDocument">;
export type CharacterPtr = Ptr<"snCharacter">;
export type ModelPtr = Ptr<"snModel">;
export type SourcePtr = Ptr<"snSource">;
export type ScrubPtr = Ptr<"snScrub">;
export type SettingsPtr = Ptr<"snSettings">;
export type Vec3 = { x: number; y: number; z: number };

export const NONE = 0xffffffff;

// A text at an address, for fields of structs that own theirs, as long as `run` lasts.
export function lend<T>(core: Core, words: string, run: (address: number) => T): T {
  const bytes = new TextEncoder().encode(words + "\0");
  const address = core.alloc(bytes.length);
  core.u8(address, bytes.length).set(bytes);
  try {
    return run(address);
  } finally {
    core.free(address);
  }
}

// A text of the library; "" where there is none.
export const text = (core: Core, address: number): string => core.string(address as Ptr<"char">) ?? "";
