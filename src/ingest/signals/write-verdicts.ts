import type { Session } from "../../db/client.ts";
import { presentDecimal, presentUsd } from "../../domain/money.ts";
import type { Suspicion } from "../../scoring/signals/suspicion.ts";
import { publish } from "../outbox.ts";
import type { UnjudgedTrade } from "./unjudged-trades.ts";

/** Null suspicion: no track admits the trade. */
export interface Verdict {
  readonly trade: UnjudgedTrade;
  readonly suspicion: Suspicion | null;
}

type Flag = Verdict & { readonly suspicion: Suspicion };

/**
 * Stores verdicts in the caller's transaction: on the trade its score and its share of all shares traded in its market by then, at or above
 * the floor a flag, and for each flag its event. A trade that is judged already keeps its verdict.
 */
export async function writeVerdicts(session: Session, verdicts: readonly Verdict[], now: Date): Promise<void> {
  const { rows } = await session.query<{ id: string }>(
    `update large_trades l set judged_at = $4::timestamptz, suspicion_score = t.score, suspicion_track = t.track,
       market_volume_share = case when t.market_shares_micro > 0 then least(1, trunc(l.shares_micro / t.market_shares_micro, 12)) end
     from unnest($1::bigint[], $2::smallint[], $3::text[], $5::numeric[]) as t(id, score, track, market_shares_micro)
     where l.id = t.id and l.judged_at is null
     returning l.id`,
    [
      verdicts.map(({ trade }) => trade.id),
      verdicts.map(({ suspicion }) => suspicion?.score ?? null),
      verdicts.map(({ suspicion }) => suspicion?.track ?? null),
      now.toISOString(),
      verdicts.map(({ trade }) => trade.market_shares_micro),
    ],
  );
  const judged = new Set(rows.map((row) => row.id));
  const flags = verdicts.filter((verdict): verdict is Flag => verdict.suspicion?.isFlagged === true && judged.has(verdict.trade.id));
  if (flags.length > 0) await raise(session, flags, now);
}

async function raise(session: Session, flags: readonly Flag[], now: Date): Promise<void> {
  await session.query(
    `insert into suspicious_trades
       (large_trade_id, trader_id, market_id, track, side, score, scores, evidence, traded_at, recorded_at)
     select l.id, l.trader_id, l.market_id, t.track, t.side, t.score, t.scores, t.evidence, l.traded_at, $7::timestamptz
     from unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::jsonb[], $6::jsonb[])
       with ordinality as t(large_trade_id, track, side, score, scores, evidence, ord)
     join large_trades l on l.id = t.large_trade_id
     order by t.ord`,
    [
      flags.map(({ trade }) => trade.id),
      flags.map(({ suspicion }) => suspicion.track),
      flags.map(({ suspicion }) => suspicion.side),
      flags.map(({ suspicion }) => suspicion.score),
      flags.map(({ suspicion: { scores } }) =>
        JSON.stringify({ timing: scores.timing, edge: scores.edge, size: scores.size, fresh_wallet: scores.freshWallet }),
      ),
      flags.map(({ suspicion }) => JSON.stringify(suspicion.evidence)),
      now.toISOString(),
    ],
  );
  await publish(
    session,
    flags.map((flag) => ({ type: "suspicious_trade_flagged" as const, payload: presentFlag(flag) })),
  );
}

/** The event's data as the contract's WebhookSuspiciousTradeFlaggedData has it. */
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
