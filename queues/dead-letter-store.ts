import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Connection } from "../src/db/client.ts";
import { recordset } from "../src/db/fragments/recordset.ts";
import { deadLetters } from "../src/db/schema.ts";
import { columnNames, integer, run, selectRows } from "../src/db/sql.ts";
import { ExportMessage } from "../src/messages/export-message.ts";
import { IngestMessage } from "../src/messages/ingest-message.ts";
import { QUEUES, type QueueName } from "../src/messages/queue-name.ts";
import { WebhookMessage } from "../src/messages/webhook-message.ts";

const KEPT_DAYS = 90;
const SCHEMAS = {
  ingest: IngestMessage,
  traders: IngestMessage,
  figures: IngestMessage,
  webhooks: WebhookMessage,
  exports: ExportMessage,
};

type Queue = QueueName["queue"];
export type Letter = IngestMessage | WebhookMessage | ExportMessage;

export interface DeadLetter {
  readonly queue: Queue;
  readonly messageId: string;
  readonly letter: Letter | null;
  readonly attempts: number;
  readonly sentAt: Date;
}

/** A message of a queue; null for a body that its schema does not know. */
export const parseLetter = (queue: Queue, body: unknown): Letter | null => SCHEMAS[queue].safeParse(body).data ?? null;

/** Records letters once each, and deletes those past their retention. */
export async function recordDeadLetters(db: Connection, letters: readonly DeadLetter[]): Promise<void> {
  const { queue, messageId, letter, attempts, sentAt, recordedAt } = deadLetters;
  const rows = recordset("t", letters, {
    queue: ["text", (one) => one.queue],
    message_id: ["text", (one) => one.messageId],
    letter: ["jsonb", (one) => (one.letter === null ? null : JSON.stringify(one.letter))],
    attempts: ["int", (one) => one.attempts],
    sent_at: ["timestamptz", (one) => one.sentAt.toISOString()],
  });
  await run(
    db,
    sql`with expired as (
       delete from ${deadLetters} where ${recordedAt} < now() - make_interval(days => ${KEPT_DAYS})
     )
     insert into ${deadLetters} (${columnNames(queue, messageId, letter, attempts, sentAt)}) select * from ${rows}
     on conflict (${columnNames(queue, messageId)}) do nothing`,
  );
}

const RequestedLetter = z.object({
  id: integer,
  queue: z.enum(QUEUES),
  letter: z.unknown(),
});

/** The letters that an operator asked to send again and that were not sent yet, oldest first. */
export async function listRequestedReplays(
  db: Connection,
  limit: number,
): Promise<{ id: number; queue: Queue; letter: Letter | null }[]> {
  const { id, queue, letter, replayRequestedAt, replayedAt } = deadLetters;
  const rows = await selectRows(
    db,
    sql`select ${id}, ${queue}, ${letter} from ${deadLetters}
      where ${replayRequestedAt} is not null and ${replayedAt} is null order by ${id} limit ${limit}`,
    RequestedLetter,
  );
  return rows.map((row) => ({ ...row, letter: parseLetter(row.queue, row.letter) }));
}

export async function markReplayed(db: Connection, id: number): Promise<void> {
  await run(db, sql`update ${deadLetters} set replayed_at = now() where ${deadLetters.id} = ${id}`);
}
