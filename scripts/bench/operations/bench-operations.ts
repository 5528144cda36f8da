import { writeFileSync } from "node:fs";
import pg from "pg";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import type { BenchArguments } from "../arguments.ts";
import type { BenchServices } from "../bench-services.ts";
import { bundleFloor, type Bundle } from "../bundles.ts";
import { startReadWorkers } from "../reads/read-workers.ts";
import { loadOperations } from "./load-operations.ts";
import { measureOperation, type Effort, type OperationFigures } from "./measure-operation.ts";
import { BenchClient, summarizeLatencies } from "./measure-requests.ts";
import { missedAims, printHead, printOperation, printSlowest, type Floor } from "./print-operations.ts";
import { readSampleFacts } from "./sample-facts.ts";
import { SAMPLES, type SampleForm } from "./samples.ts";
import { startStatementTap } from "./statement-tap.ts";
import { withoutResponseCaching } from "./uncached-bundle.ts";

/** Few enough that each caller is warm, enough that none meets a limit. */
const CALLERS = 300;

/**
 * The operations that read the activity. Excluded: streams, which never end, and webhooks and watchlists, where
 * most calls change something, and what is retired.
 */
export const MEASURED_OPERATIONS = API_OPERATIONS.filter(
  // Jobs that write files have quotas that a measurement would spend.
  ({ kind, scope, tag }) =>
    kind !== "stream" && kind !== "retired" && scope !== "webhooks" && scope !== "export" && tag !== "Watchlists",
);

const WHOLE: Effort = {
  explained: 4,
  form: { least: 10, requests: 60, ms: 1_000 },
  together: { least: 64, requests: 480, ms: 2_000 },
  cached: { least: 10, requests: 60, ms: 500 },
  pageTurns: 30,
};
const SMALL: Effort = {
  explained: 1,
  form: { least: 2, requests: 5, ms: 300 },
  together: { least: 16, requests: 32, ms: 300 },
  cached: { least: 2, requests: 5, ms: 300 },
  pageTurns: 3,
};

/**
 * Every operation of the registry over a filled database: times of handlers and of cached responses,
 * statements and rows read a request, and late pages beside first ones. Aims: one statement, rows in
 * proportion to the page, a 50th page within 1.2 times the first, p99 of `api;dur` below 250 ms, p50 below 15
 * ms.
 */
export async function benchOperations(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  request: BenchArguments,
): Promise<void> {
  await loadOperations(services.databaseUrl, { trades: request.trades, recordedDir: request.recordedDir }, (line) =>
    console.log(line),
  );
  const floorBundle = await bundleFloor();
  const tap = await startStatementTap(variables["NEON_HTTP_ENDPOINT"] ?? "");
  const uncached = withoutResponseCaching(product);
  const tapped = await startReadWorkers(uncached, floorBundle, { ...variables, NEON_HTTP_ENDPOINT: tap.url });
  const direct = await startReadWorkers(uncached, floorBundle, variables);
  const cached = await startReadWorkers(product, floorBundle, variables);
  const client = new pg.Client({ connectionString: services.databaseUrl });
  await client.connect();
  // Some operations need the largest plan.
  await client.query("update accounts set plan = 'max'");
  try {
    const callers = services.callers.slice(0, CALLERS);
    const clientOf = (origin: string) => new BenchClient(origin, callers);
    const api = { uncached: clientOf(direct.product), cached: clientOf(cached.product) };
    // Warms every caller's credential and creates its objects. The tapped caller changes with each operation.
    for (const target of [api.uncached, api.cached])
      await target.measure([{ path: "/api/v1/me" }], 8, { least: CALLERS, requests: CALLERS, ms: 0 });
    const floor = await measureFloor(clientOf(direct.floor));
    console.log(
      `floor: bare route p50 ${floor.bare.p50.toFixed(2)} ms, with select 1 p50 ${floor.select.p50.toFixed(2)} ms, p99 ${floor.select.p99.toFixed(2)} ms`,
    );
    const facts = await readSampleFacts(client);
    const read = async (path: string) => JSON.parse((await api.uncached.send({ path })).text) as unknown;
    const measured: OperationFigures[] = [];
    printHead();
    for (const [index, operation] of MEASURED_OPERATIONS.entries()) {
      if (request.only !== null && !request.only.test(operation.id)) continue;
      // Holder scans and edge lists are served only while they are fresh.
      await client.query(
        "update holder_scans set fetched_at = now(), requested_at = now() where fetched_at is not null",
      );
      await client.query("update list_generations set built_at = now() where list like 'edge:%'");
      const caller = new BenchClient(tapped.product, callers.slice(index % CALLERS, (index % CALLERS) + 1));
      try {
        await caller.send({ path: "/api/v1/me" });
        const forms: readonly SampleForm[] = (await SAMPLES[operation.id]?.(facts, read)) ?? [];
        const figures = await measureOperation(
          operation,
          forms,
          { ...api, tapped: caller, tap, client },
          request.isSmall ? SMALL : WHOLE,
        );
        printOperation(figures, floor);
        measured.push(figures);
      } catch (error) {
        // One failed operation does not stop the others.
        console.error(`${operation.id} was not measured:`, error);
        process.exitCode = 1;
      }
    }
    printSlowest(measured);
    const missed = missedAims(measured);
    console.log(missed.length === 0 ? "\nall aims are met" : `\nmissed aims:\n  ${missed.join("\n  ")}`);
    if (request.plans !== null) {
      writeFileSync(request.plans, JSON.stringify(measured, null, 1));
      console.log(`plans of the slowest requests of each form: ${request.plans}`);
    }
  } finally {
    await client.end();
    await cached.stop();
    await direct.stop();
    await tapped.stop();
    await tap.stop();
  }
}

async function measureFloor(client: BenchClient): Promise<Floor> {
  const bounds = { least: 100, requests: 300, ms: 5_000 };
  for (const path of ["/bare", "/select"]) await client.measure([{ path }], 1, { least: 30, requests: 30, ms: 0 });
  return {
    bare: summarizeLatencies((await client.measure([{ path: "/bare" }], 1, bounds)).total),
    select: summarizeLatencies((await client.measure([{ path: "/select" }], 1, bounds)).total),
  };
}
