import type { Operation } from "../../../src/api/operation.ts";
import { docOf } from "../../../src/api/request/query-params.ts";
import type { World } from "../seed/world.ts";
import type { ValueOf } from "./registry-requests.ts";

/** Ids that the counterparty reads of one trade need from each other. */
export interface MatchedTrade {
  readonly snapshot_id: string;
  readonly execution_id: string;
}

/** @param ask reads a path and returns its parsed body */
export async function readMatchedTrade(
  world: World,
  ask: (path: string) => Promise<{ body: any }>,
): Promise<MatchedTrade> {
  const { body } = await ask(`/api/v1/large-trades/${world.trades.matched}`);
  const { snapshot_id, unavailable_executions } = body.data.counterparty_analysis;
  return { snapshot_id, execution_id: unavailable_executions[0].id };
}

/** Values of required names: the world's trader, market, trade and flag with the least or the most data. */
export function worldValues(
  { traders, markets, trades, flags, games, picks, combos }: World,
  matched: MatchedTrade,
  which: "bare" | "full",
): ValueOf {
  const wallet = which === "bare" ? traders.nameless : traders.known;
  return (name, { path }: Operation) => {
    const trade = path.includes("counterparties") ? trades.matched : trades[which];
    const values: Record<string, string | readonly string[]> = {
      address: wallet.address,
      trader: wallet.address,
      traders: [wallet.address],
      condition_id: (path.startsWith("/api/v1/combos") ? combos : markets)[which].conditionId,
      condition_ids: [markets[which].conditionId],
      // The first webhook endpoint that a test creates.
      id: path.startsWith("/api/v1/webhooks") ? "1" : String(/suspicious|radar/.test(path) ? flags[which] : trade),
      event_slug: games[which].slug,
      row_id: `wt_${trades[which]}`,
      pick_id: String(picks[which === "bare" ? "sealed" : "opened"]),
      ...matched,
      q: "market",
      as_of: "2026-11-20T12:00:00Z",
      granularity: "daily",
      period: "2026-11-20",
      date: "2026-11-20",
      month: "2026-11",
      cohort: "wider_holder",
      job_id: "1",
    };
    return values[name];
  };
}

/** Optional values that make each read as wide as possible. */
export const widestValues: ValueOf = (name, { query, path }) => {
  const param = query[name];
  if (name === "expand" && param !== undefined)
    return (docOf(param).json["items"] as { enum: string[] }).enum.join(",");
  if (name === "week" && path.endsWith("/weekly")) return "2026-47";
  return { min_size: "0", outcome: "all" }[name];
};
