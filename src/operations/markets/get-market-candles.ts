import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, lastValueOf, numberParam } from "../../api/params.ts";
import { presentPrice } from "../../domain/present-price.ts";
import { findMarketCandles, type OutcomeCandles } from "../../queries/candles.ts";
import { MarketCandles } from "./candle-schemas.ts";
import { COVERED_FROM } from "./covered-from.ts";
import { MarketSegment, parseMarketRef, unknownMarket } from "./market-ref.ts";

export const getMarketCandles = defineOperation({
  kind: "single",
  id: "getMarketCandles",
  method: "get",
  path: "/api/v1/market/{condition_id}/candles",
  tag: "Markets",
  summary: "Read the daily or weekly prices of one market's outcomes.",
  description:
    "Buckets that start after from and not after to, both in Unix seconds. A week is made of its days in the range, so its start may lie before from. There are no prices within a day. A name given twice counts with its last value.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 2,
  params: { condition_id: MarketSegment },
  query: {
    resolution: lastValueOf(enumParam(["1d", "1w"], "1d")).meta({
      description: "Length of a bucket: a UTC day, or an ISO week from Monday.",
      example: "1w",
    }),
    from: lastValueOf(numberParam({ integer: true })).meta({
      description: "Unix seconds: only buckets that start after it. Later than `to` it is refused. No bound when left out.",
      example: 1_793_491_200,
    }),
    to: lastValueOf(numberParam({ integer: true })).meta({
      description: "Unix seconds: only buckets that start at it or before. No bound when left out.",
      example: 1_795_132_800,
    }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 60,
  restsOn: ["candles"],
  mcpTool: "get_market_candles",
  object: "market_candles",
  data: MarketCandles,
  meta: COVERED_FROM,
  async handle({ params, query }, { db }) {
    const { from, to } = query;
    if (from !== null && to !== null && from > to) {
      throw new ApiError("invalid_query", { param: "from", message: "from is later than to." });
    }
    const found = await findMarketCandles(db, parseMarketRef(params.condition_id), query);
    if (found === null) throw unknownMarket();
    return {
      data: { condition_id: found.conditionId, resolution: query.resolution, outcomes: found.outcomes.map(presentOutcome) },
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
