import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Locks the storage of every user meter of a started product, so that no meter can read or write. @returns a
 * function that unlocks it
 */
export function lockMeters(dataDir: string): () => void {
  const objects = join(dataDir, "worker/v3/do/prediction-market-activity-api-UserMeter");
  const files = readdirSync(objects).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));
  if (files.length === 0) throw new Error(`${objects} has no meter`);
  const locked = files.map((name) => new DatabaseSync(join(objects, name), { timeout: 1_000 }));
  for (const database of locked) database.exec("begin exclusive");
  return () => locked.forEach((database) => database.close());
}
