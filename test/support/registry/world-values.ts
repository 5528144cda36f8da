import type { Operation } from "../../../src/api/operation.ts";
import { docOf } from "../../../src/api/params.ts";
import type { World } from "../seed/world.ts";
import type { ValueOf } from "./requests.ts";

/** What the reads of one trade's counterparties need of each other. */
export interface MatchedTrade {
  readonly snapshot_id: string;
  readonly execution_id: string;
}

/** @param ask reads a path and gives its decoded body */
export async function readMatchedTrade(world: World, ask: (path: string) => Promise<{ body: any }>): Promise<MatchedTrade> {
  const { body } = await ask(`/api/v1/large-trades/${world.trades.matched}`);
  const { snapshot_id, unavailable_executions } = body.data.counterparty_analysis;
  return { snapshot_id, execution_id: unavailable_executions[0].id };
}

/** What stands for required names: the world's barest wallet, market, trade and flag, or its fullest. */
export function worldValues({ wallets, markets, trades, flags }: World, matched: MatchedTrade, which: "bare" | "full"): ValueOf {
  const wallet = which === "bare" ? wallets.nameless : wallets.known;
  return (name, { path }: Operation) => {
    const trade = path.includes("counterparties") ? trades.matched : trades[which];
    const values: Record<string, string | readonly string[]> = {
      address: wallet.address,
      trader: wallet.address,
      traders: [wallet.address],
      condition_id: markets[which].conditionId,
      condition_ids: [markets[which].conditionId],
      id: String(/suspicious|radar/.test(path) ? flags[which] : trade),
      ...matched,
      q: "market",
      as_of: "2026-11-20T12:00:00Z",
      granularity: "daily",
      period: "2026-11-20",
      date: "2026-11-20",
      month: "2026-11",
    };
    return values[name];
  };
}

/** The widest each read goes. */
export const widest: ValueOf = (name, { query, path }) => {
  const param = query[name];
  if (name === "expand" && param !== undefined) return (docOf(param).json["items"] as { enum: string[] }).enum.join(",");
  if (name === "week" && path.endsWith("/weekly")) return "2026-47";
  return { min_size: "0", outcome: "all" }[name];
};
