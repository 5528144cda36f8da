import { sql } from "drizzle-orm";
import { z } from "zod";
import { l } from "../../db/aliases.ts";
import { atCommit, type Session } from "../../db/client.ts";
import { suspiciousTrades } from "../../db/schema.ts";
import { array, columnName, columnNames, run, selectRows, timestamp } from "../../db/sql.ts";
import { presentDecimal, presentUsd } from "../../domain/money.ts";
import type { Suspicion } from "../../scoring/signals/suspicion.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";
import type { DueTrade } from "./due-trades.ts";

/** Suspicion is null if no track applies to the trade. */
export interface Verdict {
  readonly trade: DueTrade;
  /** All shares traded in the market up to the trade; null if they are unknown. */
  readonly marketSharesMicro: bigint | null;
  readonly suspicion: Suspicion | null;
}

type Flag = Verdict & { readonly suspicion: Suspicion };

/**
 * Stores verdicts in the caller's transaction: on the trade its score and its share of all shares traded in
 * its market up to then; at or above the floor a flag; and for each flag its event. A trade that is already
 * judged keeps its verdict.
 */
export async function writeVerdicts(session: Session, verdicts: readonly Verdict[], now: Date): Promise<void> {
  const judged = new Set(await storeScores(session, verdicts, now));
  const flags = verdicts.filter(
    (verdict): verdict is Flag => verdict.suspicion?.isFlagged === true && judged.has(verdict.trade.id),
  );
  if (flags.length > 0) await atCommit(session, (last) => writeFlags(last, flags, now));
}

/** @returns the ids of the trades that were not judged before */
async function storeScores(session: Session, verdicts: readonly Verdict[], now: Date): Promise<string[]> {
  const ids = verdicts.map(({ trade }) => trade.id);
  const scores = verdicts.map(({ suspicion }) => suspicion?.score ?? null);
  const tracks = verdicts.map(({ suspicion }) => suspicion?.track ?? null);
  const marketShares = verdicts.map(({ marketSharesMicro }) => marketSharesMicro);
  // A change of a market's category locks its large trades in this order.
  const locked = run(
    session,
    sql`select from ${l} where ${l.id} = any(${array(ids, "bigint")}) order by ${l.id} for no key update`,
  );
  const scored = selectRows(
    session,
    sql`update ${l} set ${columnName(l.judgedAt)} = ${timestamp(now)},
       ${columnName(l.suspicionScore)} = verdict.score, ${columnName(l.suspicionTrack)} = verdict.track,
       ${columnName(l.marketVolumeShare)} = case when verdict.market_shares_micro > 0
         then least(1, trunc(${l.sharesMicro} / verdict.market_shares_micro, 12)) end
     from unnest(${array(ids, "bigint")}, ${array(scores, "smallint")}, ${array(tracks, "text")},
       ${array(marketShares, "numeric")}) as verdict(id, score, track, market_shares_micro)
     where ${l.id} = verdict.id and ${l.judgedAt} is null
     returning ${l.id}`,
    z.object({ id: z.string() }),
  );
  const [, rows] = await Promise.all([locked, scored]);
  return rows.map((row) => row.id);
}

async function writeFlags(session: Session, flags: readonly Flag[], now: Date): Promise<void> {
  const { largeTradeId, traderId, marketId, track, side, score, scores, evidence, tradedAt, recordedAt } =
    suspiciousTrades;
  const ids = flags.map(({ trade }) => trade.id);
  const tracks = flags.map(({ suspicion }) => suspicion.track);
  const sides = flags.map(({ suspicion }) => suspicion.side);
  const totals = flags.map(({ suspicion }) => suspicion.score);
  const components = flags.map(({ suspicion }) => JSON.stringify(storedScores(suspicion)));
  const evidences = flags.map(({ suspicion }) => JSON.stringify(suspicion.evidence));
  await run(
    session,
    sql`insert into ${suspiciousTrades} (${columnNames(
      largeTradeId,
      traderId,
      marketId,
      track,
      side,
      score,
      scores,
      evidence,
      tradedAt,
      recordedAt,
    )})
     select ${l.id}, ${l.traderId}, ${l.marketId}, flag.track, flag.side, flag.score, flag.scores, flag.evidence,
       ${l.tradedAt}, ${timestamp(now)}
     from unnest(${array(ids, "bigint")}, ${array(tracks, "text")}, ${array(sides, "text")},
       ${array(totals, "smallint")}, ${array(components, "jsonb")}, ${array(evidences, "jsonb")})
       with ordinality as flag(large_trade_id, track, side, score, scores, evidence, ord)
     join ${l} on ${l.id} = flag.large_trade_id
     order by flag.ord`,
  );
  await publishEvents(
    session,
    flags.map((flag) => ({
      type: "suspicious_trade_flagged" as const,
      payload: presentFlag(flag),
      occurrence: flag.trade.fill_name,
    })),
  );
}

const storedScores = ({ scores: { timing, edge, size, freshWallet } }: Suspicion) => ({
  timing,
  edge,
  size,
  fresh_wallet: freshWallet,
});

/** The event's data, as the contract's WebhookSuspiciousTradeFlaggedData defines it. */
function presentFlag({ trade, suspicion }: Flag) {
  return {
    trade_id: Number(trade.id),
    wallet: trade.address,
    trader_id: Number(trade.trader_id),
    condition_id: trade.condition_id,
    suspicion_score: suspicion.score,
    track: suspicion.track,
    side: suspicion.side,
    size: presentUsd(BigInt(trade.size_usd_micro)),
    price: presentDecimal(trade.price, 4),
  };
}
