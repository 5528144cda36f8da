import type { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/request/query-params.ts";
import { formatId } from "../../domain/ids.ts";
import { presentFloat } from "../../domain/present-float.ts";
import { traderCompleteness } from "../../domain/traders/trader-completeness.ts";
import { findCategoryRecords, type TraderRecords } from "../../queries/traders/find-category-records.ts";
import { MIN_DECIDED_FOR_WIN_RATE } from "../../scoring/metrics/parameters.ts";
import { presentCompleteness } from "../trust.ts";
import { TraderCategoryRecords } from "./schemas/category-records-schemas.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./parse-trader-ref.ts";

export const getTraderCategoryRecords = defineOperation({
  kind: "single",
  id: "getTraderCategoryRecords",
  method: "get",
  path: "/api/v1/trader/{address}/categories",
  tag: "Traders",
  summary: "Get one trader's record in each category.",
  description: "Returns won and decided markets by category, and by game within Esports.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    category: textParam().meta({
      description:
        "Only the record of this category, spelled exactly as in the response. Any other name returns " +
        "empty `records`. All when omitted.",
      example: "Esports",
    }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_trader_categories",
  object: "trader_category_records",
  data: TraderCategoryRecords,
  async handle({ params, query }, { db }) {
    const trader = await findCategoryRecords(db, parseTraderRef(params.address));
    if (trader === null) throw unknownTrader();
    return { data: present(trader, query.category) };
  },
});

function present(trader: TraderRecords, category: string | null): z.input<typeof TraderCategoryRecords> {
  const { id, address, computed_at, records } = trader;
  const all = records ?? [];
  return {
    id: formatId("trader", id),
    address,
    basis: "settled_markets_all_sizes",
    min_decided_for_win_rate: MIN_DECIDED_FOR_WIN_RATE,
    computed_at: all.length === 0 ? null : computed_at,
    completeness: presentCompleteness(traderCompleteness(trader)),
    // The stored order is the order of the response.
    records: all
      .filter((record) => category === null || record.category === category)
      .map(({ games, ...record }) => ({
        ...presentRecord(record),
        category: record.category,
        ...(games.length === 0
          ? {}
          : {
              games: games.map(({ game, series_slug, ...counts }) => ({ ...presentRecord(counts), game, series_slug })),
            }),
      })),
  };
}

type RecordCounts = Pick<NonNullable<TraderRecords["records"]>[number], "wins" | "decided" | "win_rate" | "status">;

const presentRecord = ({ wins, decided, win_rate, status }: RecordCounts): RecordCounts => ({
  wins,
  decided,
  win_rate: presentFloat(win_rate, 4),
  status,
});
