import { z } from "zod";
import { ERRORS, type Reason } from "../api/errors.ts";
import type { OperationContext } from "../context.ts";

/** Items of one batch; each is a unit of the batch budget. */
export const BATCH_ITEMS = 25;

const ItemError = z
  .object({
    code: z.string().meta({ description: "As in an error answer." }),
    message: z.string(),
    doc_url: z.url().optional(),
    param: z.string().nullable().optional().meta({ description: "The body's member that the item stands in." }),
  })
  .meta({ id: "BatchItemError", examples: [{ code: "not_found", message: "No wallet has this id or name.", param: "traders" }] });

/** Where an item stood in the request, and its outcome: `data` with ok, `error` with error. */
export const batchItem = <D extends z.ZodType>(data: D) =>
  z.object({
    index: z.int().min(0).meta({ description: "Place in the request, from 0." }),
    input: z.string().meta({ description: "As it was sent." }),
    status: z.enum(["ok", "error"]),
    data: data.optional(),
    error: ItemError.optional().meta({ description: "With status error." }),
  });

/** An item that failed, as a request of its own would have. */
export function presentItemError(reason: Reason, param: string, message: string, { config }: OperationContext) {
  const { code } = ERRORS[reason];
  return { status: "error" as const, error: { code, message, doc_url: `${config.webBaseUrl}/docs/errors#${code}`, param } };
}

/** What a batch's answer tells in `meta` in place of `cost`. */
export const BATCH_META = {
  total_items: z.int().min(1),
  successful_items: z.int().min(0),
  failed_items: z.int().min(0),
  request_cost: z.int().min(1).meta({ description: "Item units reserved, one an item whatever its outcome." }),
  rate_limit: z
    .object({
      basis: z.literal("batch_items_per_minute"),
      limit: z.int(),
      remaining: z.int().meta({ description: "Item units left after this request." }),
      reset: z.int().meta({ description: "Unix seconds." }),
    })
    .meta({ id: "BatchRateLimitMeta", examples: [{ basis: "batch_items_per_minute", limit: 100, remaining: 75, reset: 1_795_176_060 }] }),
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
