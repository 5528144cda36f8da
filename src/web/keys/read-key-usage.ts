import { z } from "zod";
import { listKeyUsage, type KeyUsage } from "../../queries/key-usage.ts";
import type { Runtime } from "../../runtime.ts";

const MAX_AGE_SECONDS = 300;

const Totals = z.object({
  refreshed_at: z.string(),
  keys: z.array(z.object({ key_id: z.number(), month_requests: z.number(), last_used_at: z.string() })),
});

export interface KeyTotals {
  /** When the totals were read. */
  readonly refreshedAt: string;
  /** What these keys together have been used for. */
  sum(keyIds: readonly number[]): { monthRequests: number; lastUsedAt: string | null };
}

/** What an account's keys have been used for, at most five minutes old. Without Redis it is read each time. */
export async function readKeyUsage({ db, cache }: Runtime, accountId: number, now: Date): Promise<KeyTotals> {
  const entry = `key-usage:${accountId}`;
  const [stored = null] = await cache.getMany([entry]).catch(() => []);
  const parsed = stored === null ? null : parseTotals(stored);
  const kept = parsed !== null && now.getTime() - Date.parse(parsed.refreshed_at) < MAX_AGE_SECONDS * 1000 ? parsed : null;
  const totals = kept ?? { refreshed_at: now.toISOString(), keys: await listKeyUsage(db, accountId, now) };
  if (kept === null) await cache.set(entry, JSON.stringify(totals), MAX_AGE_SECONDS).catch(() => undefined);
  return { refreshedAt: totals.refreshed_at, sum: (keyIds) => sumOf(totals.keys.filter(({ key_id }) => keyIds.includes(key_id))) };
}

function sumOf(usage: readonly KeyUsage[]): { monthRequests: number; lastUsedAt: string | null } {
  const lastUsedAt = usage
    .map(({ last_used_at }) => last_used_at)
    .sort()
    .at(-1);
  return { monthRequests: usage.reduce((sum, { month_requests }) => sum + month_requests, 0), lastUsedAt: lastUsedAt ?? null };
}

/** @returns null for a text that is none of these totals */
function parseTotals(text: string): z.output<typeof Totals> | null {
  try {
    return Totals.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
