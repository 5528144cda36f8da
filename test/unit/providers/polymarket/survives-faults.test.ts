import { expect, test } from "vitest";
import type { Fault } from "../../../../scripts/provider/index.ts";
import { aReplay, trades } from "../../scripts/provider/provider-recordings.ts";
import { providerAt, walk } from "./provider-at-endpoint.ts";

const files = { "t.ndjson": trades(6) };
const PATH = "/data/v2/trades";

/** Faults of a real connection, and an error status. */
const TRANSIENT: readonly Fault[] = [
  { path: PATH, kind: "garbage" },
  { path: PATH, kind: "truncated_json" },
  { path: PATH, kind: "cut" },
  { path: PATH, kind: "closed" },
  { path: PATH, kind: "status", status: 503, retryAfterSeconds: 1 },
];

test.each(TRANSIENT)("a transient fault of the kind $kind only costs another attempt", async (fault) => {
  const endpoint = await aReplay(files);
  const { provider, waits } = providerAt(endpoint);
  const expected = await provider.listTrades("takers", null);
  expect(expected.rows).toHaveLength(6);
  endpoint.setFaults([fault]);
  expect(await provider.listTrades("takers", null)).toEqual(expected);
  expect(waits.filter((ms) => ms > 0).length).toBeGreaterThan(0);
});

test("invalid records are returned in full beside the page's valid ones", async () => {
  const endpoint = await aReplay(files);
  const { provider } = providerAt(endpoint);
  const valid = await provider.listTrades("takers", null);
  endpoint.setFaults([{ path: PATH, kind: "malformed_records", records: 5 }]);
  const page = await provider.listTrades("takers", null);
  expect(page.rows).toEqual(valid.rows);
  expect(page.quarantined).toHaveLength(5);
  expect(page.quarantined.map(({ record }) => record)).toEqual(expect.arrayContaining([null, { unexpected: true }]));
});

/** More than one full page of the adapter. */
const MANY = 1200;
const seconds = (rows: readonly { tradedAt: Date }[]) =>
  rows.map((row) => row.tradedAt.getTime() / 1000 - 1_760_000_000);
const newestFirst = Array.from({ length: MANY }, (_, index) => MANY - index);

test("short pages lose nothing", async () => {
  const { provider } = providerAt(await aReplay({ "t.ndjson": trades(MANY) }, [{ path: PATH, kind: "short_page" }]));
  const first = await provider.listTrades("takers", null);
  expect(first.rows.length).toBeLessThan(1000);
  const others = await walk((cursor) => provider.listTrades("takers", cursor ?? first.nextCursor));
  expect(seconds([...first.rows, ...others.rows])).toEqual(newestFirst);
});

test("a page whose cursor leads to itself is requested again instead of followed in a circle", async () => {
  const endpoint = await aReplay({ "t.ndjson": trades(MANY) });
  const { provider, waits } = providerAt(endpoint);
  const first = await provider.listTrades("takers", null);
  endpoint.setFaults([{ path: PATH, kind: "repeated_page" }]);
  const second = await provider.listTrades("takers", first.nextCursor);
  expect(waits).toHaveLength(1);
  expect(seconds([...first.rows, ...second.rows])).toEqual(newestFirst);
  expect(second.nextCursor).toBeNull();
});
