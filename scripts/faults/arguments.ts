import { parseArgs } from "node:util";

export const USAGE =
  "npm run faults -- webhooks [--minutes N] [--events N] [--seed N] | files [--minutes N] [--seed N] | stream-deploy [--connections N] | restore";

const TARGETS = ["webhooks", "files", "stream-deploy", "restore"] as const;
/** Those that end after some minutes of random faults. */
const RANDOM: readonly string[] = ["webhooks", "files"] satisfies (typeof TARGETS)[number][];

export interface FaultsArguments {
  readonly target: (typeof TARGETS)[number];
  /** How long processes are killed. */
  readonly minutes: number;
  /** Of webhooks only. */
  readonly events: number;
  /** Of stream-deploy only. */
  readonly connections: number;
  /** Null for a random seed. */
  readonly seed: number | null;
}

/** @throws Error for a mistake in the arguments, as one line */
export function parseFaultsArguments(argv: readonly string[]): FaultsArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      minutes: { type: "string" },
      events: { type: "string" },
      connections: { type: "string" },
      seed: { type: "string" },
    },
  });
  const target = TARGETS.find((name) => name === positionals.join());
  if (target === undefined) throw new Error("Name what to test: webhooks, files, stream-deploy or restore.");
  if (target !== "stream-deploy" && values.connections !== undefined)
    throw new Error("--connections goes with stream-deploy.");
  if (target !== "webhooks" && values.events !== undefined) throw new Error("--events goes with webhooks.");
  if (!RANDOM.includes(target) && (values.minutes ?? values.seed) !== undefined)
    throw new Error(`${target} takes no --minutes and no --seed.`);
  const minutes = values.minutes ?? "10";
  if (!/^\d+(\.\d+)?$/.test(minutes) || Number(minutes) === 0)
    throw new Error(`--minutes is a number above 0, not ${minutes}.`);
  return {
    target,
    minutes: Number(minutes),
    events: wholeNumber("--events", values.events ?? "10000"),
    connections: wholeNumber("--connections", values.connections ?? "5000"),
    seed: values.seed === undefined ? null : wholeNumber("--seed", values.seed),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} is a whole number above 0, not ${text}.`);
  return Number(text);
}
