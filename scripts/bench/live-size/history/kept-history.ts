import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { HistorySize } from "../live-size.ts";

const KeptHistory = z.object({
  markets: z.number(),
  traders: z.number(),
  fills: z.number(),
  /** When the history was generated, epoch ms. */
  historyEndMs: z.number(),
  /** How many phases have begun over it. Each has transactions of its own. */
  phases: z.number(),
});

/** A loaded history in a directory, with what later runs must know of it. */
export type KeptHistory = z.output<typeof KeptHistory>;

const fileOf = (directory: string): string => join(directory, "live-size.json");

/** Where Postgres has its data. */
export const postgresDirOf = (directory: string): string => join(directory, "postgres");

/**
 * @returns null where there is none yet
 * @throws Error for a history of another size, or one that was not loaded to its end
 */
export function findKeptHistory(directory: string, size: HistorySize): KeptHistory | null {
  if (!existsSync(fileOf(directory))) {
    if (existsSync(postgresDirOf(directory))) throw new Error(`The history in ${directory} is not whole: delete it.`);
    return null;
  }
  const kept = KeptHistory.parse(JSON.parse(readFileSync(fileOf(directory), "utf8")));
  for (const name of ["markets", "traders", "fills"] as const) {
    if (kept[name] !== size[name]) throw new Error(`${directory} has ${kept[name]} ${name}, not ${size[name]}.`);
  }
  return kept;
}

export function keepHistory(directory: string, history: KeptHistory): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(fileOf(directory), JSON.stringify(KeptHistory.parse(history)));
}
