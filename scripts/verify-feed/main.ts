import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { RowIdCache } from "../../src/ingest/feeds/row-id-cache.ts";
import type { RecordFillsSettings } from "../../src/ingest/chain/record-fills.ts";
import { systemClock } from "../../src/lib/timing/clock.ts";
import { ProviderRefused, ProviderUnavailable } from "../../src/platform/provider.ts";
import { openChain } from "../../src/providers/polygon/open-chain.ts";
import { createPolymarketProvider, type PolymarketSettings } from "../../src/providers/polymarket/client.ts";
import { argumentsOrExit } from "../arguments-or-exit.ts";
import { findDatabaseUrl, RecomputeError } from "../recompute/arguments.ts";
import { findNodeUrl, parseVerifyFeedArguments, USAGE, type VerifyFeedArguments } from "./arguments.ts";
import { presentDifference, presentUnrecorded, presentVerification } from "./present.ts";
import { NotVerifiable, verifyFeed } from "./verify-feed.ts";

const TIMEOUT_MS = 20_000;

/** Prints the first lines and counts all. */
class LimitedPrinter {
  readonly #lines: number;
  count = 0;

  constructor(lines: number) {
    this.#lines = lines;
  }

  print(line: string): void {
    this.count += 1;
    if (this.count <= this.#lines) console.log(line);
  }
}

/** @returns whether ledger and chain are equal */
async function main({ dataDir, lines, record, ...settings }: VerifyFeedArguments, url: string): Promise<boolean> {
  const client = new pg.Pool({ connectionString: findDatabaseUrl(process.env, dataDir), max: 1 });
  // The pool replaces a session that dies while idle.
  client.on("error", () => undefined);
  await client.query("select").catch((cause: Error) => {
    throw new NotVerifiable(`The database cannot be reached (${cause.message}).`, { cause });
  });
  const http = {
    fetch: (address: string, init: RequestInit) => fetch(address, init),
    clock: systemClock,
    random: Math.random,
    timeoutMs: TIMEOUT_MS,
  };
  const differences = new LimitedPrinter(lines);
  const unrecorded = new LimitedPrinter(lines);
  try {
    // Over TCP instead of a WebSocket. The statements of ingest run with the same results over both.
    const verification = await verifyFeed(openChain({ url, ...http, ...settings }), client as unknown as Pool, {
      ...settings,
      record: record === null ? null : openRecording(record, http),
      onDifference: (difference) => differences.print(presentDifference(difference)),
      onUnreadable: ({ reason }) => differences.print(`unreadable log: ${reason}`),
      onUnrecorded: (fill) => unrecorded.print(presentUnrecorded(fill)),
    });
    for (const line of presentVerification(verification)) console.log(line);
    if (verification.chainFills === 0 && differences.count === 0)
      throw new NotVerifiable("These blocks have no fills.");
    return differences.count === 0;
  } finally {
    await client.end();
  }
}

function openRecording(
  { largeTradeMinUsd, gammaUrl }: NonNullable<VerifyFeedArguments["record"]>,
  http: Omit<PolymarketSettings, "config" | "budget">,
): RecordFillsSettings {
  // Only markets are read, so the other services have no address.
  const config = gammaUrl === null ? null : { gammaUrl, dataUrl: "", clobUrl: "" };
  return {
    largeTradeMinUsd,
    provider: config === null ? null : createPolymarketProvider({ config, ...http }),
    rowIds: new RowIdCache(),
    now: Date.now,
  };
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
