import type { Pool } from "@neondatabase/serverless";
import type { IngestMessage } from "../messages/ingest.ts";

/*
 * What is handed out on a timer is handed out once. A lease stands from the hand-out until the work is done, so that a job which finds the same
 * work due again sends no second message, and at most so much of a kind is outstanding: the rest waits in its own table, oldest first. A message
 * whose lease is gone (the work is done, or was handed out again) does nothing. A lost message comes back when its lease has expired.
 */

export type WorkKind = IngestMessage["kind"];

interface LeaseRule {
  /** Things of this kind that may be under way at once. */
  readonly most: number;
  /** Longer than a message waits behind all others that may be queued. */
  readonly seconds: number;
}

/** Wallets take the longest: a message may read twenty pages, and the provider's budget passes a few wallets a second. */
const WALLET_LEASE_SECONDS = 900;
const LEASE_SECONDS = 300;

const RULES: Readonly<Record<WorkKind, LeaseRule>> = {
  sync_wallet: { most: 200, seconds: WALLET_LEASE_SECONDS },
  measure_wallets: { most: 40, seconds: WALLET_LEASE_SECONDS },
  profile_wallets: { most: 500, seconds: WALLET_LEASE_SECONDS },
  rank_profiles: { most: 1, seconds: WALLET_LEASE_SECONDS },
  hydrate_markets: { most: 1_000, seconds: LEASE_SECONDS },
  refresh_books: { most: 400, seconds: LEASE_SECONDS },
  score_markets: { most: 200, seconds: LEASE_SECONDS },
  grade_wallets: { most: 1, seconds: LEASE_SECONDS },
  scan_holders: { most: 40, seconds: LEASE_SECONDS },
};

/** A condition on a row `l` of `work_leases`: it stands for work of this kind that is under way. */
export const isUnderWay = (kind: WorkKind): string =>
  `(l.kind = '${kind}' and l.enqueued_at > now() - make_interval(secs => ${RULES[kind].seconds}))`;

/** How many more things of a kind may be handed out now. */
export async function countRoom(pool: Pool, kind: WorkKind): Promise<number> {
  const { rows } = await pool.query<{ outstanding: string }>(`select count(*) as outstanding from work_leases l where ${isUnderWay(kind)}`);
  return Math.max(0, RULES[kind].most - Number(rows[0]?.outstanding));
}

/**
 * Leases what these messages name and is not under way, in their order, as far as there is room for it.
 *
 * @returns the messages that are to be sent, each with what of it was leased
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
  { most, seconds }: LeaseRule,
  messages: readonly IngestMessage[],
): Promise<IngestMessage[]> {
  const { rows } = await pool.query<{ key: string; lease: string }>(
    `with live as (
       select key from work_leases where kind = $1 and enqueued_at > now() - make_interval(secs => $4)
     ), fresh as (
       select key from unnest($2::text[]) with ordinality as t(key, place) where key not in (select key from live)
       order by place limit greatest(0, $3 - (select count(*) from live))
     ), lost as (
       delete from work_leases where kind = $1 and enqueued_at <= now() - make_interval(secs => $4) and key not in (select key from fresh)
     )
     insert into work_leases (kind, key, enqueued_at) select $1, key, now() from fresh
     on conflict (kind, key) do update set enqueued_at = excluded.enqueued_at
     returning key, enqueued_at::text as lease`,
    [kind, [...new Set(messages.flatMap(keysOf))], most, seconds],
  );
  const keys = new Set(rows.map(({ key }) => key));
  const lease = rows[0]?.lease;
  return lease === undefined ? [] : messages.flatMap((message) => narrow(message, keys) ?? []).map((message) => ({ ...message, lease }));
}

/** Gives back what was leased for messages that could not be sent. */
export async function returnLeases(pool: Pool, messages: readonly IngestMessage[]): Promise<void> {
  for (const message of messages) {
    if (message.lease !== undefined) await endLease(pool, { message, mark: message.lease });
  }
}

/** A message's work, taken by the consumer that holds this mark. */
interface Claim {
  readonly message: IngestMessage;
  readonly mark: string;
}

/**
 * Does the work of a leased message, of what its lease still stands for, and ends the lease. Work that failed is left to the message's next
 * attempt. Of a message that is delivered twice, even at one time, one finds its lease.
 */
export async function doLeasedWork(pool: Pool, message: IngestMessage, work: (message: IngestMessage) => Promise<void>): Promise<void> {
  const { lease } = message;
  if (lease === undefined) return work(message);
  const claim = await claimWork(pool, message, lease);
  if (claim === null) return;
  try {
    await work(claim.message);
  } catch (error) {
    await moveMark(pool, claim, lease);
    throw error;
  }
  await endLease(pool, claim);
}

async function claimWork(pool: Pool, message: IngestMessage, lease: string): Promise<Claim | null> {
  const { rows } = await pool.query<{ key: string; mark: string }>(
    `with own as (
       select key from work_leases where kind = $1 and key = any($2::text[]) and enqueued_at = $3::timestamptz order by key for update
     )
     update work_leases l set enqueued_at = now() from own where l.kind = $1 and l.key = own.key
     returning l.key, l.enqueued_at::text as mark`,
    [message.kind, keysOf(message), lease],
  );
  const claimed = narrow(message, new Set(rows.map(({ key }) => key)));
  const mark = rows[0]?.mark;
  return claimed === null || mark === undefined ? null : { message: claimed, mark };
}

async function moveMark(pool: Pool, { message, mark }: Claim, to: string): Promise<void> {
  await pool.query(
    `update work_leases set enqueued_at = $4::timestamptz where kind = $1 and key = any($2::text[]) and enqueued_at = $3::timestamptz`,
    [message.kind, keysOf(message), mark, to],
  );
}

async function endLease(pool: Pool, { message, mark }: Claim): Promise<void> {
  await pool.query(`delete from work_leases where kind = $1 and key = any($2::text[]) and enqueued_at = $3::timestamptz`, [
    message.kind,
    keysOf(message),
    mark,
  ]);
}

/** What a message names, as keys. One that names nothing is about one thing. */
function keysOf(message: IngestMessage): string[] {
  if ("address" in message) return [message.address];
  if ("condition_ids" in message) return message.condition_ids;
  if ("token_ids" in message) return message.token_ids;
  if ("market_ids" in message) return message.market_ids.map(String);
  if ("trader_ids" in message) return message.trader_ids.map(String);
  return [""];
}

/** The message with only those of its things; null when none is left. */
function narrow(message: IngestMessage, keys: ReadonlySet<string>): IngestMessage | null {
  if (!keysOf(message).some((key) => keys.has(key))) return null;
  const isKept = (key: string | number) => keys.has(String(key));
  if ("condition_ids" in message) return { ...message, condition_ids: message.condition_ids.filter(isKept) };
  if ("token_ids" in message) return { ...message, token_ids: message.token_ids.filter(isKept) };
  if ("market_ids" in message) return { ...message, market_ids: message.market_ids.filter(isKept) };
  if ("trader_ids" in message) return { ...message, trader_ids: message.trader_ids.filter(isKept) };
  return message;
}
