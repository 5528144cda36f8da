import type { z } from "zod";
import { formatId } from "../../domain/ids.ts";
import { presentUsd } from "../../domain/money.ts";
import { walletCompleteness, WITHHELD } from "../../domain/wallet-completeness.ts";
import type { TraderRow } from "../../queries/traders.ts";
import { summarizeQuality, type DataQuality, type DataQualityGroup } from "../data-quality.ts";
import { missingTrust } from "../trust.ts";
import { presentCategorySkill } from "./present-category-skill.ts";
import { presentDailyWinRate, presentProfile, type Expansions } from "./present-profile.ts";
import { presentRanking, rankingQuality, UNKNOWN_RANKING } from "./present-ranking.ts";
import { exactUsd, presentTraderPnl } from "./present-trader-pnl.ts";
import { presentTraderTrust, trustOf } from "./present-trader-trust.ts";
import type { Trader } from "./schemas.ts";
import { gapOf, leftOutOf } from "./trader-history.ts";

type TraderData = z.input<typeof Trader>;

export function presentTrader(row: TraderRow, expand: Expansions, now: Date): TraderData {
  const isKnown = gapOf(row) === null;
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

/** A wallet nobody has seen trade: everything about it is unknown. It has no row, so its id carries the address. */
export function presentUnknownWallet(address: string, expand: Expansions): TraderData {
  const reason = WITHHELD.untracked;
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
    ...(expand.includes("trust") ? { trust: trustOf((name) => missingTrust(`trader.${name}`, "unavailable", reason)) } : {}),
  };
}

function presentStats(row: TraderRow): TraderData["stats"] {
  const volume = row.volume_micro ?? 0n;
  return {
    markets_traded: row.markets_traded,
    ...(row.markets_decided === 0 ? {} : { win_rate: Math.trunc((row.markets_won * 10_000) / row.markets_decided) / 100 }),
    ...presentDailyWinRate(row),
    total_volume: presentUsd(volume),
    exact: { total_volume: exactUsd(volume, "sum of all recorded buys and sells") },
  };
}

const SYNC = { group: "sync", owner: "wallet_syncs.complete_at" };
const VOLUME = { group: "volume", owner: "trader_totals.volume_micro" };
const PNL = { group: "pnl", owner: "trader_totals.realized_micro" };
const POSITIONS = { group: "positions", owner: "positions" };

function presentQuality(row: TraderRow): z.input<typeof DataQuality> {
  const sync = presentGroup(row, SYNC);
  const positions = presentPart(row, POSITIONS);
  const isUnpriced = gapOf(row) === null && row.held_value_micro === null;
  const reason = [UNPRICED, ...(positions.reason === undefined ? [] : [positions.reason])].join("; ");
  return summarizeQuality([
    sync,
    ...rankingQuality(row),
    presentGroup(row, VOLUME),
    presentPart(row, PNL),
    isUnpriced ? { ...positions, status: "partial", reason } : positions,
  ]);
}

const UNPRICED = "what it holds is not valued: a holding has no price";

/** A group whose fields may leave something out. */
function presentPart(row: TraderRow, named: { group: string; owner: string }): DataQualityGroup {
  const [group, leftOut] = [presentGroup(row, named), leftOutOf(row)];
  return leftOut === null ? group : { ...group, status: "partial", reason: leftOut };
}

function presentGroup(row: TraderRow, group: { group: string; owner: string }): DataQualityGroup {
  const gap = gapOf(row);
  if (gap === null && row.synced_at !== null) return { ...group, status: "fresh", as_of: row.synced_at };
  return { ...group, status: walletCompleteness(row).status === "gaps" ? "partial" : "unavailable", reason: gap ?? WITHHELD.pending };
}
