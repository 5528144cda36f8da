import { existsSync } from "node:fs";
import { parseArgs } from "node:util";

export const USAGE = `npm run bench -- [ingest] [reads] [engine] [--small] [--trades N] [--recorded DIR]
npm run bench -- engine --growth [--small]

Prints ratios to floors measured in the same run. Without a name: all three.

  ingest          trades a second through the Worker
  reads           warm reads beside a bare route
  engine          a full recompute beside one SQL statement, one new trade beside its wallet's recompute, 500 trades a second
  --growth        instead: what ingest and recompute cost from 10,000 to 2,000,000 fills (an hour at most)
  --small         sizes that only show that the commands work
  --trades N      size of the ingest part (100000)
  --recorded DIR  recorded files to recompute too (../shared/data where it is there; with --small none)`;

const RECORDED = "../shared/data";
const PARTS = ["ingest", "reads", "engine"] as const;

export interface BenchArguments {
  readonly parts: readonly (typeof PARTS)[number][];
  readonly isSmall: boolean;
  readonly growth: boolean;
  readonly trades: number;
  /** Null for none. */
  readonly recordedDir: string | null;
}

/** @throws Error in one sentence, for a mistake in the arguments */
export function parseBenchArguments(argv: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      small: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      trades: { type: "string" },
      recorded: { type: "string" },
    },
  });
  const unknown = positionals.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: name ingest, reads or engine.`);
  const named = PARTS.filter((part) => positionals.includes(part));
  if (values.growth && (named.length !== 1 || named[0] !== "engine")) throw new Error("--growth goes with engine alone.");
  const trades = values.trades ?? (values.small ? "5000" : "100000");
  if (!/^[1-9]\d{0,7}$/.test(trades)) throw new Error(`--trades is a whole number above 0, not ${trades}.`);
  return {
    parts: named.length === 0 ? PARTS : named,
    isSmall: values.small,
    growth: values.growth,
    trades: Number(trades),
    recordedDir: values.recorded ?? (values.small || !existsSync(RECORDED) ? null : RECORDED),
  };
}
