import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { consumeBatch } from "../../../../queues/consume-batch.ts";
import { listAges } from "../../../../src/measure-minute.ts";
import { EngineMetrics } from "../../../../src/platform/metrics/engine-metrics.ts";
import { LogMetrics } from "../../../../src/platform/metrics/log-metrics.ts";
import { MEASUREMENTS } from "../../../../src/platform/metrics/metrics.ts";
import { openMetrics } from "../../../../src/platform/metrics/open-metrics.ts";

const REQUEST = { operation: "getTrader", status: "200", cache: "hit", reason: "none", duration_ms: 12 };

/** An Analytics Engine dataset that keeps its points. */
function aDataset() {
  const points: unknown[] = [];
  return { points, dataset: { writeDataPoint: (point?: object) => void points.push(point) } };
}

test("a measurement is one point: its name as index and first blob, labels and numbers in the order of the declaration", () => {
  const { points, dataset } = aDataset();
  const { duration_ms, ...labels } = REQUEST;
  openMetrics({ METRICS: dataset }).write("request", { duration_ms, ...labels });
  expect(points).toEqual([
    { indexes: ["request"], blobs: ["request", "getTrader", "200", "hit", "none"], doubles: [12] },
  ]);
});

test("a dataset that refuses a point does not fail its request", () => {
  const dataset = {
    writeDataPoint: () => {
      throw new Error("too many points");
    },
  };
  expect(() => new EngineMetrics(dataset).write("request", REQUEST)).not.toThrow();
});

test("without Analytics Engine the sums of a minute are one log line, and a quiet minute has none", () => {
  let now = 0;
  const lines: unknown[] = [];
  const log = { info: (_event: string, fields: object = {}) => void lines.push(fields), warn: vi.fn(), error: vi.fn() };
  const metrics = new LogMetrics(log, () => now);
  metrics.write("request", REQUEST);
  metrics.write("request", { ...REQUEST, duration_ms: 20 });
  metrics.write("dead_letter", { queue: "ingest" });
  now = 59_999;
  metrics.write("request", { ...REQUEST, status: "500", duration_ms: 5 });
  expect(lines).toEqual([]);
  now = 60_000;
  metrics.write("dead_letter", { queue: "ingest" });
  const { duration_ms: _duration, ...labels } = REQUEST;
  expect(lines).toEqual([
    {
      sums: [
        { name: "request", ...labels, count: 2, mean_duration_ms: 16, max_duration_ms: 20 },
        { name: "dead_letter", queue: "ingest", count: 1 },
        { name: "request", ...labels, status: "500", count: 1, mean_duration_ms: 5, max_duration_ms: 5 },
      ],
    },
  ]);
});

test("queue messages are measured with their age, and dead letters by their queue", async () => {
  const { points, dataset } = aDataset();
  const spy = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
  const letter = { id: "m1", body: {}, timestamp: new Date(Date.now() - 5_000), attempts: 9, ack: vi.fn() };
  const send = (queue: string) =>
    consumeBatch(
      { queue, messages: [letter], ackAll: vi.fn(), retryAll: vi.fn() } as never,
      { METRICS: dataset } as never,
    );
  await send("activity-staging-webhooks-dead");
  await send("activity-staging-webhooks");
  expect(points).toEqual([
    { indexes: ["dead_letter"], blobs: ["dead_letter", "webhooks"], doubles: [] },
    { indexes: ["message"], blobs: ["message", "webhooks"], doubles: [expect.any(Number), 9] },
  ]);
  const [age = 0] = (points[1] as { doubles: number[] }).doubles;
  expect(age).toBeGreaterThanOrEqual(5_000);
  await expect(send("another")).rejects.toThrow("the queue another has no consumer");
});

test("the measured ages are of jobs that have succeeded and of the outbox, each with the age that health allows", () => {
  const expected = [
    { name: "read_trades", intervalSeconds: 60 },
    { name: "build_flows", intervalSeconds: 600 },
    { name: "never", intervalSeconds: 60 },
  ];
  const heartbeats = [
    { job: "read_trades", succeededAtMs: 90_000 },
    { job: "build_flows", succeededAtMs: 100_001 },
    { job: "never", succeededAtMs: null },
    { job: "of an older release", succeededAtMs: 1 },
  ];
  const jobs = [
    { of: "read_trades", age_ms: 10_000, allowed_ms: 180_000 },
    { of: "build_flows", age_ms: 0, allowed_ms: 1_800_000 },
  ];
  const outbox = (age_ms: number) => ({ of: "webhook_outbox", age_ms, allowed_ms: 60_000 });
  const at = (epoch: number | null, pendingSinceMs: number | null) =>
    listAges(expected, { epoch, pendingSinceMs, heartbeats }, 100_000);
  expect(at(1, 93_000)).toEqual([...jobs, outbox(7_000)]);
  expect(at(1, null)).toEqual([...jobs, outbox(0)]);
  // Without an epoch nothing can be enqueued, so no age of it is known.
  expect(at(null, null)).toEqual(jobs);
});

test("the runbook has every measurement with its columns, and asks for nothing else", () => {
  const text = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \| (?:for|each) /gm)];
  const named = (cell: string) => [...cell.replaceAll(/ \(.*?\)/g, "").matchAll(/\w+/g)].map(([word]) => word);
  expect(
    Object.fromEntries(rows.map(([, name = "", labels = "", numbers = ""]) => [name, [named(labels), named(numbers)]])),
  ).toEqual(
    Object.fromEntries(Object.entries(MEASUREMENTS).map(([name, { labels, numbers }]) => [name, [labels, numbers]])),
  );
  const queried = [...text.matchAll(/blob1 = '(\w+)'/g)].map(([, name]) => name);
  expect(queried.length).toBeGreaterThan(5);
  expect(queried.filter((name) => !Object.hasOwn(MEASUREMENTS, name ?? ""))).toEqual([]);
  const alerts = [...text.matchAll(/^## Alert: .*\n\nRule: /gm)];
  expect(alerts).toHaveLength(text.match(/^## Alert: /gm)?.length ?? 0);
});
