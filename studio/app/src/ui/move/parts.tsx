// What Move puts around the viewport.
import type { ModeParts } from "../modes";

export const parts: ModeParts = {};
