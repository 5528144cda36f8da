import type { QuarantinedRecord } from "../../../platform/provider.ts";

/** The frames in a message: one object or an array of them. An empty message has none. */
export function framesOf(text: string): { frames: readonly unknown[]; quarantined: QuarantinedRecord | null } {
  if (text.trim() === "") return { frames: [], quarantined: null };
  try {
    const value: unknown = JSON.parse(text);
    return { frames: Array.isArray(value) ? value : [value], quarantined: null };
  } catch {
    return { frames: [], quarantined: { record: text, reason: "not JSON" } };
  }
}
