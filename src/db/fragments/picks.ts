import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { games, pickCloses, pickCommitments, pickRevisions, picks } from "../schema.ts";
import { alias, isoText } from "../sql.ts";

export const g = alias(games, "g");
export const k = alias(picks, "k");
export const close = alias(pickCloses, "close");
export const commitment = alias(pickCommitments, "commitment");

const revision = alias(pickRevisions, "revision");

export const isWithdrawn = (pickId: AnyPgColumn): SQL =>
  sql`exists (select from ${revision} where ${revision.pickId} = ${pickId} and ${revision.withdrawnFor} is not null)`;

/** The same for all picks at once, which reads the revisions once: see `joinEveryOutcome`. */
export const isAmongWithdrawn = (pickId: AnyPgColumn): SQL =>
  sql`${pickId} in (select ${revision.pickId} from ${revision} where ${revision.withdrawnFor} is not null)`;

/** Whether an outcome was ever recorded. */
export const hasOutcome = (pickId: AnyPgColumn): SQL =>
  sql`exists (select from ${revision} where ${revision.pickId} = ${pickId} and ${revision.outcome} is not null)`;

/** The newest outcome of a pick; no row while it is pending. A withdrawal has none. */
const newestOutcome = (pickId: AnyPgColumn, columns: SQL): SQL =>
  sql`select ${columns} from ${revision} where ${revision.pickId} = ${pickId} and ${revision.outcome} is not null
    order by ${revision.id} desc limit 1`;

/** The payout of which the newest outcome was recorded, in millionths; null before the first. */
export const recordedPayout = (pickId: AnyPgColumn): SQL => sql`(${newestOutcome(pickId, sql`${revision.payoutPpm}`)})`;

const SETTLED = sql`${revision.outcome}, ${isoText(revision.recordedAt)} as recorded_at`;

/** Joins the newest outcome of the pick `k` as `settled`. */
export const joinOutcome: SQL = sql`left join lateral (${newestOutcome(k.id, SETTLED)}) settled on true`;

/**
 * The same for all picks at once. While the revisions are a few pages, Postgres scans them instead of using their index:
 * for each pick that would be quadratic.
 */
export const joinEveryOutcome: SQL = sql`left join (
    select distinct on (${revision.pickId}) ${revision.pickId}, ${SETTLED} from ${revision}
    where ${revision.outcome} is not null order by ${revision.pickId}, ${revision.id} desc
  ) settled on settled.pick_id = ${k.id}`;
