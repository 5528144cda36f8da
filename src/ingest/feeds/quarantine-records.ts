import { sql } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { quarantinedRecords } from "../../db/schema.ts";
import { array, columnName, columnNames, run } from "../../db/sql.ts";
import type { QuarantinedRecord } from "../../platform/provider.ts";

/**
 * Quarantines records that do not match their schema, for an operator to read. Stores each distinct record of
 * a feed once.
 */
export async function quarantineRecords(
  session: Session,
  feed: string,
  quarantined: readonly QuarantinedRecord[],
): Promise<void> {
  if (quarantined.length === 0) return;
  const reasons = quarantined.map(({ reason }) => reason);
  const records = quarantined.map(({ record }) => storableJson(record));
  const { digest, reason, record } = quarantinedRecords;
  await run(
    session,
    sql`insert into ${quarantinedRecords} (${columnNames(quarantinedRecords.feed, reason, record, digest)})
     select ${feed}, t.reason, t.record,
       encode(sha256(convert_to(${feed} || ' ' || t.record::text, 'UTF8')), 'hex')
     from unnest(${array(reasons, "text")}, ${array(records, "jsonb")}) as t(reason, record)
     on conflict (${columnName(digest)}) do nothing`,
  );
}

// Postgres accepts neither NUL nor a lone surrogate in JSON, and one record must not block its page.
const UNSTORABLE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** `JSON.stringify` writes exactly these characters as escapes; a complete surrogate pair stays unescaped. */
const storableJson = (record: unknown): string => JSON.stringify(record ?? null).replaceAll(UNSTORABLE, "\\ufffd");
