import { z } from "zod";
import { listKeyUsage, type KeyUsage } from "../../queries/accounts/key-usage.ts";
import type { OperationContext } from "../../context.ts";

const MAX_AGE_SECONDS = 300;

const Totals = z.object({
  refreshed_at: z.string(),
  keys: z.array(z.object({ key_id: z.number(), month_requests: z.number(), last_used_at: z.string() })),
});

export interface KeyTotals {
  /** When the totals were read, ISO 8601. */
  readonly refreshedAt: string;
  /** Combined usage of several keys. */
  sum(keyIds: readonly number[]): { monthRequests: number; lastUsedAt: string | null };
}

/** Usage totals of an account's keys, at most five minutes old. Without Redis they are read every time. */
export async function readKeyUsage(
  { db, cache }: Pick<OperationContext, "db" | "cache">,
  accountId: number,
  now: Date,
): Promise<KeyTotals> {
  const entry = `key-usage:${accountId}`;
  const [stored = null] = await cache.getMany([entry]).catch(() => []);
  const parsed = stored === null ? null : parseTotals(stored);
  const fresh =
    parsed !== null && now.getTime() - Date.parse(parsed.refreshed_at) < MAX_AGE_SECONDS * 1000 ? parsed : null;
  const totals = fresh ?? { refreshed_at: now.toISOString(), keys: await listKeyUsage(db, accountId, now) };
  if (fresh === null) await cache.set(entry, JSON.stringify(totals), MAX_AGE_SECONDS).catch(() => undefined);
  return {
    refreshedAt: totals.refreshed_at,
    sum: (keyIds) => sumOf(totals.keys.filter(({ key_id }) => keyIds.includes(key_id))),
  };
}

function sumOf(usage: readonly KeyUsage[]): { monthRequests: number; lastUsedAt: string | null } {
  const lastUsedAt = usage
    .map(({ last_used_at }) => last_used_at)
    .sort()
    .at(-1);
  return {
    monthRequests: usage.reduce((sum, { month_requests }) => sum + month_requests, 0),
    lastUsedAt: lastUsedAt ?? null,
  };
}

/** @returns null for an unreadable text */
function parseTotals(text: string): z.output<typeof Totals> | null {
  try {
    return Totals.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
