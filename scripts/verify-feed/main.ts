import pg from "pg";
import { systemClock } from "../../src/lib/timing/clock.ts";
import { ProviderRefused, ProviderUnavailable } from "../../src/platform/provider.ts";
import { ChainNode } from "../../src/providers/polygon/chain-node.ts";
import { argumentsOrExit } from "../arguments-or-exit.ts";
import { findDatabaseUrl, RecomputeError } from "../recompute/arguments.ts";
import { sessionOverTcp } from "../services/postgres/session-over-tcp.ts";
import { findNodeUrl, parseVerifyFeedArguments, USAGE, type VerifyFeedArguments } from "./arguments.ts";
import { presentDifference, presentVerification } from "./present.ts";
import { NotVerifiable, verifyFeed } from "./verify-feed.ts";

const TIMEOUT_MS = 20_000;

/** @returns whether ledger and chain are equal */
async function main({ dataDir, lines, ...settings }: VerifyFeedArguments, url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: findDatabaseUrl(process.env, dataDir) });
  await client.connect().catch((cause: Error) => {
    throw new NotVerifiable(`The database cannot be reached (${cause.message}).`, { cause });
  });
  const node = new ChainNode({
    url,
    fetch: (address, init) => fetch(address, init),
    clock: systemClock,
    random: Math.random,
    timeoutMs: TIMEOUT_MS,
  });
  let printed = 0;
  const print = (line: string) => {
    printed += 1;
    if (printed <= lines) console.log(line);
  };
  try {
    const verification = await verifyFeed(node, sessionOverTcp(client), {
      ...settings,
      onDifference: (difference) => print(presentDifference(difference)),
      onUnreadable: ({ reason }) => print(`unreadable log: ${reason}`),
    });
    for (const line of presentVerification(verification)) console.log(line);
    if (verification.chainFills === 0 && printed === 0) throw new NotVerifiable("These blocks have no fills.");
    return printed === 0;
  } finally {
    await client.end();
  }
}

if (process.argv.includes("--help")) console.log(USAGE);
else {
  const parsed = argumentsOrExit((argv) => {
    const found = parseVerifyFeedArguments(argv);
    return { found, url: findNodeUrl(process.env) };
  }, USAGE);
  try {
    process.exitCode = (await main(parsed.found, parsed.url)) ? 0 : 1;
  } catch (error) {
    const isExpected = [NotVerifiable, ProviderUnavailable, ProviderRefused, RecomputeError].some(
      (kind) => error instanceof kind,
    );
    if (!isExpected) throw error;
    console.error(`Not compared: ${(error as Error).message}`);
    process.exitCode = 2;
  }
}
