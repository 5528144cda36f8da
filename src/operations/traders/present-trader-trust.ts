import type { z } from "zod";
import { PROFILE_MAX_AGE_SECONDS } from "../../domain/stored-profile.ts";
import type { TraderRow } from "../../queries/traders.ts";
import { agedTrust, computedTrust, missingTrust, storedTrust, type Trust } from "../trust.ts";
import { profileTrust } from "./present-profile.ts";
import { rankingTrust } from "./present-ranking.ts";
import { pnlTrust } from "./present-trader-pnl.ts";
import { TRUSTED_VALUES, type Trader } from "./schemas.ts";
import { gapOf, historyTrust, leftOutOf, resultTrust } from "./trader-history.ts";

type Name = (typeof TRUSTED_VALUES)[number];

/** Where each value of a wallet comes from, how old it is, what it was checked against, and whether it is whole or why it is missing. */
export function presentTraderTrust(row: TraderRow, now: Date): NonNullable<z.input<typeof Trader>["trust"]> {
  return trustOf(
    (name) =>
      rankingTrust(row, name) ??
      pnlTrust(row, now, name) ??
      statTrust(row, now, name) ??
      profileTrust(row, { gap: gapOf(row), leftOut: leftOutOf(row) }, name) ??
      storedValueTrust(row, name) ??
      categorySkillTrust(row, now),
  );
}

export function trustOf(trust: (name: Name) => Trust): NonNullable<z.input<typeof Trader>["trust"]> {
  // Built from the very list of names that the schema's keys are.
  return Object.fromEntries(TRUSTED_VALUES.map((name) => [name, trust(name)])) as NonNullable<z.input<typeof Trader>["trust"]>;
}

/** @returns null for values that are no statistics */
function statTrust(row: TraderRow, now: Date, name: Name): Trust | null {
  if (!isStat(name)) return null;
  const owner = STAT_OWNERS[name];
  if (gapOf(row) === null && name === "win_rate" && row.markets_decided === 0) {
    return missingTrust(owner, "unavailable", "no market is decided yet");
  }
  if (gapOf(row) === null && name === "daily_win_rate" && row.days_decided === 0) {
    return missingTrust(owner, "unavailable", "no day has a result yet");
  }
  // Volume and counts of markets are exact whatever profit leaves out.
  return name === "win_rate" || name === "daily_win_rate" ? resultTrust(row, owner, now) : historyTrust(row, owner, now);
}

const STAT_OWNERS = {
  markets_traded: "positions.market_id",
  win_rate: "positions.settled_micro",
  daily_win_rate: "trader_days",
  total_volume: "trader_totals.volume_micro",
} as const;

const isStat = (name: string): name is keyof typeof STAT_OWNERS => name in STAT_OWNERS;

/** What the database knows of the wallet without computing anything. */
function storedValueTrust(row: TraderRow, name: Name): Trust | null {
  switch (name) {
    case "last_active":
      return row.last_at === null
        ? missingTrust("trader_totals.last_at", "unavailable", "no trade of the wallet was observed")
        : storedTrust("trader_totals.last_at", row.synced_at);
    case "synced_at":
      return row.synced_at === null
        ? missingTrust("wallet_syncs.complete_at", "unavailable", "the wallet was never read to its end")
        : storedTrust("wallet_syncs.complete_at", row.synced_at);
    case "sync_status":
      return storedTrust("wallet_syncs", row.synced_at);
    default:
      return null;
  }
}

/** What is left: the records of skill by category, and their readiness. */
function categorySkillTrust(row: TraderRow, now: Date): Trust {
  const owner = "trader_profiles.profile";
  const gap = gapOf(row);
  if (gap !== null) return missingTrust(owner, "unavailable", gap);
  const { category_skill: skill } = row;
  if (skill === null) return missingTrust(owner, "not_computed", "the wallet's skill by category has not been computed yet");
  if (skill.categories.length === 0) return missingTrust(owner, "unavailable", "the wallet has bought in no market with a category");
  return agedTrust(computedTrust(owner, skill.computed_at), { maxAgeSeconds: PROFILE_MAX_AGE_SECONDS, now });
}
