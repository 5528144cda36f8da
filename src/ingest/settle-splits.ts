import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Session } from "../db/client.ts";
import type { OtherActivity, Provider } from "../ports/provider.ts";
import { hydrateMarkets } from "./hydrate-markets.ts";
import type { Numbered } from "./identity.ts";
import { lockLedger, recordEntries } from "./ledger/record-entries.ts";
import { splitAndMergeLegs, type SplitOrMerge } from "./split-merge-legs.ts";

/** The gaps of a wallet that has splits or merges which are not booked. */
export const SPLIT_GAPS: readonly string[] = ["split", "merge"];

/** Splits and merges booked in one transaction. */
const MOVES_AT_ONCE = 500;
/** Markets asked for in one go. A wallet with more has its gap until it is read again, and then others have their turn. */
const MARKETS_AT_ONCE = 50;
const TURN_MS = 60_000;

/**
 * Books the splits and merges of a wallet that were read before their market was known with its two outcomes, and closes its gaps once none is
 * left. A new market is traded and split before the provider describes it, and a row is not told again. Doing it again changes nothing.
 */
export async function settleSplits(pool: Pool, provider: Pick<Provider, "findMarkets">, traderId: number, now: () => Date): Promise<void> {
  const pending = await inTransaction(pool, (session) => listPending(session, traderId));
  const conditions = [...new Set(pending.flatMap(({ row }) => row.market?.conditionId ?? []))];
  await hydrateMarkets(pool, provider, inTurn(conditions, now()), now);
  for (let start = 0; start < pending.length; start += MOVES_AT_ONCE) {
    await inTransaction(pool, async (session) => {
      await lockLedger(session);
      const { entries } = await splitAndMergeLegs(session, traderId, pending.slice(start, start + MOVES_AT_ONCE));
      await recordEntries(session, entries);
    });
  }
  await inTransaction(pool, async (session) => {
    // Pages of activity are applied under this lock: none can add a row between the look and the update.
    await lockLedger(session);
    const open = new Set((await listPending(session, traderId)).map(({ row }) => row.type.toLowerCase()));
    const closed = SPLIT_GAPS.filter((gap) => !open.has(gap));
    await session.query(
      `update wallet_syncs set gaps = array(select gap from unnest(gaps) gap where gap <> all($2::text[]) order by gap) where trader_id = $1`,
      [traderId, closed],
    );
  });
}

/** Up to MARKETS_AT_ONCE of them, others with each minute. */
function inTurn(conditions: readonly string[], now: Date): string[] {
  const start = (Math.floor(now.getTime() / TURN_MS) * MARKETS_AT_ONCE) % Math.max(conditions.length, 1);
  return [...conditions.slice(start), ...conditions.slice(0, start)].slice(0, MARKETS_AT_ONCE);
}

/** The wallet's splits and merges that have no entry, oldest first. */
async function listPending(session: Session, traderId: number): Promise<Numbered<SplitOrMerge>[]> {
  const { rows } = await session.query<{
    type: OtherActivity["type"];
    condition_id: string;
    shares_micro: string;
    ordinal: number;
    tx: string;
    happened_ms: number;
  }>(
    `select a.type, a.condition_id, a.shares_micro, a.ordinal, '0x' || encode(a.tx_hash, 'hex') as tx,
       (extract(epoch from a.happened_at) * 1000)::float8 as happened_ms
     from wallet_activity a
     where a.trader_id = $1 and a.type in ('SPLIT', 'MERGE') and not exists (
       select from ledger_entries e join markets m on m.id = e.market_id
       where e.tx_hash = a.tx_hash and e.trader_id = a.trader_id and e.kind = lower(a.type) and e.shares_micro = a.shares_micro
         and e.ordinal = a.ordinal and m.condition_id = a.condition_id
     )
     order by a.happened_at, a.id`,
    [traderId],
  );
  return rows.map((row) => ({
    ordinal: row.ordinal,
    row: {
      type: row.type,
      market: row.condition_id === "" ? null : { conditionId: row.condition_id },
      sharesMicro: BigInt(row.shares_micro),
      txHash: row.tx,
      happenedAt: new Date(row.happened_ms),
    },
  }));
}
