import type { Pool } from "@neondatabase/serverless";
import { inArray, sql } from "drizzle-orm";
import { inTransaction, type Session } from "../../db/client.ts";
import { picks } from "../../db/schema.ts";
import { run } from "../../db/sql.ts";
import { formatMicro } from "../../domain/money.ts";
import { productDayOf, releaseAt } from "../../domain/picks/pick-schedule.ts";
import { selectPicks, type EarlierPick } from "../../scoring/picks/select-picks.ts";
import { listCandidates } from "./list-candidates.ts";
import type { GameMarket } from "./read-candidates.ts";
import { storedBacking } from "./stored-backing.ts";

// Key of the Postgres advisory lock; any number unique to this purpose. Ranks of a day are dense, so only one pass
// selects at a time.
const PICKS_LOCK = 7_201_460;

/** Adds the picks that the rule selects now to their product days, as slots. */
export const selectSlots = (pool: Pool, now: Date): Promise<void> =>
  inTransaction(pool, async (session) => {
    await run(session, sql`select pg_advisory_xact_lock(${sql.raw(String(PICKS_LOCK))})`);
    const markets = await listCandidates(session, now);
    const byDay = Map.groupBy(markets, ({ kickoff }) => productDayOf(kickoff));
    const earlier = await listEarlier(session, [...byDay.keys()]);
    for (const [day, own] of byDay)
      await addSlots(session, { day, markets: own, earlier: earlier.get(day) ?? [], now });
  });

async function listEarlier(session: Session, days: readonly string[]): Promise<ReadonlyMap<string, EarlierPick[]>> {
  if (days.length === 0) return new Map();
  const rows = await session
    .select({ day: picks.pickDate, game: picks.gameId, kind: picks.marketKind })
    .from(picks)
    .where(inArray(picks.pickDate, [...days]));
  return new Map(
    [...Map.groupBy(rows, ({ day }) => day)].map(([day, own]) => [
      day,
      own.map(({ game, kind }) => ({ game: String(game), kind })),
    ]),
  );
}

interface Day {
  readonly day: string;
  readonly markets: readonly GameMarket[];
  readonly earlier: readonly EarlierPick[];
  readonly now: Date;
}

async function addSlots(session: Session, { day, markets, earlier, now }: Day): Promise<void> {
  const byCondition = new Map(markets.map((market) => [market.conditionId, market]));
  const candidates = markets.flatMap(({ candidate, isOpen, labels }) =>
    candidate === null || !isOpen || labels.includes(null) ? [] : [candidate],
  );
  const slots = selectPicks(candidates, earlier).flatMap(({ candidate, side }, index) => {
    const market = byCondition.get(candidate.conditionId);
    const label = market?.labels[side.outcomeIndex];
    if (market === undefined || label == null) return [];
    const rank = earlier.length + index + 1;
    return [
      {
        ...{ pickDate: day, rank, isFree: rank === 1, gameId: market.gameId, marketId: market.marketId },
        ...{ marketKind: market.kind, outcomeIndex: side.outcomeIndex, outcomeLabel: label },
        ...{ matchup: market.matchup, category: market.category, league: market.league },
        ...{ kickoff: market.kickoff, releaseAt: releaseAt(market.kickoff), selectedAt: now },
        ...{ backedPrice: formatMicro(side.pricePpm), backing: storedBacking(side) },
      },
    ];
  });
  if (slots.length > 0) await session.insert(picks).values(slots);
}
