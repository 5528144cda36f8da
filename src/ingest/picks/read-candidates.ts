import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, o, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isGameOff } from "../../db/fragments/game-off.ts";
import { isGradeIn } from "../../db/fragments/grades.ts";
import { at, isMarketOver, outcomePriceBasis, quotesReadAt } from "../../db/fragments/market-price.ts";
import { holderScans, marketHolders, type StoredCompetitor } from "../../db/schema.ts";
import { alias, epochMs, integer, selectRows, timestamp } from "../../db/sql.ts";
import { HOLDERS_MAX_AGE_SECONDS } from "../../domain/markets/holder-scans.ts";
import { parseMicro } from "../../domain/money.ts";
import { PRICE_MAX_AGE_SECONDS } from "../../domain/picks/pick-schedule.ts";
import { PICK_MARKET_KINDS } from "../../scoring/picks/parameters.ts";
import type { CandidateHolder, PickCandidate } from "../../scoring/picks/select-picks.ts";
import { g } from "../../db/fragments/picks.ts";

export interface StoredHolder extends CandidateHolder {
  readonly traderId: number;
}

/** A full-game market of one game. */
export interface GameMarket {
  readonly marketId: number;
  readonly conditionId: string;
  readonly gameId: number;
  readonly kind: (typeof PICK_MARKET_KINDS)[number];
  readonly kickoff: Date;
  /** The game is postponed, cancelled or abandoned. */
  readonly isOff: boolean;
  /** The game is reported as live or ended. */
  readonly hasStarted: boolean;
  readonly isOpen: boolean;
  readonly matchup: string;
  /** The sport bucket. */
  readonly category: string;
  readonly league: string | null;
  /** By outcome index. Null where the provider gives none. */
  readonly labels: readonly (string | null)[];
  readonly tokenIds: readonly string[];
  /** The rule's input; null while prices or holders cannot be read, or are too old. */
  readonly candidate: StoredCandidate | null;
}

export type StoredCandidate = PickCandidate<StoredHolder>;

const Competitor = z.object({ name: z.string() }) satisfies z.ZodType<Pick<StoredCompetitor, "name">>;

const Row = z.object({
  market_id: integer,
  condition_id: z.string(),
  game_id: integer,
  kind: z.enum(PICK_MARKET_KINDS),
  kickoff_ms: z.number(),
  is_off: z.boolean(),
  has_started: z.boolean(),
  is_open: z.boolean(),
  title: z.string().nullable(),
  competitors: z.array(Competitor),
  sport: z.string().nullable(),
  league: z.string().nullable(),
  outcomes: z.array(z.object({ label: z.string().nullable(), token_id: z.string(), price: z.string().nullable() })),
  holders: z
    .array(z.object({ trader_id: integer, grade: z.enum(["S", "A"]), first: z.string(), second: z.string() }))
    .nullable(),
});

const h = alias(marketHolders, "h");
const scan = alias(holderScans, "scan");

/**
 * Full-game markets of games with a schedule, with their prices and holders as of `now`. A price is the midpoint of
 * a live and recent book; holders are those of a recent complete scan.
 *
 * @param which condition on the market `m` and the game `g`
 * @param limited order and limit
 */
export async function readGameMarkets(session: Session, which: SQL, now: Date, limited = sql``): Promise<GameMarket[]> {
  const time = timestamp(now);
  const priced = { market: m, outcome: o, now: at(now) };
  const rows = await selectRows(
    session,
    sql`select ${m.id} as market_id, ${m.conditionId}, ${g.id} as game_id, ${m.marketType} as kind,
       ${epochMs(g.scheduledAt)} as kickoff_ms, ${isGameOff(g)} as is_off,
       (${g.live} is true or ${g.ended} is true) as has_started,
       not ${isMarketOver({ market: m, now: at(now) })} as is_open, ${g.title}, ${g.competitors}, ${g.sport}, ${g.league},
       coalesce((
         select jsonb_agg(jsonb_build_object('label', ${o.label}, 'token_id', ${o.tokenId}, 'price',
           case when ${outcomePriceBasis(priced)} = 'midpoint'
             and ${quotesReadAt(priced)} > ${time} - make_interval(secs => ${PRICE_MAX_AGE_SECONDS})
             then round(${o.markPrice}, 6)::text end) order by ${o.outcomeIndex})
         from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null), '[]') as outcomes,
       case when exists (
         select from ${scan} where ${scan.marketId} = ${m.id}
           and ${scan.fetchedAt} > ${time} - make_interval(secs => ${HOLDERS_MAX_AGE_SECONDS})
       ) then coalesce((${HOLDERS}), '[]') end as holders
     from ${g} join ${m} on ${m.gameId} = ${g.providerGameId} and ${m.marketType} in (${KINDS})
     where ${g.scheduledAt} is not null and (${which}) ${limited}`,
    Row,
  );
  return rows.flatMap((row) => toGameMarket(row) ?? []);
}

const KINDS = sql.raw(PICK_MARKET_KINDS.map((kind) => `'${kind}'`).join(", "));

const HOLDERS = sql`
  select jsonb_agg(jsonb_build_object('trader_id', held.trader_id, 'grade', held.grade, 'first', held.first::text,
    'second', held.second::text) order by held.trader_id)
  from (
    select ${t.id} as trader_id, ${t.grade}, coalesce(sum(${h.sharesMicro}) filter (where ${h.outcomeIndex} = 0), 0) as first,
      coalesce(sum(${h.sharesMicro}) filter (where ${h.outcomeIndex} = 1), 0) as second
    from ${h} join ${t} on ${t.id} = ${h.traderId} and ${isGradeIn(t.grade, ["S", "A"])}
    where ${h.marketId} = ${m.id} group by ${t.id}, ${t.grade}
  ) held`;

/** @returns null for a market without exactly two outcomes, and for a game without a name or a sport */
function toGameMarket(row: z.output<typeof Row>): GameMarket | null {
  const [first, second, ...others] = row.outcomes;
  const matchup = row.title ?? row.competitors.map(({ name }) => name).join(" vs. ");
  if (first === undefined || second === undefined || others.length > 0 || matchup === "" || row.sport === null)
    return null;
  const market = {
    marketId: row.market_id,
    conditionId: row.condition_id,
    gameId: row.game_id,
    kind: row.kind,
    kickoff: new Date(row.kickoff_ms),
    isOff: row.is_off,
    hasStarted: row.has_started,
    isOpen: row.is_open,
    matchup,
    category: row.sport,
    league: row.league,
    labels: [first.label, second.label],
    tokenIds: [first.token_id, second.token_id],
  };
  return { ...market, candidate: toCandidate(row, [first.price, second.price]) };
}

function toCandidate(
  row: z.output<typeof Row>,
  [first, second]: readonly [string | null, string | null],
): StoredCandidate | null {
  const prices = [first === null ? null : parseMicro(first), second === null ? null : parseMicro(second)] as const;
  if (row.holders === null || prices[0] === null || prices[1] === null) return null;
  return {
    conditionId: row.condition_id,
    game: String(row.game_id),
    kind: row.kind,
    kickoff: row.kickoff_ms / 1000,
    pricesPpm: [prices[0], prices[1]],
    holders: row.holders.map((holder) => ({
      traderId: holder.trader_id,
      grade: holder.grade,
      sharesMicro: [BigInt(holder.first), BigInt(holder.second)],
    })),
  };
}
