import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findTraders, type TraderRef } from "../../queries/traders.ts";
import { BATCH_ITEMS, BATCH_META, batchItem, presentBatchMeta, presentItemError } from "../batch.ts";
import { EXPANSIONS, needsProfile } from "./present-profile.ts";
import { presentTrader, presentUnknownWallet } from "./present-trader.ts";
import { Trader } from "./schemas.ts";
import { EXAMPLE_ADDRESS } from "./trader-example.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./trader-ref.ts";

const BatchTradersRequest = z
  .strictObject({
    traders: z.array(TraderSegment).min(1).max(BATCH_ITEMS).meta({
      description:
        "1 to 25 wallets, each by address, trd_ id or known username. Their order is kept, as are repeats; each takes an item unit.",
    }),
    expand: z
      .array(z.string().max(100))
      .max(100)
      .default([])
      .transform((asked) => EXPANSIONS.filter((known) => asked.includes(known)))
      .meta({
        description:
          "What to add to each wallet: strategy, categories, quant_metrics, trust. Other names are ignored. Nothing when left out.",
      }),
  })
  .meta({
    id: "BatchTradersRequest",
    description: "Which wallets, and what of them.",
    examples: [{ traders: ["0x56687bf447db6ffa42ffe2204a05edaa20f55839", "trd_12"], expand: ["trust"] }],
  });

const BatchTraderItem = batchItem(Trader, EXAMPLE_ADDRESS).meta({
  id: "BatchTraderItem",
  description: "One wallet of the request, or why it could not be read.",
});

export const batchGetTraders = defineOperation({
  kind: "single",
  id: "batchGetTraders",
  method: "post",
  path: "/api/v1/traders/batch",
  tag: "Traders",
  summary: "Read up to 25 wallets.",
  description:
    "Answers one item for each that was asked for, in that order, each with its wallet or its own error. A wallet that nobody tracks is ok with sync_status unknown.",
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
    const asked = body.traders.map(readItem);
    const refs = asked.flatMap((ref) => (ref instanceof ApiError ? [] : [ref]));
    const rows = refs.length === 0 ? [] : await findTraders(context.db, refs, needsProfile(body.expand), context.now);
    const found = new Map(refs.map((ref, index) => [ref, rows[index] ?? null]));
    const items = asked.map((ref, index) => {
      const item = { index, input: body.traders[index] ?? "" };
      if (ref instanceof ApiError) return { ...item, ...presentItemError(ref.reason, "traders", ref.message, context) };
      const row = found.get(ref) ?? null;
      if (row !== null) return { ...item, status: "ok" as const, data: presentTrader(row, body.expand, context.now) };
      if ("address" in ref) return { ...item, status: "ok" as const, data: presentUnknownWallet(ref.address, body.expand) };
      const { reason, message } = unknownTrader();
      return { ...item, ...presentItemError(reason, "traders", message, context) };
    });
    return { data: items, meta: presentBatchMeta(items, context) };
  },
});

/** The wallet an item names, or why it can name none. */
function readItem(text: string): TraderRef | ApiError {
  try {
    return parseTraderRef(text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
