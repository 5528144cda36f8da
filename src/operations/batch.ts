import { z } from "zod";
import { ERRORS, type Reason } from "../api/errors.ts";
import type { OperationContext } from "../context.ts";

/** Maximum items per batch. Each item takes one unit of the batch budget. */
export const MAX_BATCH_ITEMS = 25;

const ItemError = z
  .object({
    code: z.string().meta({ description: "Error code, the same as in an error response." }),
    message: z.string().meta({ description: "Message for people, in English. The wording may change." }),
    doc_url: z.url().optional().meta({ description: "Link to the documentation of this error." }),
    param: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Member of the request body that contains the item; null when no member is at fault." }),
  })
  .meta({
    id: "BatchItemError",
    description: "Error of one batch item: the error that a single request for this item would return.",
    examples: [
      {
        code: "not_found",
        message: "No wallet has this id or name.",
        doc_url: "https://www.example.com/docs/errors#not_found",
        param: "traders",
      },
    ],
  });

/**
 * Result of one batch item: its index, the input, and `data` (status ok) or `error` (status error).
 *
 * @param example an item as the client sends it
 */
export const batchItemSchema = <D extends z.ZodType>(data: D, example: string) =>
  z.object({
    index: z.int().min(0).meta({ description: "Index of the item in the request, starting at 0.", example: 0 }),
    input: z.string().meta({ description: "The item as the client sent it.", example }),
    status: z.enum(["ok", "error"]).meta({ description: "ok: the item has `data`. error: the item has `error`." }),
    data: data.optional(),
    // An item has either data or an error. The example shows data, so `error` has no example.
    error: ItemError.optional().meta({ examples: [] }),
  });

/** Result of a failed item: the same error that a single request would return. */
export function presentBatchItemError(reason: Reason, param: string, message: string, { config }: OperationContext) {
  const { code } = ERRORS[reason];
  return {
    status: "error" as const,
    error: { code, message, doc_url: `${config.webBaseUrl}/docs/errors#${code}`, param },
  };
}

/** Members of `meta` in a batch response. They replace `cost`. */
export const BATCH_META = {
  total_items: z.int().min(1).meta({ description: "Items in the request.", example: 1 }),
  successful_items: z.int().min(0).meta({ description: "Items with status ok.", example: 1 }),
  failed_items: z.int().min(0).meta({ description: "Items with status error.", example: 0 }),
  request_cost: z
    .int()
    .min(1)
    .meta({ description: "Item units charged for the request: one per item, also for items that failed.", example: 1 }),
  rate_limit: z
    .object({
      basis: z
        .literal("batch_items_per_minute")
        .meta({ description: "What the limit counts: batch items within 60 seconds." }),
      limit: z.int().meta({ description: "Item units per minute." }),
      remaining: z.int().meta({ description: "Item units left after this request." }),
      reset: z.int().meta({ description: "When the oldest counted item leaves the window, in Unix seconds." }),
    })
    .meta({
      id: "BatchRateLimitMeta",
      description: "Budget of item units that all batches of an account share.",
      examples: [{ basis: "batch_items_per_minute", limit: 100, remaining: 99, reset: 1_795_176_060 }],
    }),
};

/** @throws Error when the operation reserved no item units: it is not a batch operation */
export function presentBatchMeta(items: readonly { status: "ok" | "error" }[], { admission }: OperationContext) {
  const budget = admission?.batch ?? null;
  if (budget === null) throw new Error("a batch was admitted without a batch budget");
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
