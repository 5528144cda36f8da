import pg from "pg";
import { executionOf, txHashesOf } from "../provider/live-trades.ts";
import { rowNumber, type ProviderObservations } from "../provider/observed-trades.ts";
import { visibleAtMs } from "../provider/live-world.ts";

export type FollowedTier = "hot" | "warm" | "cold";

/** Traders that are followed, with their tier at a moment. */
export type Tiers = ReadonlyMap<string, FollowedTier>;

export interface Lags {
  /** From the response with a row to the commit that makes it readable, ms. */
  readonly pageMs: readonly number[];
  /** The same from the time at which the provider's feed shows the row. */
  readonly feedMs: readonly number[];
  /** From the time at which the feed shows a fill of a followed trader to the read of its activity; a wait counts so far. */
  readonly followUpMs: Readonly<Record<FollowedTier, readonly number[]>>;
}

interface StoredRow {
  readonly tx: string;
  readonly role: "taker" | "maker";
  readonly recorded: string;
  readonly atSeconds: number;
}

/** SQL condition: the entry is of a live transaction of this phase. */
function isOfPhase(phase: number): string {
  const [from, to] = txHashesOf(phase).map((hash) => `decode('${hash.slice(2)}', 'hex')`);
  return `tx_hash >= ${from} and tx_hash < ${to}`;
}

/**
 * The stored rows of the live transactions of a phase. The taker of a generated execution is the trader whose row the taker
 * feed has.
 */
export const selectLiveRows = (phase: number): string => `
  select '0x' || encode(e.tx_hash, 'hex') as tx, t.address, o.token_id, e.kind, e.shares_micro::text as shares, e.price::text,
    e.role, e.recorded_at::text as recorded, extract(epoch from e.traded_at)::int as seconds
  from ledger_entries e join traders t on t.id = e.trader_id join outcomes o on o.id = e.outcome_id
  where ${isOfPhase(phase)} order by e.tx_hash`;

/** How many of them there are. */
export const countLiveRows = (phase: number): string =>
  `select count(*)::int as rows from ledger_entries where ${isOfPhase(phase)}`;

export async function readTiers(databaseUrl: string): Promise<Tiers> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ address: string; tier: FollowedTier }>(
      `select t.address, t.tier from trader_syncs s join traders t on t.id = s.trader_id`,
    );
    return new Map(rows.map(({ address, tier }) => [address, tier]));
  } finally {
    await client.end();
  }
}

/** @param before the tiers at the beginning: a cold trader becomes warm with its first fill */
export function computeLags(
  stored: readonly StoredRow[],
  commits: ReadonlyMap<string, number>,
  observed: ProviderObservations,
  { before, after, nowMs }: { readonly before: Tiers; readonly after: Tiers; readonly nowMs: number },
): Lags {
  const pageMs: number[] = [];
  const feedMs: number[] = [];
  for (const { tx, role, recorded, atSeconds } of stored) {
    const committedMs = commits.get(recorded);
    const sentMs = observed.sentAtMs[rowNumber(executionOf(tx), role)] ?? null;
    if (committedMs === undefined || sentMs === null) continue;
    // A read of a trader's activity may record a row before the feed has sent it.
    pageMs.push(Math.max(0, committedMs - sentMs));
    feedMs.push(Math.max(0, committedMs - visibleAtMs(atSeconds)));
  }
  const followUpMs: Record<FollowedTier, number[]> = { hot: [], warm: [], cold: [] };
  const add = (address: string, lagMs: number) => {
    const tier = before.get(address) ?? after.get(address);
    if (tier !== undefined) followUpMs[tier].push(Math.max(0, lagMs));
  };
  for (const [address, lagMs] of observed.followedUp) add(address, lagMs);
  for (const [address, sinceMs] of observed.waiting) add(address, nowMs - sinceMs);
  return { pageMs, feedMs, followUpMs };
}
