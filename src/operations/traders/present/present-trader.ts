import type { z } from "zod";
import { formatId } from "../../../domain/ids.ts";
import { presentUsd } from "../../../domain/money.ts";
import { presentPercent } from "../../../domain/present-share.ts";
import { traderCompleteness, WITHHELD_REASONS } from "../../../domain/traders/trader-completeness.ts";
import type { TraderRow } from "../../../queries/traders/traders.ts";
import { summarizeQuality, type DataQuality, type DataQualityGroup } from "../../data-quality.ts";
import { missingTrust } from "../../trust.ts";
import { presentCategorySkill } from "./present-category-skill.ts";
import { presentDailyWinRate, presentProfile, type TraderExpansions } from "./present-profile.ts";
import { presentRanking, rankingQuality, UNKNOWN_RANKING } from "./present-ranking.ts";
import { exactUsd, presentTraderPnl } from "./present-trader-pnl.ts";
import { presentTraderTrust, buildTraderTrust } from "./present-trader-trust.ts";
import type { Trader } from "../schemas/schemas.ts";
import { withheldReason, excludedDetail } from "./history-trust.ts";

type TraderData = z.input<typeof Trader>;

export function presentTrader(row: TraderRow, expand: TraderExpansions, now: Date): TraderData {
  const isKnown = withheldReason(row) === null;
  return {
    id: formatId("trader", row.id),
    address: row.address,
    ...(row.username === null ? {} : { username: row.username }),
    ...presentRanking(row),
    ...(isKnown ? presentProfile(row, expand) : {}),
    ...(expand.includes("categories") ? presentCategorySkill(row.category_skill, now) : {}),
    pnl: presentTraderPnl(row),
    stats: isKnown ? presentStats(row) : {},
    ...(row.last_at === null ? {} : { last_active: row.last_at }),
    ...(row.synced_at === null ? {} : { synced_at: row.synced_at }),
    sync_status: row.synced_at !== null ? "synced" : row.followed ? "pending" : "unknown",
    data_quality: presentQuality(row),
    ...(expand.includes("trust") ? { trust: presentTraderTrust(row, now) } : {}),
  };
}

/**
 * An address that is not in the database. There is no row, so the id contains the address; all values are
 * unknown.
 */
export function presentUnknownTrader(address: string, expand: TraderExpansions): TraderData {
  const reason = WITHHELD_REASONS.untracked;
  return {
    id: `trd_${address}`,
    address,
    pnl: {},
    stats: {},
    sync_status: "unknown",
    data_quality: summarizeQuality([
      { ...SYNC, status: "unavailable", reason },
      ...UNKNOWN_RANKING,
      { ...VOLUME, status: "unavailable", reason },
      { ...PNL, status: "unavailable", reason },
      { ...POSITIONS, status: "unavailable", reason },
    ]),
    ...(expand.includes("trust")
      ? { trust: buildTraderTrust((name) => missingTrust(`trader.${name}`, "unavailable", reason)) }
      : {}),
  };
}

function presentStats(row: TraderRow): TraderData["stats"] {
  const volume = row.volume_micro ?? 0n;
  return {
    markets_traded: row.markets_traded,
    ...(row.markets_decided === 0 ? {} : { win_rate: presentPercent(row.markets_won, row.markets_decided) }),
    ...presentDailyWinRate(row),
    total_volume: presentUsd(volume),
    exact: { total_volume: exactUsd(volume, "sum of all recorded buys and sells") },
  };
}

const SYNC = { group: "sync", owner: "trader_syncs.complete_at" };
const VOLUME = { group: "volume", owner: "trader_totals.volume_micro" };
const PNL = { group: "pnl", owner: "trader_totals.realized_micro" };
const POSITIONS = { group: "positions", owner: "positions" };

function presentQuality(row: TraderRow): z.input<typeof DataQuality> {
  const sync = presentGroup(row, SYNC);
  const positions = presentPartialGroup(row, POSITIONS);
  const isUnpriced = withheldReason(row) === null && row.held_value_micro === null;
  const reason = [UNPRICED, ...(positions.reason === undefined ? [] : [positions.reason])].join("; ");
  return summarizeQuality([
    sync,
    ...rankingQuality(row),
    presentGroup(row, VOLUME),
    presentPartialGroup(row, PNL),
    isUnpriced ? { ...positions, status: "partial", reason } : positions,
  ]);
}

const UNPRICED = "positions are not valued: an open position has no price";

/** A group whose figures can exclude something. */
function presentPartialGroup(row: TraderRow, groupName: { group: string; owner: string }): DataQualityGroup {
  const [group, leftOut] = [presentGroup(row, groupName), excludedDetail(row)];
  return leftOut === null ? group : { ...group, status: "partial", reason: leftOut };
}

function presentGroup(row: TraderRow, group: { group: string; owner: string }): DataQualityGroup {
  const gap = withheldReason(row);
  if (gap === null && row.synced_at !== null) return { ...group, status: "fresh", as_of: row.synced_at };
  return {
    ...group,
    status: traderCompleteness(row).status === "gaps" ? "partial" : "unavailable",
    reason: gap ?? WITHHELD_REASONS.pending,
  };
}
