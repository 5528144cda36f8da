import { z } from "zod";
import { bigintText, integer } from "../../db/sql.ts";
import { esportsGameOf } from "../../domain/categories/esports-games.ts";
import type { GameTitle } from "../../scoring/metrics/settled-market.ts";

/** One position of a trader, with the facts of its market that its profile needs. */
export interface TraderPosition {
  readonly traderId: number;
  readonly outcomeId: number;
  readonly marketId: number;
  readonly conditionId: string;
  readonly category: string | null;
  /** The title of an Esports market; null in other categories and where unknown. */
  readonly game: GameTitle | null;
  /** The event of the market, or the market negated where no event is known. */
  readonly cluster: number;
  /** False in a combination whose legs are not known: its results cannot be booked. */
  readonly isKnown: boolean;
  readonly boughtUsdMicro: bigint;
  readonly boughtSharesMicro: bigint;
  /** Shares from splits and conversions, at their booked price; null without any. */
  readonly given: {
    readonly usdMicro: bigint;
    readonly sharesMicro: bigint;
    readonly hasSplit: boolean;
    readonly hasConversion: boolean;
  } | null;
  /** Sales and settlement minus cost and fees. */
  readonly pnlMicro: bigint;
  /** No shares were sold whose basis is unknown. */
  readonly isMatched: boolean;
  /** Null until the position has settled, by `asOf`. */
  readonly settledAtMs: number | null;
  /** Payout of a share, millionths; null until the market has resolved. */
  readonly payoutPpm: number | null;
  /** The sums of the trader's settled bets in the market; null while they are not counted by the current method. */
  readonly bets: { readonly usdMicro: number; readonly edgeMicro: number } | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export const PositionRow = z.object({
  trader_id: integer,
  outcome_id: integer,
  market_id: integer,
  condition_id: z.string(),
  category: z.string().nullable(),
  esports_tags: z.array(z.string()).nullable(),
  cluster: integer,
  is_known: z.boolean(),
  bought_usd_micro: bigintText,
  bought_shares_micro: bigintText,
  given_usd_micro: bigintText.nullable(),
  given_shares_micro: bigintText.nullable(),
  has_split: z.boolean().nullable(),
  has_conversion: z.boolean().nullable(),
  pnl_micro: bigintText,
  is_matched: z.boolean(),
  settled_ms: z.number().nullable(),
  payout_ppm: integer.nullable(),
  bets_usd_micro: integer.nullable(),
  bets_edge_micro: integer.nullable(),
  first_ms: z.number(),
  last_ms: z.number(),
});

export const toPosition = (row: z.output<typeof PositionRow>): TraderPosition => ({
  traderId: row.trader_id,
  outcomeId: row.outcome_id,
  marketId: row.market_id,
  conditionId: row.condition_id,
  category: row.category,
  game: row.esports_tags === null ? null : esportsGameOf(row.esports_tags),
  cluster: row.cluster,
  isKnown: row.is_known,
  boughtUsdMicro: row.bought_usd_micro,
  boughtSharesMicro: row.bought_shares_micro,
  given:
    row.given_usd_micro === null || row.given_shares_micro === null
      ? null
      : {
          usdMicro: row.given_usd_micro,
          sharesMicro: row.given_shares_micro,
          hasSplit: row.has_split === true,
          hasConversion: row.has_conversion === true,
        },
  pnlMicro: row.pnl_micro,
  isMatched: row.is_matched,
  settledAtMs: row.settled_ms,
  payoutPpm: row.payout_ppm,
  bets:
    row.bets_usd_micro === null || row.bets_edge_micro === null
      ? null
      : { usdMicro: row.bets_usd_micro, edgeMicro: row.bets_edge_micro },
  firstAtMs: row.first_ms,
  lastAtMs: row.last_ms,
});
