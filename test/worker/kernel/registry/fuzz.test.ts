import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { chunk } from "../../../../src/lib/chunk.ts";
import { DOCUMENT } from "../../../support/kernel/fuzz/document.ts";
import { judgeResponse } from "../../../support/kernel/fuzz/judge-response.ts";
import { openFuzzedApi } from "../../../support/kernel/fuzz/open-fuzzed-api.ts";
import { fuzzedRequestTo, type FuzzedRequest, type KnownValues } from "../../../support/kernel/fuzz/fuzzed-requests.ts";
import type { Kernel } from "../../../support/kernel/open-kernel.ts";

/** Number of requests, spread evenly over the operations of the document. */
const REQUESTS = 22_000;
const AT_ONCE = 50;
/** Least share of successful responses. With fewer, the run would prove nothing about response bodies. */
const LEAST_SERVED = 0.15;
/** Exceptions to LEAST_SERVED: parameters that exclude each other, or that are many, make most combinations invalid. */
const SERVED_SELDOM: Readonly<Record<string, number>> = {
  getWeeklyReportSnapshot: 0.02,
  getTrader: 0.1,
  getEventReplaySince: 0.05,
};
const SHOWN = 5;

// A stream's response has no end, and the endpoint for agents answers in JSON-RPC: test/worker/mcp fuzzes it.
const OTHER_PROTOCOLS = ["getStream", "createMcpJsonRpcResponse"];

const documented = Object.entries(DOCUMENT.paths)
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation, id: operation.operationId })),
  )
  .filter(({ id }) => !OTHER_PROTOCOLS.includes(id));
const seed = inject("seed");

let api: Kernel;
let known: KnownValues;

beforeAll(async () => {
  ({ api, known } = await openFuzzedApi());
});

interface FuzzResult {
  readonly request: FuzzedRequest;
  readonly status: number;
  readonly faults: readonly string[];
}

async function send(request: FuzzedRequest): Promise<FuzzResult> {
  const { target, ...sent } = request;
  const response = await api.send(target, { ...sent, key: null });
  return { request, status: response.status, faults: judgeResponse(request, response) };
}

/**
 * The requests themselves create, change and delete these, so a success is not predictable; other tests cover
 * it.
 */
const isOwnersOnly = (path: string): boolean =>
  /^\/api\/(v1\/webhooks|v1\/watchlists|v1\/keys|keys|oauth\/grants\/|v1\/datasets|v1\/trader\/[^/]+\/export)/.test(
    path,
  );
/** No request of a retired operation succeeds. */
const isRetired = (id: string): boolean => id === "listSportsEdgeSignals";

async function sendAll(requests: readonly FuzzedRequest[]): Promise<FuzzResult[]> {
  const results: FuzzResult[] = [];
  for (const group of chunk(requests, AT_ONCE)) {
    results.push(...(await Promise.all(group.map(send))));
  }
  return results;
}

describe(`with TEST_SEED=${seed}`, () => {
  test.for(documented)(
    "$id returns only documented responses to fuzzed requests",
    { timeout: 240_000 },
    async ({ id, path, method, operation }) => {
      const numRuns = Math.ceil(REQUESTS / documented.length);
      const results = await sendAll(fc.sample(fuzzedRequestTo(path, method, operation, known), { numRuns, seed }));
      expect(results.filter(({ faults }) => faults.length > 0).slice(0, SHOWN)).toEqual([]);
      const least = isOwnersOnly(path) || isRetired(id) ? -1 : numRuns * (SERVED_SELDOM[id] ?? LEAST_SERVED);
      expect(results.filter(({ status }) => status < 400).length).toBeGreaterThan(least);
    },
  );
});
