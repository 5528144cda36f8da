import type { Session } from "../db/client.ts";
import type { Misfit } from "../ports/provider.ts";

/** Keeps records that do not fit their schema for an operator to read. The same record of the same feed is kept once. */
export async function setAside(session: Session, feed: string, misfits: readonly Misfit[]): Promise<void> {
  if (misfits.length === 0) return;
  await session.query(
    `insert into set_aside_records (feed, reason, record, digest)
     select $1, t.reason, t.record, encode(sha256(convert_to($1 || ' ' || t.record::text, 'UTF8')), 'hex')
     from unnest($2::text[], $3::jsonb[]) as t(reason, record)
     on conflict (digest) do nothing`,
    [feed, misfits.map((misfit) => misfit.reason), misfits.map((misfit) => storableJson(misfit.record))],
  );
}

// Postgres takes neither NUL nor half a surrogate pair in JSON, and one record must not hold up its page.
const UNSTORABLE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** JSON text writes exactly these characters as such escapes; a whole pair stands as it is. */
const storableJson = (record: unknown): string => JSON.stringify(record ?? null).replaceAll(UNSTORABLE, "\\ufffd");
