import { z } from "zod";
import type { Json } from "../protocol/json-rpc.ts";
import type { ToolOperation } from "./tool.ts";

/** The size in characters above which a list is shortened: about 25,000 tokens of a language model. */
export const RESULT_BUDGET_CHARACTERS = 100_000;

/** Rows differ in size, so the estimate leaves a reserve. */
const RESERVE = 0.9;
const MAX_RERUNS = 4;

const Page = z.looseObject({ data: z.array(z.unknown()) });

export interface FittedResult {
  /** The envelope as JSON. */
  readonly text: string;
  /** The page size that replaced the requested one; null when the result is whole. */
  readonly limit: number | null;
}

/**
 * Shortens a list that is over the budget: reads the page again with a smaller `limit`, so that its `next_cursor`
 * continues after the last row. A single row, a list without `limit` and a single object are never cut.
 *
 * @param read reads the result with these arguments
 */
export async function fitResult(
  operation: ToolOperation,
  args: Json,
  read: (args: Json) => Promise<string>,
): Promise<FittedResult> {
  let text = await read(args);
  let limit: number | null = null;
  if (!canShorten(operation, args)) return { text, limit };
  for (let reruns = 0; text.length > RESULT_BUDGET_CHARACTERS && reruns < MAX_RERUNS; reruns++) {
    const rows = Page.parse(JSON.parse(text)).data.length;
    if (rows <= 1) break;
    const fitting =
      reruns === MAX_RERUNS - 1 ? 1 : Math.floor((rows * RESERVE * RESULT_BUDGET_CHARACTERS) / text.length);
    limit = Math.max(1, fitting);
    text = await read({ ...args, limit });
  }
  return { text, limit };
}

/** A cursor that is bound to its page size refuses another one. */
function canShorten(operation: ToolOperation, args: Json): boolean {
  if (operation.kind !== "list" || !Object.hasOwn(operation.query, "limit")) return false;
  return operation.cursor?.bindsLimit !== true || args["cursor"] === undefined;
}
