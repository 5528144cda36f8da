import type { QuarantinedRecord } from "../../../platform/provider.ts";

/** The frames in a message: one object or an array of them. An empty message has none. */
export function framesOf(text: string): { frames: readonly unknown[]; misfit: QuarantinedRecord | null } {
  if (text.trim() === "") return { frames: [], misfit: null };
  try {
    const value: unknown = JSON.parse(text);
    return { frames: Array.isArray(value) ? value : [value], misfit: null };
  } catch {
    return { frames: [], misfit: { record: text, reason: "not JSON" } };
  }
}
