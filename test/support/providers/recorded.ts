import { existsSync, readFileSync } from "node:fs";

const shared = new URL("../../../../shared/", import.meta.url);

/** Whether the recorded provider data lies beside the repository. */
export const hasRecordedData = existsSync(new URL("provider-samples/v2_trades.json", shared));

export const readRecorded = (path: string): unknown => JSON.parse(readFileSync(new URL(path, shared), "utf8"));

/** A row of the retired first Data API in the form of the second. */
export function inTodaysNames(row: Record<string, unknown>): Record<string, unknown> {
  const names: Record<string, string> = { asset: "token_id", vol: "volume" };
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [names[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
