import type pg from "pg";
import { storyOf } from "../../../src/domain/markets/story.ts";
import { findSkillPopulation } from "../../../src/ingest/skill/skill-populations.ts";
import { readClose } from "../../../src/ingest/skill/read-close.ts";
import { closingPriceFor } from "../../../src/scoring/skill/closing-price.ts";
import { evidenceOf } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf, type GradeResult } from "../../../src/scoring/skill/grade.ts";
import { RECENT_DAYS } from "../../../src/scoring/skill/parameters.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";
import { foldTrader, type FoldedTrader } from "../../recompute/fold-trader.ts";
import { sessionOverTcp } from "../../services/postgres/session-over-tcp.ts";
import { readTraders } from "../../recompute/read-traders.ts";

interface BetRow {
  readonly cluster: string;
  readonly market: string;
  readonly outcome_index: number;
  readonly shares_micro: string;
  readonly usd_micro: string;
  readonly payout_ppm: number;
  readonly is_maker: boolean;
  readonly is_early: boolean;
  readonly is_recent: boolean;
  readonly series_slug: string | null;
  readonly night_at: Date | null;
}

/**
 * Positions, totals, days and grade of one trader from its recorded fills alone, without incremental figures.
 */
export async function recomputeTrader(
  client: pg.Client,
  traderId: string,
): Promise<{ folded: FoldedTrader; grade: GradeResult }> {
  const { traders, outcomes } = await readTraders(client, { after: String(BigInt(traderId) - 1n), upTo: traderId });
  const [wallet] = traders;
  if (wallet === undefined) throw new Error(`trader ${traderId} has no fills`);
  const { rows } = await client.query<BetRow>(
    `select coalesce(m.event_id, -m.id)::text as cluster, m.id::text as market, o.outcome_index, e.shares_micro, e.usd_micro,
       m.payouts_ppm[o.outcome_index + 1] as payout_ppm,
       e.role is null and exists (select from ledger_entries x
         where x.tx_hash = e.tx_hash and x.market_id = e.market_id and x.role = 'taker') as is_maker,
       coalesce(e.traded_at < m.game_start_at, false) as is_early,
       m.settled_on >= (now() at time zone 'UTC')::date - ${RECENT_DAYS} as is_recent,
       ev.series_slug, coalesce(m.game_start_at, ev.end_at) as night_at
     from ledger_entries e join outcomes o on o.id = e.outcome_id join markets m on m.id = o.market_id
       left join provider_events ev on ev.id = m.event_id
     where e.trader_id = $1 and e.kind = 'buy' and m.payouts_ppm[o.outcome_index + 1] is not null`,
    [traderId],
  );
  const session = sessionOverTcp(client);
  const closes = new Map<string, number | null>();
  for (const market of new Set(rows.filter((row) => row.is_early).map((row) => row.market))) {
    const close = await readClose(session, market);
    closes.set(market, close === null ? null : closingPriceFor(close.trades, Number(traderId)));
  }
  const toBet = (row: BetRow): SettledBet => ({
    ...closeOfBet(row, closes.get(row.market) ?? null),
    ...storyOfBet(row),
    cluster: row.cluster,
    market: row.market,
    outcome: row.outcome_index,
    shares: Number(row.shares_micro) / 1e6,
    usd: Number(row.usd_micro) / 1e6,
    payout: row.payout_ppm / 1e6,
    isMaker: row.is_maker,
  });
  const evidence = evidenceOf(rows.map(toBet));
  const recent = evidenceOf(rows.filter((row) => row.is_recent).map(toBet));
  const population = (await findSkillPopulation(session))?.population ?? null;
  return { folded: foldTrader(wallet.facts, outcomes), grade: gradeOf(evidence, population, recent) };
}

/** @param close of the first outcome; null where none is known */
function closeOfBet({ is_early: isEarly, outcome_index: outcome }: BetRow, close: number | null): { close?: number } {
  if (!isEarly || close === null) return {};
  return { close: outcome === 0 ? close : 1 - close };
}

function storyOfBet({ series_slug: series, night_at: at }: BetRow): Pick<SettledBet, "story"> {
  const story = storyOf(series, at);
  return story === null ? {} : { story };
}
