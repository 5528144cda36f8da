import type { z } from "zod";
import { formatId } from "../../domain/ids.ts";
import { formatMicro, presentUsd } from "../../domain/money.ts";
import type { TraderRow } from "../../queries/traders.ts";
import { realizedPnl } from "../../scoring/realized-pnl.ts";
import { summarizeQuality, type DataQuality, type DataQualityGroup } from "../data-quality.ts";
import { computedTrust, missingTrust, storedTrust, type Trust } from "../trust.ts";
import { presentDailyWinRate, presentProfile, profileTrust, type Expansions } from "./present-profile.ts";
import { presentRanking, rankingQuality, rankingTrust, UNKNOWN_RANKING } from "./present-ranking.ts";
import { TRUSTED_VALUES, type Trader } from "./schemas.ts";

type TraderData = z.input<typeof Trader>;

/** What is known of a wallet's history: all of it, not yet, not in full, or nothing because nobody follows it. */
type History = "complete" | "pending" | "gaps" | "untracked";

export function presentTrader(row: TraderRow, expand: Expansions): TraderData {
  const history = historyOf(row);
  return {
    id: formatId("trader", row.id),
    address: row.address,
    ...(row.username === null ? {} : { username: row.username }),
    ...presentRanking(row),
    ...(history === "complete" ? presentProfile(row, expand) : {}),
    pnl: history === "complete" ? presentPnl(row) : {},
    stats: history === "complete" ? presentStats(row) : {},
    ...(row.last_at === null ? {} : { last_active: row.last_at }),
    ...(row.synced_at === null ? {} : { synced_at: row.synced_at }),
    sync_status: row.synced_at !== null ? "synced" : row.followed ? "pending" : "unknown",
    data_quality: presentQuality(row, history),
    ...(expand.includes("trust") ? { trust: presentTrust(row, history) } : {}),
  };
}

/** A wallet nobody has seen trade: everything about it is unknown. It has no row, so its id carries the address. */
export function presentUnknownWallet(address: string, expand: Expansions): TraderData {
  return {
    id: `trd_${address}`,
    address,
    pnl: {},
    stats: {},
    sync_status: "unknown",
    data_quality: summarizeQuality([
      { group: "sync", owner: "wallet_syncs.complete_at", status: "unavailable", reason: WORDS.untracked },
      ...UNKNOWN_RANKING,
      { group: "volume", owner: "trader_totals.volume_micro", status: "unavailable", reason: WORDS.untracked },
      { group: "positions", owner: "positions", status: "unavailable", reason: WORDS.untracked },
    ]),
    ...(expand.includes("trust") ? { trust: trustOf((name) => missingTrust(`trader.${name}`, "unavailable", WORDS.untracked)) } : {}),
  };
}

const WORDS: Record<Exclude<History, "complete">, string> = {
  pending: "the wallet's history is still being read",
  gaps: "the wallet has conversions or migrations, which positions do not follow yet",
  untracked: "the wallet's history is not captured",
};

function historyOf(row: TraderRow): History {
  if (!row.followed) return "untracked";
  if (row.synced_at === null) return "pending";
  return row.gaps === null || row.gaps.length === 0 ? "complete" : "gaps";
}

function presentPnl(row: TraderRow): TraderData["pnl"] {
  const realized = realizedPnl({
    realizedMicro: row.realized_micro ?? 0n,
    settledMicro: row.settled_micro ?? 0n,
    feesMicro: row.fees_micro ?? 0n,
    rebatesMicro: row.rebates_micro ?? 0n,
  });
  return { realized: presentUsd(realized), exact: { realized: exactUsd(realized, "average cost over all recorded activity") } };
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

const exactUsd = (micro: bigint, basis: string) => ({ value: formatMicro(micro), unit: "USD", scale: 6, basis });

function presentQuality(row: TraderRow, history: History): z.input<typeof DataQuality> {
  const group = (name: string, owner: string): DataQualityGroup =>
    history === "complete" && row.synced_at !== null
      ? { group: name, owner, status: "fresh", as_of: row.synced_at }
      : {
          group: name,
          owner,
          status: history === "gaps" ? "partial" : "unavailable",
          reason: WORDS[history === "complete" ? "pending" : history],
        };
  return summarizeQuality([
    group("sync", "wallet_syncs.complete_at"),
    ...rankingQuality(row),
    group("volume", "trader_totals.volume_micro"),
    group("positions", "positions"),
  ]);
}

function presentTrust(row: TraderRow, history: History): TraderData["trust"] {
  const computed: Record<string, string> = {
    realized_pnl: "trader_totals.realized_micro",
    markets_traded: "positions.market_id",
    win_rate: "positions.settled_micro",
    total_volume: "trader_totals.volume_micro",
  };
  const stored: Record<string, { owner: string; present: boolean }> = {
    last_active: { owner: "trader_totals.last_at", present: row.last_at !== null },
    synced_at: { owner: "wallet_syncs.complete_at", present: row.synced_at !== null },
    sync_status: { owner: "wallet_syncs", present: true },
  };
  return trustOf((name) => {
    const owner = computed[name];
    if (owner !== undefined) {
      if (history !== "complete") return missingTrust(owner, "unavailable", WORDS[history]);
      if (name === "win_rate" && row.markets_decided === 0) return missingTrust(owner, "unavailable", "no market is decided yet");
      return computedTrust(owner, row.synced_at);
    }
    const figure = rankingTrust(row, name) ?? profileTrust(row, history === "complete" ? null : WORDS[history], name);
    if (figure !== null) return figure;
    const column = stored[name];
    if (column === undefined) return missingTrust(`trader.${name}`, "not_computed", "not computed in this release");
    return column.present ? storedTrust(column.owner, row.synced_at) : missingTrust(column.owner, "unavailable", "never observed");
  });
}

function trustOf(trust: (name: (typeof TRUSTED_VALUES)[number]) => Trust): NonNullable<TraderData["trust"]> {
  // Built from the very list of names that the schema's keys are.
  return Object.fromEntries(TRUSTED_VALUES.map((name) => [name, trust(name)])) as NonNullable<TraderData["trust"]>;
}
