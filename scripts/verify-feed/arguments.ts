import { parseArgs } from "node:util";
import { z } from "zod";
import type { BlockRange } from "../../src/platform/chain.ts";

export const USAGE = `npm run verify-feed -- --blocks A..B [--data DIR] [--confirmations N] [--blocks-per-call N] [--concurrency N] [--lines N]
  [--record --large-trade-min-usd N [--gamma URL]]

Compares the fills of the ledger with the OrderFilled events of the provider's exchanges in the blocks A to B of Polygon.
It prints the differences, at most N lines of them (20), then their counts. docs/verify-feed.md describes each kind.

CHAIN_RPC_URL is the JSON-RPC address of a node. It is read from the environment, because such addresses contain keys.
The last block needs N confirmations (64). One call asks for N blocks (100), less when the node refuses; N calls (4) run at once.

--record records the fills that the ledger lacks, as the provider's feed would, and the log index of each fill, and then
compares again. N is the product's
LARGE_TRADE_MIN_USD. URL is its PROVIDER_GAMMA_URL, for tokens whose market is not known; without it, and where the
provider does not know them, their fills are not recorded, and are printed.

It uses the database of DATABASE_URL; without it, the running product of the data directory DIR (.local).

Exit code 0: equal. 1: differences. 2: not compared.`;

export interface VerifyFeedArguments {
  readonly range: BlockRange;
  readonly dataDir: string;
  readonly confirmations: number;
  readonly blocksPerCall: number;
  readonly concurrency: number;
  readonly lines: number;
  /** Null without --record. */
  readonly record: { readonly largeTradeMinUsd: number; readonly gammaUrl: string | null } | null;
}

const count = (name: string, least: number, most: number) => {
  const error = `--${name} is not a number from ${least} to ${most}.`;
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(least, error).max(most, error));
};

const BLOCKS_ERROR = "--blocks is not A..B, two block numbers in ascending order.";

const FLOOR_ERROR = "--large-trade-min-usd is not a number of dollars from 1.";
const RECORD_ERROR = "--large-trade-min-usd and --gamma are for --record, which needs the first.";

const Values = z.object({
  blocks: z
    .string({ error: "--blocks is missing." })
    .regex(/^\d{1,12}\.\.\d{1,12}$/, BLOCKS_ERROR)
    .transform((text) => {
      const [from = 0, to = 0] = text.split("..").map(Number);
      return { from, to };
    })
    .refine(({ from, to }) => from <= to, BLOCKS_ERROR),
  data: z.string(),
  confirmations: count("confirmations", 1, 100_000),
  "blocks-per-call": count("blocks-per-call", 1, 10_000),
  concurrency: count("concurrency", 1, 64),
  lines: count("lines", 0, 1_000_000),
  record: z.boolean(),
  "large-trade-min-usd": z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, FLOOR_ERROR)
    .transform(Number)
    .pipe(z.number().min(1, FLOOR_ERROR))
    .optional(),
  gamma: z.url({ protocol: /^https?$/, error: "--gamma is not an http or https address." }).optional(),
});

/** @throws Error with the mistake in its first line */
export function parseVerifyFeedArguments(argv: readonly string[]): VerifyFeedArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      blocks: { type: "string" },
      data: { type: "string", default: ".local" },
      confirmations: { type: "string", default: "64" },
      "blocks-per-call": { type: "string", default: "100" },
      concurrency: { type: "string", default: "4" },
      lines: { type: "string", default: "20" },
      record: { type: "boolean", default: false },
      "large-trade-min-usd": { type: "string" },
      gamma: { type: "string" },
    },
  });
  const parsed = Values.safeParse(values);
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message);
  const { blocks, data, confirmations, concurrency, lines, record, gamma } = parsed.data;
  const largeTradeMinUsd = parsed.data["large-trade-min-usd"];
  if (record ? largeTradeMinUsd === undefined : (largeTradeMinUsd ?? gamma) !== undefined)
    throw new Error(RECORD_ERROR);
  return {
    range: blocks,
    dataDir: data,
    confirmations,
    blocksPerCall: parsed.data["blocks-per-call"],
    concurrency,
    lines,
    record: largeTradeMinUsd === undefined ? null : { largeTradeMinUsd, gammaUrl: gamma?.replace(/\/+$/, "") ?? null },
  };
}

/** @throws Error without the address, which may contain a key */
export function findNodeUrl(env: NodeJS.ProcessEnv): string {
  const url = z.url({ protocol: /^https?$/ }).safeParse(env["CHAIN_RPC_URL"]);
  if (!url.success) throw new Error("Set CHAIN_RPC_URL to the http or https address of a JSON-RPC node.");
  return url.data;
}
