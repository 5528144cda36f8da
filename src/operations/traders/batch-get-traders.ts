import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findTraders, type TraderRef } from "../../queries/traders/traders.ts";
import { MAX_BATCH_ITEMS, BATCH_META, batchItemSchema, presentBatchMeta, presentBatchItemError } from "../batch.ts";
import { TRADER_EXPANSIONS, needsProfile } from "./present/present-profile.ts";
import { presentTrader, presentUnknownTrader } from "./present/present-trader.ts";
import { Trader } from "./schemas/schemas.ts";
import { EXAMPLE_ADDRESS } from "./schemas/trader-example.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./parse-trader-ref.ts";

const BatchTradersRequest = z
  .strictObject({
    traders: z
      .array(TraderSegment)
      .min(1)
      .max(MAX_BATCH_ITEMS)
      .meta({
        description:
          "1 to 25 traders, each by address, trd_ id or known username. Results keep the order and the " +
          "duplicates. Each item costs one item unit.",
      }),
    expand: z
      .array(z.string().max(100))
      .max(100)
      .default([])
      .transform((requested) => TRADER_EXPANSIONS.filter((known) => requested.includes(known)))
      .meta({
        description:
          "Optional parts of each trader: strategy, categories, quant_metrics, trust. Other names are " +
          "ignored. None when omitted.",
      }),
  })
  .meta({
    id: "BatchTradersRequest",
    description: "The requested traders and their optional parts.",
    examples: [{ traders: ["0x56687bf447db6ffa42ffe2204a05edaa20f55839", "trd_12"], expand: ["trust"] }],
  });

const BatchTraderItem = batchItemSchema(Trader, EXAMPLE_ADDRESS).meta({
  id: "BatchTraderItem",
  description: "One trader of the request, or the error of this item.",
});

export const batchGetTraders = defineOperation({
  kind: "single",
  id: "batchGetTraders",
  method: "post",
  path: "/api/v1/traders/batch",
  tag: "Traders",
  summary: "Get up to 25 traders.",
  description:
    "Returns one item per requested trader, in the order of the request, with the trader or an error. An " +
    "untracked address has status ok and sync_status unknown.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {},
  reasons: ["bad_request"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: "batch_get_traders",
  object: "trader_batch",
  data: z.array(BatchTraderItem),
  meta: BATCH_META,
  body: BatchTradersRequest,
  batchUnits: ({ traders }) => traders.length,
  async handle({ body }, context) {
    const parsedItems = body.traders.map(parseItem);
    const refs = parsedItems.flatMap((ref) => (ref instanceof ApiError ? [] : [ref]));
    const rows = refs.length === 0 ? [] : await findTraders(context.db, refs, needsProfile(body.expand), context.now);
    const rowsByRef = new Map(refs.map((ref, index) => [ref, rows[index] ?? null]));
    const items = parsedItems.map((ref, index) => {
      const item = { index, input: body.traders[index] ?? "" };
      if (ref instanceof ApiError)
        return { ...item, ...presentBatchItemError(ref.reason, "traders", ref.message, context) };
      const row = rowsByRef.get(ref) ?? null;
      if (row !== null) return { ...item, status: "ok" as const, data: presentTrader(row, body.expand, context.now) };
      if ("address" in ref)
        return { ...item, status: "ok" as const, data: presentUnknownTrader(ref.address, body.expand) };
      const { reason, message } = unknownTrader();
      return { ...item, ...presentBatchItemError(reason, "traders", message, context) };
    });
    return { data: items, meta: presentBatchMeta(items, context) };
  },
});

/** Parses one item. Returns the error instead of throwing it, because an error belongs to its item only. */
function parseItem(text: string): TraderRef | ApiError {
  try {
    return parseTraderRef(text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
