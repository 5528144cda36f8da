import type { Pool } from "@neondatabase/serverless";
import { sessionOf } from "../../db/client.ts";
import { ARCHIVE_DATASET_NAMES } from "../../domain/proofs/archive-datasets.ts";
import { archivePart, listParts } from "./archive-parts.ts";
import { findNextDay, isDayClosed } from "./closed-days.ts";
import { signDay, type ArchiveTarget } from "./sign-day.ts";

/**
 * Archives the next closed UTC day, one file at a time, and signs it when all its files are stored. A row
 * belongs to the day on which it was recorded, so a fill that arrives late is in the file of the day of its
 * arrival.
 *
 * @returns whether more is left
 */
export async function archiveNextPart(pool: Pool, target: ArchiveTarget, now: Date): Promise<boolean> {
  const session = sessionOf(pool);
  const day = await findNextDay(session);
  if (day === null || !(await isDayClosed(session, day, now))) return false;
  const parts = await listParts(session, day.day);
  for (const name of ARCHIVE_DATASET_NAMES) {
    const stored = parts.filter(({ dataset }) => dataset === name);
    if (stored.at(-1)?.is_last === true) continue;
    await archivePart(pool, target.store, day, name, stored);
    return true;
  }
  await signDay(pool, target, day, parts, now);
  return true;
}
