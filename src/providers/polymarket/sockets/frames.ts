import type { Misfit } from "../../../ports/provider.ts";

/** The frames in a text: one object or an array of them; an empty text holds none. */
export function framesOf(text: string): { frames: readonly unknown[]; misfit: Misfit | null } {
  if (text.trim() === "") return { frames: [], misfit: null };
  try {
    const value: unknown = JSON.parse(text);
    return { frames: Array.isArray(value) ? value : [value], misfit: null };
  } catch {
    return { frames: [], misfit: { record: text, reason: "not JSON" } };
  }
}
