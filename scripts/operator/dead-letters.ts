import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../src/db/client.ts";
import { deadLetters } from "../../src/db/schema.ts";
import { columnName, integer, isoText, run, selectRows, timestamp } from "../../src/db/sql.ts";
import { OperatorError } from "./arguments.ts";

const LINES = 1_000;

const ListedLetter = z.object({
  id: integer,
  queue: z.string(),
  recorded_at: z.string(),
  attempts: z.number(),
  letter: z.unknown(),
  is_requested: z.boolean(),
});

/** The letters that were not sent again, newest first. */
export async function listDeadLetters(db: Database): Promise<string> {
  const { id, queue, recordedAt, attempts, letter, replayRequestedAt, replayedAt } = deadLetters;
  const rows = await selectRows(
    db,
    sql`select ${id}, ${queue}, ${isoText(recordedAt)} as recorded_at, ${attempts}, ${letter},
       ${replayRequestedAt} is not null as is_requested
     from ${deadLetters} where ${replayedAt} is null order by ${id} desc limit ${LINES}`,
    ListedLetter,
  );
  if (rows.length === 0) return "There are no dead letters.";
  return rows
    .map((row) => {
      const text = row.letter === null ? "unreadable" : JSON.stringify(row.letter);
      const state = row.is_requested ? "  replay requested" : "";
      return `${row.id}  ${row.queue}  ${row.recorded_at}  ${row.attempts} attempts  ${text}${state}`;
    })
    .join("\n");
}

/** The Worker's cron sends requested letters. */
export async function requestReplay(db: Database, which: number | "all", now: Date): Promise<string> {
  const { id, letter, replayRequestedAt, replayedAt } = deadLetters;
  const requested = await run(
    db,
    sql`update ${deadLetters} set ${columnName(replayRequestedAt)} = ${timestamp(now)}
      where ${letter} is not null and ${replayedAt} is null and ${replayRequestedAt} is null
        and ${which === "all" ? sql`true` : sql`${id} = ${which}`}`,
  );
  if (requested === 0)
    throw new OperatorError(
      which === "all"
        ? "There is no dead letter to send again."
        : `There is no readable letter ${which} that is not sent or requested.`,
    );
  return `${requested} ${requested === 1 ? "letter is" : "letters are"} sent again within a minute.`;
}
