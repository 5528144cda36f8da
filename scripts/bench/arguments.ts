import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { LIVE_FAULTS, SHORT_FORM, WHOLE_FORM, type LiveSize } from "./live-size/live-size.ts";

export const USAGE = `npm run bench -- [ingest] [reads] [engine] [--small] [--trades N] [--recorded DIR] [--rtt MS]
npm run bench -- engine --growth [--small]
npm run bench -- stream [--small]
npm run bench -- webhooks [--small]
npm run bench -- files [--small] [--trades N]
npm run bench -- load [--small] [--trades N]
npm run bench -- study [--small] [--trades N]
npm run bench -- agents [--small]
npm run bench -- distance [--small]
npm run bench -- live-size [--small] [--markets N --traders N --fills N --rate N --burst N --rtt MS,MS --minutes N,N]
                               [--faults provider,postgres,consumers,traders] [--data DIR]
npm run bench -- operations [--small] [--trades N] [--data DIR] [--only PATTERN] [--plans FILE]

Prints ratios to floors measured in the same run. Without a part it runs ingest, reads and engine.

  ingest          trades a second through the Worker, with --rtt this far from Postgres, Redis and the provider
  reads           warm reads beside a bare route
  engine          a full recompute beside one SQL statement, one new trade beside a recompute of its trader, 500 trades
                  a second
  stream          frames to 1,000 listeners beside a bare broadcast, the delay of the last listener, memory of 5,000
                  (3 minutes; Linux)
  webhooks        deliveries a second beside a bare client, and their delay while other endpoints hang
  files           rows a second of a dataset beside psql COPY | gzip -6, memory, sizes, the first byte of a download, and
                  reads beside 20 jobs (psql must be installed)
  load            fills a second of npm run load, from a generated CSV file into an empty database
  study           memory of npm run study over generated Parquet files (100,000,000 fills take an hour; Linux)
  agents          tool calls beside the same REST read, answers of the sandbox a second, the size of the tool list
  distance        reads from places 1, 90 and 160 ms away from Redis and Postgres, and the hops that they wait for
  live-size       the product under live trades over a loaded history: depths, lags, requests, statements, WAL and ages
                  beside their bars (1,000,000 markets and 10 minutes, or 50,000 and 2 with --small)
  operations      every operation over a million trades: times, statements and rows a request, late pages beside first
                  ones
  --growth        instead: the cost of ingest and recompute from 10,000 to 2,000,000 fills (12 minutes at most)
  --small         sizes that only show that the commands work
  --trades N      trades of the ingest part or of the files (100000), or generated trades of the operations or of the load (1000000),
                  or of the study (100000000)
  --recorded DIR  recorded files to recompute or read too (../shared/data if it exists; none with --small)
  --markets N, --traders N, --fills N, --rate N, --burst N, --rtt MS, --minutes N   the size of live-size. With several
                  round trips, such as 5,40, the product runs once with each over the same history
  --faults LIST   what goes wrong in the last run of live-size: the provider refuses everything after the burst, Postgres
                  restarts in the burst, queue consumers die every 10 s, 5,000 rows are by new traders
  --data DIR      where the database of operations or live-size is stored: the first run fills it, later runs measure it again
  --only PATTERN  operations whose id matches
  --plans FILE    where to write all figures, with the plan of each form's slowest request`;

const RECORDED = "../shared/data";
const PARTS = [
  "ingest",
  "reads",
  "engine",
  "stream",
  "webhooks",
  "files",
  "agents",
  "distance",
  "operations",
  "load",
  "study",
  "live-size",
] as const;
/** Not by default: operations needs a database of a million trades, and stream, webhooks and files take minutes. */
const USUAL_PARTS: BenchArguments["parts"] = ["ingest", "reads", "engine"];

export interface BenchArguments {
  readonly parts: readonly (typeof PARTS)[number][];
  readonly isSmall: boolean;
  readonly growth: boolean;
  readonly trades: number;
  /** Null for none. */
  readonly recordedDir: string | null;
  /** Null when the data is not kept. */
  readonly dataDir: string | null;
  /** Null for every operation. */
  readonly only: RegExp | null;
  /** Null for no file. */
  readonly plans: string | null;
  /** Round trip from the Worker of the ingest part to its services, ms. */
  readonly ingestRttMs: number;
  /** One or more, in this order. */
  readonly livePhases: readonly LiveSize[];
}

/** @throws Error for a mistake in the arguments, as one sentence */
export function parseBenchArguments(argv: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      small: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      trades: { type: "string" },
      recorded: { type: "string" },
      data: { type: "string" },
      only: { type: "string" },
      plans: { type: "string" },
      faults: { type: "string" },
      ...Object.fromEntries(LIVE_SIZE_OPTIONS.map((name) => [name, { type: "string" as const }])),
    },
  });
  const unknown = positionals.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined)
    throw new Error(
      `There is no part ${unknown}: name ingest, reads, engine, stream, webhooks, files, agents, distance, operations, load, study or live-size.`,
    );
  const named = PARTS.filter((part) => positionals.includes(part));
  if (values.growth && (named.length !== 1 || named[0] !== "engine"))
    throw new Error("--growth goes with engine alone.");
  const isOperations = named.includes("operations");
  if (isOperations && named.length !== 1) throw new Error("operations cannot be combined with other parts.");
  if (named.includes("load") && named.length !== 1) throw new Error("load cannot be combined with other parts.");
  if (named.includes("study") && named.length !== 1) throw new Error("study cannot be combined with other parts.");
  if (named.includes("live-size") && named.length !== 1)
    throw new Error("live-size cannot be combined with other parts.");
  if (!isOperations && (values.only ?? values.plans) !== undefined)
    throw new Error("--only and --plans go with operations.");
  if (!isOperations && !named.includes("live-size") && values.data !== undefined)
    throw new Error("--data goes with operations or live-size.");
  const [small, whole] = named.includes("study")
    ? ["300000", "100000000"]
    : isOperations || named.includes("load")
      ? ["20000", "1000000"]
      : ["5000", "100000"];
  const trades = values.trades ?? (values.small ? small : whole);
  if (!/^[1-9]\d{0,8}$/.test(trades)) throw new Error(`--trades is a whole number above 0, not ${trades}.`);
  return {
    parts: named.length === 0 ? USUAL_PARTS : named,
    isSmall: values.small,
    growth: values.growth,
    trades: Number(trades),
    recordedDir: values.recorded ?? (values.small || !existsSync(RECORDED) ? null : RECORDED),
    dataDir: values.data ?? null,
    only: values.only === undefined ? null : new RegExp(values.only, "i"),
    plans: values.plans ?? null,
    ingestRttMs: parseIngestRtt(values, named),
    livePhases: parseLivePhases(values, named, values.small),
  };
}

const HISTORY_OPTIONS = ["markets", "traders", "fills", "rate", "burst"] as const;
const PHASE_OPTIONS = ["rtt", "minutes"] as const;
const LIVE_SIZE_OPTIONS = [...HISTORY_OPTIONS, ...PHASE_OPTIONS];
type LiveSizeOption = (typeof LIVE_SIZE_OPTIONS)[number];

function parseLivePhases(
  values: Readonly<Record<string, unknown>>,
  named: BenchArguments["parts"],
  isSmall: boolean,
): LiveSize[] {
  const form = isSmall ? SHORT_FORM : WHOLE_FORM;
  const isIngest = named.includes("ingest");
  const [given] = [...LIVE_SIZE_OPTIONS, "faults"].filter(
    (name) => values[name] !== undefined && !(isIngest && name === "rtt"),
  );
  if (!named.includes("live-size") && given !== undefined)
    throw new Error(`--${given} goes with live-size${given === "rtt" ? " or ingest" : ""}.`);
  const textOf = (name: LiveSizeOption) => String(values[name] ?? { ...form, rtt: form.rttMs }[name]);
  const sizes = Object.fromEntries(
    HISTORY_OPTIONS.map((name) => [name, parseSize(name, textOf(name))] as const),
  ) as Record<(typeof HISTORY_OPTIONS)[number], number>;
  const [rtts = [], minutes = []] = PHASE_OPTIONS.map((name) =>
    textOf(name)
      .split(",")
      .map((text) => parseSize(name, text)),
  );
  if (minutes.length !== 1 && minutes.length !== rtts.length)
    throw new Error(`--minutes is one number, or one for each round trip of --rtt: ${rtts.length}.`);
  const faults = parseFaults(values["faults"]);
  return rtts.map((rttMs, phase) => ({
    ...{ ...sizes, phase, rttMs, minutes: minutes[phase] ?? minutes[0] ?? form.minutes },
    faults: phase === rtts.length - 1 ? faults : [],
  }));
}

function parseIngestRtt(values: Readonly<Record<string, unknown>>, named: BenchArguments["parts"]): number {
  const rtt = values["rtt"];
  return named.includes("ingest") && rtt !== undefined ? parseSize("rtt", String(rtt)) : 0;
}

function parseSize(name: LiveSizeOption, text: string): number {
  const isNumber = (name === "minutes" ? /^\d{1,3}(\.\d)?$/ : /^\d{1,8}$/).test(text);
  if (!isNumber || (Number(text) === 0 && name !== "rtt"))
    throw new Error(`--${name} is a number above 0, not ${text}.`);
  return Number(text);
}

function parseFaults(text: unknown): LiveSize["faults"] {
  if (text === undefined) return [];
  const names = String(text).split(",");
  return names.map((name) => {
    const fault = LIVE_FAULTS.find((known) => known === name);
    if (fault === undefined) throw new Error(`--faults is a list of ${LIVE_FAULTS.join(", ")}, not ${name}.`);
    return fault;
  });
}
