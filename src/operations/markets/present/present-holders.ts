import type { z } from "zod";
import { esportsGameOf } from "../../../domain/categories/esports-games.ts";
import { formatId, formatPositionId } from "../../../domain/ids.ts";
import { presentMicro, presentUsd } from "../../../domain/money.ts";
import { presentShare } from "../../../domain/present-share.ts";
import { decideBadges } from "../../../domain/traders/trader-badges.ts";
import type { HolderRow, HoldersMarket, HoldersPage } from "../../../queries/markets/market-holders.ts";
import { MIN_DECIDED_FOR_WIN_RATE } from "../../../scoring/metrics/parameters.ts";
import type {
  MarketHolder,
  MarketHoldersMarket,
  MarketHoldersScan,
  MarketHoldersTotals,
} from "../schemas/holder-schemas.ts";

type Holder = z.input<typeof MarketHolder>;

const SHARE_DECIMALS = 4;

export function presentHolder(row: HolderRow, market: HoldersMarket, now: Date): Holder {
  const { address, outcome_index: index, value_micro: value, other_shares_micro: otherShares } = row;
  return {
    id: formatPositionId(address, market.condition_id, index),
    trader_id: formatId("trader", row.trader_id),
    address,
    name: row.username,
    side: index === 0 ? "YES" : "NO",
    token_id: outcomeAt(market, index)?.token_id ?? null,
    grade: row.grade,
    shares: presentMicro(row.shares_micro, SHARE_DECIMALS),
    current_value_usd: value === null ? null : presentUsd(value),
    ...(otherShares === null ? {} : { other_outcome_shares: presentMicro(otherShares, SHARE_DECIMALS) }),
    last_traded_at: row.last_traded_at,
    ...presentWinRate(row, market),
    ...presentBadges(row, now),
  };
}

const outcomeAt = ({ outcomes }: HoldersMarket, index: number) => outcomes.find((outcome) => outcome.index === index);

type WinRate = Pick<
  Holder,
  "category_win_rate" | "category_win_record" | "category_win_rate_game" | "category_win_rate_status"
>;

/**
 * The trader's record in the market's esports title when enough markets are decided, otherwise in its
 * category.
 */
function presentWinRate({ profiled, category_record: record }: HolderRow, { category, tags }: HoldersMarket): WinRate {
  if (category === null || !profiled) return { category_win_rate_status: "unavailable" };
  const series = esportsGameOf(tags)?.seriesSlug;
  const game = record?.games.find(
    (gameRecord) => gameRecord.series_slug === series && gameRecord.decided >= MIN_DECIDED_FOR_WIN_RATE,
  );
  const { wins, decided } = game ?? record ?? { wins: 0, decided: 0 };
  if (decided < MIN_DECIDED_FOR_WIN_RATE) return { category_win_rate_status: "not_enough_data" };
  return {
    category_win_rate: presentShare(wins, decided),
    category_win_record: { wins, decided },
    ...(game === undefined ? {} : { category_win_rate_game: game.game }),
    category_win_rate_status: "measured",
  };
}

function presentBadges(row: HolderRow, now: Date): Partial<Holder> {
  const badges = decideBadges(row.first_at === null ? null : new Date(row.first_at), row.markets_traded, now);
  if (badges === null) return {};
  return {
    wallet_age_days: badges.ageDays,
    is_new_wallet: badges.isNew,
    markets_traded: badges.marketsTraded,
    is_bot: badges.isBot,
    x_username: null,
  };
}

const STATUSES = { open: "open", awaiting_result: "closed", resolved: "resolved" } as const;

export function presentHoldersMarket(market: HoldersMarket): z.input<typeof MarketHoldersMarket> {
  const [yes, no] = [outcomeAt(market, 0), outcomeAt(market, 1)];
  const { condition_id, title, slug, event_slug: eventSlug, category, end_at: endAt } = market;
  return {
    id: formatId("market", market.id),
    condition_id,
    title,
    ...(slug === null ? {} : { slug }),
    ...(eventSlug === null ? {} : { event_slug: eventSlug }),
    category,
    outcome_yes: yes?.label ?? null,
    outcome_no: no?.label ?? null,
    token_id_yes: yes?.token_id ?? null,
    token_id_no: no?.token_id ?? null,
    ...(endAt === null ? {} : { end_date: endAt }),
    status: STATUSES[market.phase],
  };
}

/** Only complete scans are served. */
export const presentHoldersScan = ({
  fetched_at,
  wallet_count,
}: NonNullable<HoldersPage["scan"]>): z.input<typeof MarketHoldersScan> => ({
  source: "cached",
  complete: true,
  fetched_at,
  wallet_count,
});

export function presentHoldersTotals([yes, no]: HoldersPage["totals"]): z.input<typeof MarketHoldersTotals> {
  return {
    graded_count: yes.traders + no.traders,
    yes_count: yes.traders,
    no_count: no.traders,
    yes_shares: presentMicro(yes.shares_micro, SHARE_DECIMALS),
    no_shares: presentMicro(no.shares_micro, SHARE_DECIMALS),
    yes_usd: presentUsd(yes.value_micro),
    no_usd: presentUsd(no.value_micro),
    yes_grades: { s: yes.s, a: yes.a, b: yes.b },
    no_grades: { s: no.s, a: no.a, b: no.b },
  };
}
