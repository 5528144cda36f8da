import { parseArgs } from "node:util";
import { z } from "zod";

export const USAGE = `npm run load -- DIR --large-trade-min-usd N [--takers] [--data DATA]

Loads the fills of the .parquet, .csv and .csv.gz files below DIR into the ledger and all figures that follow from it.
docs/load.md describes the forms of files. A load that was interrupted continues; a file that is loaded changes nothing.

N is the product's LARGE_TRADE_MIN_USD. With --takers every row is the fill of a taker order, as in the provider's
feed of takers. Repeat both when you continue a load.

It uses the database of DATABASE_URL; without it, the running product of the data directory DATA (.local).`;

export interface LoadArguments {
  readonly directory: string;
  readonly largeTradeMinUsd: number;
  readonly takers: boolean;
  readonly dataDir: string;
}

const FLOOR_ERROR = "--large-trade-min-usd is not a number of dollars from 1.";

const Arguments = z.object({
  directory: z.tuple([z.string()], "Name one directory."),
  "large-trade-min-usd": z
    .string({ error: FLOOR_ERROR })
    .regex(/^\d{1,9}(\.\d{1,2})?$/, FLOOR_ERROR)
    .transform(Number)
    .pipe(z.number().min(1, FLOOR_ERROR)),
  takers: z.boolean(),
  data: z.string(),
});

/** @throws Error with the mistake in its first line */
export function parseLoadArguments(argv: readonly string[]): LoadArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      "large-trade-min-usd": { type: "string" },
      takers: { type: "boolean", default: false },
      data: { type: "string", default: ".local" },
    },
  });
  const parsed = Arguments.safeParse({ directory: positionals, ...values });
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message);
  const { directory, takers, data } = parsed.data;
  return { directory: directory[0], largeTradeMinUsd: parsed.data["large-trade-min-usd"], takers, dataDir: data };
}
