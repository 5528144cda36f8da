import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { commitTogether, sessionOf } from "../../db/client.ts";
import { workLeases } from "../../db/schema.ts";
import {
  alias,
  array,
  columnName,
  columnNames,
  excluded,
  integer,
  run,
  selectRow,
  selectRows,
  setEach,
} from "../../db/sql.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";

/*
 * Leases make sure that work found by a timer is enqueued once. A lease lasts from enqueueing until the work
 * is done: a job that finds the same work due again sends no second message, and the number of leases per
 * kind is limited. Work beyond the limit waits in its own table. A message whose lease is gone
 * (the work is done or was enqueued again) does nothing. A lost message is sent again when its lease has
 * expired.
 */

export type WorkKind = IngestMessage["kind"];

interface LeaseRule {
  /** Maximum number of work items of this kind that may be leased at once. */
  readonly maxLeased: number;
  /** Lease duration. Longer than a message waits behind all others that may be queued. */
  readonly seconds: number;
}

/**
 * Traders take the longest: a message may read twenty pages, and the provider's request budget allows only a
 * few traders a second.
 */
const TRADER_LEASE_SECONDS = 900;
const LEASE_SECONDS = 300;

const RULES: Readonly<Record<WorkKind, LeaseRule>> = {
  sync_trader: { maxLeased: 200, seconds: TRADER_LEASE_SECONDS },
  read_combos: { maxLeased: 40, seconds: TRADER_LEASE_SECONDS },
  measure_traders: { maxLeased: 40, seconds: TRADER_LEASE_SECONDS },
  profile_traders: { maxLeased: 500, seconds: TRADER_LEASE_SECONDS },
  rank_profiles: { maxLeased: 1, seconds: TRADER_LEASE_SECONDS },
  hydrate_markets: { maxLeased: 1_000, seconds: LEASE_SECONDS },
  refresh_books: { maxLeased: 400, seconds: LEASE_SECONDS },
  score_markets: { maxLeased: 200, seconds: LEASE_SECONDS },
  grade_traders: { maxLeased: 1, seconds: LEASE_SECONDS },
  scan_holders: { maxLeased: 40, seconds: LEASE_SECONDS },
};

/** The alias of `work_leases` in `isLeased`. */
export const lease = alias(workLeases, "l");

/** SQL condition: the row `lease` is an unexpired lease of this kind. */
export const isLeased = (kind: WorkKind): SQL =>
  sql`(${lease.kind} = ${kind} and ${lease.enqueuedAt} > now() - make_interval(secs => ${RULES[kind].seconds}))`;

/** How many more work items of a kind may be leased now. */
export async function countFreeLeases(pool: Pool, kind: WorkKind): Promise<number> {
  const row = await selectRow(
    sessionOf(pool),
    sql`select count(*) as outstanding from ${lease} where ${isLeased(kind)}`,
    z.object({ outstanding: integer }),
  );
  return Math.max(0, RULES[kind].maxLeased - (row?.outstanding ?? 0));
}

/** The work items of these messages. */
export const countItems = (messages: readonly IngestMessage[]): number =>
  messages.reduce((sum, message) => sum + keysOf(message).length, 0);

/**
 * Leases the work items of these messages that are not leased yet, in order, up to the limit of their kind.
 *
 * @returns the messages to send, each reduced to the items that were leased
 */
export async function leaseWork(pool: Pool, messages: readonly IngestMessage[]): Promise<IngestMessage[]> {
  const leased: IngestMessage[] = [];
  for (const [kind, group] of Map.groupBy(messages, (message) => message.kind)) {
    leased.push(...(await leaseKind(pool, kind, RULES[kind], group)));
  }
  return leased;
}

async function leaseKind(
  pool: Pool,
  kind: WorkKind,
  { maxLeased, seconds }: LeaseRule,
  messages: readonly IngestMessage[],
): Promise<IngestMessage[]> {
  const items = [...new Set(messages.flatMap(keysOf))];
  const { key, enqueuedAt } = workLeases;
  const lifetime = sql`make_interval(secs => ${seconds})`;
  const rows = await selectRows(
    sessionOf(pool),
    sql`with live as (
       select ${key} from ${workLeases} where ${workLeases.kind} = ${kind} and ${enqueuedAt} > now() - ${lifetime}
     ), fresh as (
       select key from unnest(${array(items, "text")}) with ordinality as t(key, ord)
       where key not in (select key from live)
       order by ord limit greatest(0, ${maxLeased} - (select count(*) from live))
     ), lost as (
       delete from ${workLeases} where ${workLeases.kind} = ${kind} and ${enqueuedAt} <= now() - ${lifetime}
         and ${key} not in (select key from fresh)
     )
     insert into ${workLeases} (${columnNames(workLeases.kind, key, enqueuedAt)}) select ${kind}, key, now() from fresh
     on conflict (${columnNames(workLeases.kind, key)}) do update set ${setEach([enqueuedAt], excluded)}
     returning ${key}, ${enqueuedAt}::text as lease`,
    z.object({ key: z.string(), lease: z.string() }),
  );
  const keys = new Set(rows.map((row) => row.key));
  const mark = rows[0]?.lease;
  return mark === undefined
    ? []
    : messages.flatMap((message) => narrow(message, keys) ?? []).map((message) => ({ ...message, lease: mark }));
}

/** Releases the leases of messages that could not be sent. */
export async function releaseLeases(pool: Pool, messages: readonly IngestMessage[]): Promise<void> {
  for (const message of messages) {
    if (message.lease !== undefined) await endLease(pool, { message, mark: message.lease });
  }
}

/** The work of a message, claimed by the consumer that holds this mark. */
interface Claim {
  readonly message: IngestMessage;
  readonly mark: string;
}

/** The lease of work in progress. */
export interface HeldLease {
  /** A statement that ends the lease, for the last transaction of the work, after which it must not fail. */
  readonly end: () => SQL;
}

/** What work begins with. */
export interface ClaimedWork {
  /** The part that its lease still covers. */
  readonly message: IngestMessage;
  /** Null for a message without a lease. */
  readonly lease: HeldLease | null;
  /** The rows of the statement that was sent with the claim; none without one. */
  readonly rows: readonly unknown[];
}

/**
 * Does the part of a message's work that its lease still covers, then ends the lease. Failed work is left to
 * the message's next attempt. If a message is delivered twice, even concurrently, only one delivery finds the
 * lease.
 *
 * @param first a statement that the work begins with, sent with the claim
 */
export async function runLeasedWork(
  pool: Pool,
  message: IngestMessage,
  work: (claimed: ClaimedWork) => Promise<void>,
  first: SQL | null = null,
): Promise<void> {
  const leasedAt = message.lease;
  const statements = first === null ? [] : [first];
  if (leasedAt === undefined) {
    const [rows = []] = first === null ? [] : await commitTogether(pool, statements);
    return work({ message, lease: null, rows });
  }
  const [claimedRows = [], rows = []] = await commitTogether(pool, [claimWork(message, leasedAt), ...statements]);
  const claim = toClaim(message, claimedRows);
  if (claim === null) return;
  let isEnded = false;
  const held: HeldLease = {
    end: () => {
      isEnded = true;
      return deleteLease(claim);
    },
  };
  try {
    await work({ message: claim.message, lease: held, rows });
  } catch (error) {
    await restoreLease(pool, claim, leasedAt);
    throw error;
  }
  if (!isEnded) await endLease(pool, claim);
}

function claimWork(message: IngestMessage, leasedAt: string): SQL {
  const { kind, key, enqueuedAt } = workLeases;
  return sql`with own as (
       select ${key} from ${workLeases}
       where ${kind} = ${message.kind} and ${key} = any(${array(keysOf(message), "text")})
         and ${enqueuedAt} = ${leasedAt}::timestamptz
       order by ${key} for update
     )
     update ${lease} set ${columnName(enqueuedAt)} = now() from own
     where ${lease.kind} = ${message.kind} and ${lease.key} = own.key
     returning ${lease.key}, ${lease.enqueuedAt}::text as mark`;
}

const ClaimedRow = z.object({ key: z.string(), mark: z.string() });

function toClaim(message: IngestMessage, returned: readonly unknown[]): Claim | null {
  const rows = returned.map((row) => ClaimedRow.parse(row));
  const claimed = narrow(message, new Set(rows.map((row) => row.key)));
  const mark = rows[0]?.mark;
  return claimed === null || mark === undefined ? null : { message: claimed, mark };
}

/** SQL condition: the row is a lease of this claim. */
const isOfClaim = ({ message, mark }: Claim): SQL =>
  sql`${workLeases.kind} = ${message.kind} and ${workLeases.key} = any(${array(keysOf(message), "text")})
    and ${workLeases.enqueuedAt} = ${mark}::timestamptz`;

async function restoreLease(pool: Pool, claim: Claim, to: string): Promise<void> {
  await run(
    sessionOf(pool),
    sql`update ${workLeases} set ${columnName(workLeases.enqueuedAt)} = ${to}::timestamptz where ${isOfClaim(claim)}`,
  );
}

const deleteLease = (claim: Claim): SQL => sql`delete from ${workLeases} where ${isOfClaim(claim)}`;

async function endLease(pool: Pool, claim: Claim): Promise<void> {
  await run(sessionOf(pool), deleteLease(claim));
}

/** The keys of the work items in a message. A message without items has one empty key. */
function keysOf(message: IngestMessage): string[] {
  if ("address" in message) return [message.address];
  if ("condition_ids" in message) return message.condition_ids;
  if ("token_ids" in message) return message.token_ids;
  if ("market_ids" in message) return message.market_ids.map(String);
  if ("trader_ids" in message) return message.trader_ids.map(String);
  return [""];
}

/** The message reduced to the items with these keys; null when none is left. */
function narrow(message: IngestMessage, keys: ReadonlySet<string>): IngestMessage | null {
  if (!keysOf(message).some((key) => keys.has(key))) return null;
  const isIncluded = (key: string | number) => keys.has(String(key));
  if ("condition_ids" in message) return { ...message, condition_ids: message.condition_ids.filter(isIncluded) };
  if ("token_ids" in message) return { ...message, token_ids: message.token_ids.filter(isIncluded) };
  if ("market_ids" in message) return { ...message, market_ids: message.market_ids.filter(isIncluded) };
  if ("trader_ids" in message) return { ...message, trader_ids: message.trader_ids.filter(isIncluded) };
  return message;
}
