import { parseArgs } from "node:util";
import { UsageError } from "./exit-codes.ts";

export const USAGE = `activity COMMAND [--base-url URL] [--json]

  login [--key]                  sign in with a browser, or with a key from stdin
  logout
  get                            list the reads
  get OPERATION [NAME=VALUE...]  run a read, by its id or its path; --all reads every page
  tail                           print events until Ctrl-C; --event, --condition-id, --min-grade, --wallet A,B,
                                 --watchlist ID, --min-size filter, --since ID begins after an event,
                                 --checkpoint FILE continues where it ended
  listen --forward-to URL        post events to a receiver on this machine, signed as webhooks; --events, --secret,
                                 --header-prefix, --retry-seconds
  trigger EVENT --to URL         post the example of an event to a receiver on this machine; --secret, --header-prefix
  export trader ADDRESS          [--format json|ndjson|csv|parquet] [--out FILE] [--public-key KEY]
  export dataset --from TIME --to TIME [--condition-id ID] [--min-size USD] [--format ndjson|parquet] [--out FILE]
  verify download FILE STATUS    check a download; also verify row ID, verify pick ID, and what docs/verify.mjs takes;
                                 --public-key KEY is the key that you trust
  mcp                            pass MCP messages between stdio and the API

It takes the key from ACTIVITY_API_KEY or the login, and the URL from --base-url, ACTIVITY_BASE_URL or the last login.
Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 no access, 4 not found, 5 over a limit, 6 not reachable, 130 Ctrl-C.`;

const TEXTS = [
  ...([
    "base-url",
    "event",
    "condition-id",
    "min-grade",
    "wallet",
    "watchlist",
    "min-size",
    "since",
    "checkpoint",
  ] as const),
  ...(["forward-to", "events", "secret", "header-prefix", "retry-seconds", "to", "format", "out", "from"] as const),
  "public-key",
] as const;
const FLAGS = ["json", "all", "key", "help"] as const;

/** The options of each command, without those that all have. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  login: ["key"],
  logout: [],
  get: ["all"],
  tail: ["event", "condition-id", "min-grade", "wallet", "watchlist", "min-size", "since", "checkpoint"],
  listen: [
    ...["forward-to", "events", "secret", "header-prefix", "retry-seconds"],
    ...["condition-id", "min-grade", "wallet", "watchlist", "min-size", "since", "checkpoint"],
  ],
  trigger: ["to", "secret", "header-prefix"],
  export: ["format", "out", "from", "to", "condition-id", "min-size", "public-key"],
  verify: ["public-key"],
  mcp: [],
};
const COMMON = ["base-url", "json", "help"];

export interface Arguments {
  readonly command: string | null;
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** @throws UsageError */
export function parseCliArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = read(argv);
  const [command = null, ...rest] = positionals;
  if (values["help"] === true || command === null) return { command: null, positionals: [], values };
  const allowed = Object.hasOwn(OPTIONS_OF, command) ? OPTIONS_OF[command] : undefined;
  if (allowed === undefined) throw new UsageError(`There is no command ${command}. \`activity --help\` lists them.`);
  const wrong = Object.keys(values).find((name) => ![...allowed, ...COMMON].includes(name));
  if (wrong !== undefined) throw new UsageError(`${command} has no option --${wrong}.`);
  return { command, positionals: rest, values };
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries([
        ...TEXTS.map((name) => [name, { type: "string" as const }] as const),
        ...FLAGS.map((name) => [name, { type: "boolean" as const }] as const),
      ]),
    }) as { values: Record<string, string | boolean | undefined>; positionals: string[] };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
