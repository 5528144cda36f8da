import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, lastValueOf, numberParam } from "../../api/request/query-params.ts";
import { presentPrice } from "../../domain/markets/present-price.ts";
import { findMarketCandles, type OutcomeCandles } from "../../queries/markets/market-candles.ts";
import { MarketCandles } from "./schemas/candle-schemas.ts";
import { COVERAGE_META } from "./flow-coverage.ts";
import { MarketParam, parseMarketRef, marketNotFound } from "./market-param.ts";

export const getMarketCandles = defineOperation({
  kind: "single",
  id: "getMarketCandles",
  method: "get",
  path: "/api/v1/market/{condition_id}/candles",
  tag: "Markets",
  summary: "Read the daily or weekly prices of the outcomes of one market.",
  description:
    "Returns buckets that start after from and not after to, both in Unix seconds. A week contains only its days " +
    "in the range, so its start can be before from. There are no prices within a day. If a parameter is sent " +
    "twice, the last value counts.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 2,
  params: { condition_id: MarketParam },
  query: {
    resolution: lastValueOf(enumParam(["1d", "1w"], "1d")).meta({
      description: "Length of a bucket: a UTC day, or an ISO week that starts on Monday.",
      example: "1w",
    }),
    from: lastValueOf(numberParam({ integer: true })).meta({
      description:
        "Only buckets that start after this time, in Unix seconds. A value later than `to` returns " +
        "400. No bound when left out.",
      example: 1_793_491_200,
    }),
    to: lastValueOf(numberParam({ integer: true })).meta({
      description: "Only buckets that start at or before this time, in Unix seconds. No bound when left out.",
      example: 1_795_132_800,
    }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 60,
  cacheTags: ["candles"],
  mcpTool: "get_market_candles",
  object: "market_candles",
  data: MarketCandles,
  meta: COVERAGE_META,
  async handle({ params, query }, { db }) {
    const { from, to } = query;
    if (from !== null && to !== null && from > to) {
      throw new ApiError("invalid_query", { param: "from", message: "from must not be later than to." });
    }
    const found = await findMarketCandles(db, parseMarketRef(params.condition_id), query);
    if (found === null) throw marketNotFound();
    return {
      data: {
        condition_id: found.conditionId,
        resolution: query.resolution,
        outcomes: found.outcomes.map(presentOutcome),
      },
      meta: { covered_from: found.completeFrom },
    };
  },
});

function presentOutcome({ tokenId, side, candles }: OutcomeCandles): z.input<typeof MarketCandles>["outcomes"][number] {
  return {
    token_id: tokenId,
    outcome: side,
    candles: candles.map(({ t, open, high, low, close }) => ({
      t,
      o: presentPrice(open),
      h: presentPrice(high),
      l: presentPrice(low),
      c: presentPrice(close),
    })),
  };
}
