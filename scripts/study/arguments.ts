import { parseArgs } from "node:util";
import { isWorldName, WORLDS, type WorldName } from "./simulate/worlds.ts";

export const USAGE = `npm run study -- DIR [--infer-resolutions]
npm run study -- --simulate SEED [--seeds N] [--wallets N] [--fills N]
npm run study -- --world NAME[,NAME...] [--seeds a,b,c] [--wallets N] [--fills N]
npm run study -- --board [--seeds a,b,c]
npm run study -- --picks (DIR | --simulate SEED ...)

Grades traders only from what had settled before each trade, and reports the results of later purchases by letter.

  DIR                    recorded files, in any shape that the replay reads; or fills and results in Parquet or CSV, of
                         any number, see docs/study-data.md
  --infer-resolutions    use a last price within a cent of certainty as the payout where none is recorded, and the last
                         trade as the time of a resolution where none is recorded
  --simulate SEED        a generated year of trading instead
  --world NAME           the published method in generated worlds, each over all seeds: all, or
                         ${Object.keys(WORLDS).join(", ")}
  --board                who has an S, an A or a B on a fresh start of the simulated market
  --picks                what the rule of the daily pick would have picked instead, and how it did
  --seeds N              that many years, with seeds SEED, SEED + 1, ... (1)
  --seeds a,b,c          these seeds, for --world and --board (91,92,...,98)
  --wallets N            traders of a generated year (20000; of a world 5000)
  --fills N              fills of a generated year, at most 4000000 (2000000; of a world 400000)`;

export type StudyArguments = StudySource & {
  /** Picks are studied instead of letters. */
  readonly picks?: true;
};

export type StudyRequest =
  | StudyArguments
  | {
      readonly kind: "worlds";
      readonly worlds: readonly WorldName[];
      readonly seeds: readonly number[];
      readonly wallets: number;
      readonly fills: number;
    }
  | { readonly kind: "board"; readonly seeds: readonly number[] };

export type StudySource =
  | { readonly kind: "recorded"; readonly dir: string; readonly infersResolutions: boolean }
  | { readonly kind: "simulated"; readonly seeds: readonly number[]; readonly wallets: number; readonly fills: number };

/** A mistake in the arguments, as one sentence. */
export class StudyArgumentError extends Error {
  override name = "StudyArgumentError";
}

/** @throws StudyArgumentError */
export function parseStudyArguments(argv: readonly string[]): StudyRequest {
  const { values, positionals } = parse(argv);
  if (values.world !== undefined || values.board === true) {
    if (positionals.length > 0 || values.simulate !== undefined)
      throw new StudyArgumentError("Give --world, --board, --simulate or a directory, not two of them.");
    const seeds = parseSeeds(values.seeds ?? "91,92,93,94,95,96,97,98");
    if (values.world === undefined) return { kind: "board", seeds };
    return { kind: "worlds", worlds: parseWorlds(values.world), seeds, ...parseSize(values, "5000", "400000") };
  }
  const source = parseSource(values, positionals);
  return values.picks === true ? { ...source, picks: true } : source;
}

function parseSource(values: ReturnType<typeof parse>["values"], positionals: readonly string[]): StudySource {
  if (values.simulate === undefined) {
    const [dir, ...rest] = positionals;
    if (dir === undefined || rest.length > 0)
      throw new StudyArgumentError("Give one directory of recordings, or --simulate SEED.");
    return { kind: "recorded", dir, infersResolutions: values["infer-resolutions"] ?? false };
  }
  if (positionals.length > 0) throw new StudyArgumentError("Give a directory or --simulate, not both.");
  const first = wholeNumber("--simulate", values.simulate, 0, 1_000_000_000);
  const seeds = Array.from(
    { length: wholeNumber("--seeds", values.seeds ?? "1", 1, 100) },
    (_, index) => first + index,
  );
  return { kind: "simulated", seeds, ...parseSize(values, "20000", "2000000") };
}

function parseSize(values: ReturnType<typeof parse>["values"], wallets: string, fills: string) {
  return {
    wallets: wholeNumber("--wallets", values.wallets ?? wallets, 100, 200_000),
    fills: wholeNumber("--fills", values.fills ?? fills, 1000, 4_000_000),
  };
}

function parseSeeds(text: string): readonly number[] {
  return text.split(",").map((seed) => wholeNumber("--seeds", seed, 0, 1_000_000_000));
}

function parseWorlds(text: string): readonly WorldName[] {
  if (text === "all") return Object.keys(WORLDS).filter(isWorldName);
  return text.split(",").map((name) => {
    if (isWorldName(name)) return name;
    throw new StudyArgumentError(`There is no world ${name}. Worlds are: ${Object.keys(WORLDS).join(", ")}.`);
  });
}

function parse(argv: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        simulate: text,
        seeds: text,
        wallets: text,
        fills: text,
        "infer-resolutions": { type: "boolean" },
        picks: { type: "boolean" },
        world: text,
        board: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new StudyArgumentError(error instanceof Error ? error.message : "The arguments are invalid.", {
      cause: error,
    });
  }
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new StudyArgumentError(`${name} has to be a whole number from ${least} to ${most}.`);
  }
  return number;
}
