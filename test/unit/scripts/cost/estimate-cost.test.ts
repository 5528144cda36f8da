import { expect, test } from "vitest";
import { costOfMonth, costPerMillion } from "../../../../scripts/cost/estimate-cost.ts";
import { renderCost } from "../../../../scripts/cost/render-cost.ts";
import {
  BILLED,
  BILLED_NAMES,
  KIND_NAMES,
  type Kind,
  type OperationCounts,
  type RequestCounts,
} from "../../../../scripts/cost/request-counts.ts";

const NOTHING = Object.fromEntries(BILLED_NAMES.map((name) => [name, 0])) as OperationCounts;

const requestCounts = (kinds: Partial<Record<Kind, Partial<OperationCounts>>>): RequestCounts =>
  Object.fromEntries(KIND_NAMES.map((kind) => [kind, { ...NOTHING, ...kinds[kind] }])) as RequestCounts;

/**
 * The requests that the production review counted at cec8728: three rows a request, five Redis commands a public read,
 * six an authenticated one, one more after an uncached read.
 */
const REVIEWED = requestCounts({
  public_read: { worker_requests: 1, redis_commands: 5 },
  cached_read: { worker_requests: 1, object_requests: 1, object_rows_written: 3, redis_commands: 6 },
  uncached_read: { ...authenticated(), redis_commands: 7, postgres_statements: 1 },
  list: { ...authenticated(), redis_commands: 7, postgres_statements: 1 },
  batch: { ...authenticated(), redis_commands: 6, postgres_statements: 1 },
  usage_flush: { object_requests: 1, object_rows_written: 5, postgres_statements: 1 },
});

function authenticated() {
  return { worker_requests: 1, object_requests: 1, object_rows_written: 3 };
}

const lineOf = (title: string, requests: number): number =>
  costOfMonth(REVIEWED, requests, 4).find((line) => line.title === title)?.usd ?? Number.NaN;

test.for([
  // From the review's table, except rows: it counts flushes by active users.
  [BILLED.redis_commands, 100e6, 1_228, 0.04],
  [BILLED.redis_commands, 10_000e6, 122_800, 0.04],
  [BILLED.worker_requests, 100e6, 27, 0.001],
  [BILLED.object_requests, 100e6, 14, 0.1],
  [BILLED.object_requests, 10_000e6, 1_377, 0.1],
  [BILLED.object_rows_written, 100e6, 229, 0.2],
  ["Postgres compute (assumed)", 100e6, 648, 0.001],
] as const)("%s of %i requests costs what the review computed, %i dollars", ([title, requests, usd, tolerance]) => {
  expect(Math.abs(lineOf(title, requests) / usd - 1)).toBeLessThan(tolerance);
});

test("included units cost nothing, and the first one beyond them costs", () => {
  const counts = requestCounts({ public_read: { worker_requests: 1 }, cached_read: { worker_requests: 1 } });
  const costOf = (requests: number) =>
    costOfMonth(counts, requests, 0).find(({ title }) => title === BILLED.worker_requests)?.usd;
  // 65 % of the requests are of these kinds, and 10 million are included.
  expect(costOf(10e6 / 0.65)).toBeCloseTo(0, 9);
  expect(costOf(20e6 / 0.65)).toBeCloseTo(3, 9);
});

test("a million requests of a kind are priced without included units", () => {
  // $0.30 for requests, $0.03 for 1.5 ms of CPU each and $0.006 for log lines.
  expect(costPerMillion({ ...NOTHING, worker_requests: 1 })).toBeCloseTo(0.336, 9);
  // Three operations of $0.40.
  expect(costPerMillion({ ...NOTHING, queue_messages: 1 })).toBeCloseTo(1.2, 9);
  // $0.15, and $0.016 for 10 ms of 128 MB.
  expect(costPerMillion({ ...NOTHING, object_requests: 1 })).toBeCloseTo(0.166, 9);
  // 10 KB each: 10 GB of $0.10.
  expect(costPerMillion({ ...NOTHING, postgres_statements: 1 })).toBeCloseTo(1, 9);
});

test("the page names every kind and only the operations that some kind needs", () => {
  const text = renderCost(REVIEWED);
  const [, head = ""] = /## Operations of one request\n\n(.*)\n/.exec(text) ?? [];
  expect(head).toBe(
    "| Kind | Worker requests | Durable Object requests | Durable Object rows written | Redis commands | Postgres statements over HTTP |",
  );
  expect(text).toContain("| Authenticated read, cached in the isolate | 1 | 1 | 3 | 6 | 0 |");
});
