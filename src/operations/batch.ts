import { z } from "zod";
import { ERRORS, type Reason } from "../api/errors.ts";
import type { OperationContext } from "../context.ts";

/** Items of one batch; each is a unit of the batch budget. */
export const BATCH_ITEMS = 25;

const ItemError = z
  .object({
    code: z.string().meta({ description: "The kind of failure, as in an error answer." }),
    message: z.string().meta({ description: "The same for people, in English. Its wording may change." }),
    doc_url: z.url().optional().meta({ description: "Where this failure is explained." }),
    param: z.string().nullable().optional().meta({ description: "The body's member that the item stands in; null when none is at fault." }),
  })
  .meta({
    id: "BatchItemError",
    description: "Why one item of a batch failed: what a request of its own would have answered.",
    examples: [
      {
        code: "not_found",
        message: "No wallet has this id or name.",
        doc_url: "https://www.example.com/docs/errors#not_found",
        param: "traders",
      },
    ],
  });

/** Where an item stood in the request, and its outcome: `data` with ok, `error` with error. @param example of an item as it is sent */
export const batchItem = <D extends z.ZodType>(data: D, example: string) =>
  z.object({
    index: z.int().min(0).meta({ description: "The item's place in the request, from 0.", example: 0 }),
    input: z.string().meta({ description: "The item as it was sent.", example }),
    status: z.enum(["ok", "error"]).meta({ description: "ok: `data` is there. error: `error` is." }),
    data: data.optional(),
    // In no example: an item has its data or an error, and an example shows the data.
    error: ItemError.optional().meta({ examples: [] }),
  });

/** An item that failed, as a request of its own would have. */
export function presentItemError(reason: Reason, param: string, message: string, { config }: OperationContext) {
  const { code } = ERRORS[reason];
  return { status: "error" as const, error: { code, message, doc_url: `${config.webBaseUrl}/docs/errors#${code}`, param } };
}

/** What a batch's answer tells in `meta` in place of `cost`. */
export const BATCH_META = {
  total_items: z.int().min(1).meta({ description: "Items in the request.", example: 1 }),
  successful_items: z.int().min(0).meta({ description: "Items with status ok.", example: 1 }),
  failed_items: z.int().min(0).meta({ description: "Items with status error.", example: 0 }),
  request_cost: z.int().min(1).meta({ description: "Item units the request took: one an item, whatever becomes of it.", example: 1 }),
  rate_limit: z
    .object({
      basis: z.literal("batch_items_per_minute").meta({ description: "What is counted: items of batches within 60 seconds." }),
      limit: z.int().meta({ description: "Item units a minute." }),
      remaining: z.int().meta({ description: "Item units left after this request." }),
      reset: z.int().meta({ description: "When the oldest item that counts leaves the window, Unix seconds." }),
    })
    .meta({
      id: "BatchRateLimitMeta",
      description: "The budget of item units that all batches of an account share.",
      examples: [{ basis: "batch_items_per_minute", limit: 100, remaining: 99, reset: 1_795_176_060 }],
    }),
};

/** @throws Error for an operation that reserved no units, which is no batch */
export function presentBatchMeta(items: readonly { status: "ok" | "error" }[], { admission }: OperationContext) {
  const budget = admission?.batch ?? null;
  if (budget === null) throw new Error("a batch was admitted without a budget of its own");
  const failed = items.filter(({ status }) => status === "error").length;
  return {
    total_items: items.length,
    successful_items: items.length - failed,
    failed_items: failed,
    request_cost: items.length,
    rate_limit: {
      basis: "batch_items_per_minute",
      limit: budget.limit,
      remaining: budget.remaining,
      reset: Math.ceil(budget.resetAtMs / 1000),
    },
  };
}
