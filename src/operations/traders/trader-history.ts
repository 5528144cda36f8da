import { holdingFreshness } from "../../domain/holding-freshness.ts";
import type { TraderRow } from "../../queries/traders.ts";
import { computedTrust, missingTrust, type Trust } from "../trust.ts";

/** What is known of a wallet's history: all of it, not yet, not in full, or nothing because nobody follows it. */
export type History = "complete" | "pending" | "gaps" | "untracked";

/** Why figures that rest on the whole history are withheld. */
export const HISTORY_GAP: Record<Exclude<History, "complete">, string> = {
  pending: "the wallet's history is still being read",
  gaps: "the wallet has activity that positions do not follow yet, such as combinations of markets, conversions or migrations",
  untracked: "the wallet's history is not captured",
};

export function historyOf(row: TraderRow): History {
  if (!row.followed) return "untracked";
  if (row.synced_at === null) return "pending";
  return row.gaps === null || row.gaps.length === 0 ? "complete" : "gaps";
}

/** @returns null when nothing is missing */
export function gapOf(row: TraderRow): string | null {
  const history = historyOf(row);
  return history === "complete" ? null : HISTORY_GAP[history];
}

/** A figure of ours that rests on the wallet's whole history, or why it is missing. */
export function historyTrust(row: TraderRow, owner: string, now: Date): Trust {
  const gap = gapOf(row);
  if (gap !== null) return missingTrust(owner, "unavailable", gap);
  const status = holdingFreshness(row.synced_at === null ? null : new Date(row.synced_at), row.tier, now);
  return { ...computedTrust(owner, row.synced_at), freshness: { status, ...(row.synced_at === null ? {} : { as_of: row.synced_at }) } };
}
