import type { z } from "zod";
import { PROFILE_MAX_AGE_SECONDS } from "../../../domain/traders/stored-profile.ts";
import type { TraderRow } from "../../../queries/traders/traders.ts";
import { withMaxAge, computedTrust, missingTrust, storedTrust, type Trust } from "../../trust.ts";
import { profileTrust } from "./present-profile.ts";
import { rankingTrust } from "./present-ranking.ts";
import { pnlTrust } from "./present-trader-pnl.ts";
import { TRUSTED_VALUES, type Trader } from "../schemas/schemas.ts";
import { withheldReason, historyTrust, excludedDetail, profitTrust } from "./history-trust.ts";

type TrustedValue = (typeof TRUSTED_VALUES)[number];

/** Source, freshness, reconciliation and completeness of each value of a trader. */
export function presentTraderTrust(row: TraderRow, now: Date): NonNullable<z.input<typeof Trader>["trust"]> {
  return buildTraderTrust(
    (name) =>
      rankingTrust(row, name) ??
      pnlTrust(row, now, name) ??
      statTrust(row, now, name) ??
      profileTrust(row, { gap: withheldReason(row), leftOut: excludedDetail(row) }, name) ??
      storedValueTrust(row, name) ??
      categorySkillTrust(row, now),
  );
}

export function buildTraderTrust(trust: (name: TrustedValue) => Trust): NonNullable<z.input<typeof Trader>["trust"]> {
  // The cast holds because the keys of the schema come from the same list of names.
  return Object.fromEntries(TRUSTED_VALUES.map((name) => [name, trust(name)])) as NonNullable<
    z.input<typeof Trader>["trust"]
  >;
}

/** @returns null for values that are not statistics */
function statTrust(row: TraderRow, now: Date, name: TrustedValue): Trust | null {
  if (!isStat(name)) return null;
  const owner = STAT_OWNERS[name];
  if (withheldReason(row) === null && name === "win_rate" && row.markets_decided === 0) {
    return missingTrust(owner, "unavailable", "no market of the trader is decided yet");
  }
  if (withheldReason(row) === null && name === "daily_win_rate" && row.days_decided === 0) {
    return missingTrust(owner, "unavailable", "no day of the trader has a result yet");
  }
  // Volume and market counts are exact even when profit excludes something.
  return name === "win_rate" || name === "daily_win_rate"
    ? profitTrust(row, owner, now)
    : historyTrust(row, owner, now);
}

const STAT_OWNERS = {
  markets_traded: "positions.market_id",
  win_rate: "positions.settled_micro",
  daily_win_rate: "trader_days",
  total_volume: "trader_totals.volume_micro",
} as const;

const isStat = (name: string): name is keyof typeof STAT_OWNERS => name in STAT_OWNERS;

/** Trust of values that are stored and not computed. */
function storedValueTrust(row: TraderRow, name: TrustedValue): Trust | null {
  switch (name) {
    case "last_active":
      return row.last_at === null
        ? missingTrust("trader_totals.last_at", "unavailable", "no trade of the trader was observed")
        : storedTrust("trader_totals.last_at", row.synced_at);
    case "synced_at":
      return row.synced_at === null
        ? missingTrust(
            "trader_syncs.complete_at",
            "unavailable",
            "the trader's activity has never been read completely",
          )
        : storedTrust("trader_syncs.complete_at", row.synced_at);
    case "sync_status":
      return storedTrust("trader_syncs", row.synced_at);
    default:
      return null;
  }
}

/** Trust of the remaining values: skill records by category and their readiness. */
function categorySkillTrust(row: TraderRow, now: Date): Trust {
  const owner = "trader_profiles.profile";
  const gap = withheldReason(row);
  if (gap !== null) return missingTrust(owner, "unavailable", gap);
  const { category_skill: skill } = row;
  if (skill === null)
    return missingTrust(owner, "not_computed", "the trader's skill by category has not been computed yet");
  if (skill.categories.length === 0)
    return missingTrust(owner, "unavailable", "the trader has not bought in any market with a category");
  return withMaxAge(computedTrust(owner, skill.computed_at), { maxAgeSeconds: PROFILE_MAX_AGE_SECONDS, now });
}
