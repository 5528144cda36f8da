import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { DOCUMENT } from "../../support/kernel/fuzz/document.ts";
import { judgeAnswer } from "../../support/kernel/fuzz/judge-answer.ts";
import { openFuzzedApi } from "../../support/kernel/fuzz/open-fuzzed-api.ts";
import { requestTo, type FuzzedRequest, type Known } from "../../support/kernel/fuzz/requests.ts";
import type { Kernel } from "../../support/kernel/open-kernel.ts";

/** All together, spread evenly over the operations of the document. */
const REQUESTS = 20_000;
const AT_ONCE = 50;
/** The rest may be refused: with fewer answers than this the requests would prove nothing about bodies. */
const LEAST_SERVED = 0.15;
/** Where parameters exclude each other, most combinations are refused. */
const SERVED_SELDOM: Readonly<Record<string, number>> = { getWeeklyReportSnapshot: 0.02 };
const SHOWN = 5;

// A stream's answer has no end.
const documented = Object.entries(DOCUMENT.paths)
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation, id: operation.operationId })),
  )
  .filter(({ id }) => id !== "getStream");
const seed = inject("fuzzSeed");

let api: Kernel;
let known: Known;

beforeAll(async () => {
  ({ api, known } = await openFuzzedApi());
});

interface Tried {
  readonly request: FuzzedRequest;
  readonly status: number;
  readonly faults: readonly string[];
}

async function send(request: FuzzedRequest): Promise<Tried> {
  const { target, ...sent } = request;
  const answer = await api.send(target, { ...sent, key: null });
  return { request, status: answer.status, faults: judgeAnswer(request, answer) };
}

/** Made, changed and deleted by the very requests, so that what they find cannot be told; their successes have tests of their own. */
const isOwnersOnly = (path: string): boolean => path.startsWith("/api/v1/webhooks");

async function sendAll(requests: readonly FuzzedRequest[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    tried.push(...(await Promise.all(requests.slice(start, start + AT_ONCE).map(send))));
  }
  return tried;
}

describe(`with FUZZ_SEED=${seed}`, () => {
  test.for(documented)(
    "$id answers whatever it is asked as it is documented",
    { timeout: 60_000 },
    async ({ id, path, method, operation }) => {
      const numRuns = Math.ceil(REQUESTS / documented.length);
      const tried = await sendAll(fc.sample(requestTo(path, method, operation, known), { numRuns, seed }));
      expect(tried.filter(({ faults }) => faults.length > 0).slice(0, SHOWN)).toEqual([]);
      const least = isOwnersOnly(path) ? -1 : numRuns * (SERVED_SELDOM[id] ?? LEAST_SERVED);
      expect(tried.filter(({ status }) => status < 400).length).toBeGreaterThan(least);
    },
  );
});
