import { existsSync, readFileSync } from "node:fs";
import { sharedPath } from "./shared-path.ts";

/** Whether the recorded provider data exists. */
export const hasRecordedData = existsSync(sharedPath("provider-samples/v2_trades.json"));

export const readRecorded = (path: string): unknown => JSON.parse(readFileSync(sharedPath(path), "utf8"));

/** A row of the retired first Data API with the field names of the second. */
export function withCurrentNames(row: Record<string, unknown>): Record<string, unknown> {
  const names: Record<string, string> = { asset: "token_id", vol: "volume" };
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      names[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
