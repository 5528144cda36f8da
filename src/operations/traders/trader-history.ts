import { holdingFreshness } from "../../domain/holding-freshness.ts";
import { walletCompleteness } from "../../domain/wallet-completeness.ts";
import type { TraderRow } from "../../queries/traders.ts";
import { computedTrust, missingTrust, type Trust } from "../trust.ts";

/** Why figures that rest on the wallet's history are withheld. @returns null when they are served */
export function gapOf(row: TraderRow): string | null {
  const completeness = walletCompleteness(row);
  return completeness.status === "complete" || completeness.status === "partial" ? null : completeness.detail;
}

/** What served figures of profit leave out. @returns null when they leave out nothing, and when they are withheld */
export function leftOutOf(row: TraderRow): string | null {
  const completeness = walletCompleteness(row);
  return completeness.status === "partial" ? completeness.detail : null;
}

/** The trust of a value that leaves out what `detail` says; unchanged for null and for values that are missing. */
export const partialTrust = (trust: Trust, detail: string | null): Trust =>
  detail === null || trust.completeness.status !== "complete" ? trust : { ...trust, completeness: { status: "partial", detail } };

/** A figure of ours that rests on the wallet's whole history, or why it is missing. */
export function historyTrust(row: TraderRow, owner: string, now: Date): Trust {
  const gap = gapOf(row);
  if (gap !== null) return missingTrust(owner, "unavailable", gap);
  const status = holdingFreshness(row.synced_at === null ? null : new Date(row.synced_at), row.tier, now);
  return { ...computedTrust(owner, row.synced_at), freshness: { status, ...(row.synced_at === null ? {} : { as_of: row.synced_at }) } };
}

/** The same of a figure of profit, which may leave something out. */
export const resultTrust = (row: TraderRow, owner: string, now: Date): Trust => partialTrust(historyTrust(row, owner, now), leftOutOf(row));
