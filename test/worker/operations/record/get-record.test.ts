import { describe, expect, inject, test } from "vitest";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { buildRecord } from "../../../../src/ingest/record/build-record.ts";
import { errorOf, openFreshApi } from "../../../support/api/fresh-api.ts";
import { someRecord } from "../../../support/seed/record.ts";
import { aRecordWorld } from "../../../support/seed/record-world.ts";

const RECORD = "/api/v1/record";
const ANONYMOUS = { authorization: "" };

test("the record is being built until its job has run", async () => {
  const { api } = await openFreshApi();
  expect(errorOf(await api.get(RECORD))).toMatchObject({ status: 503, reason: "read_model_warming" });
});

test("the record shows counts, rates with their interval, and the random purchases beside them", async () => {
  const { api, db } = await openFreshApi();
  await someRecord(db);
  const { status, body } = await api.get(`${RECORD}?kind=flag`, ANONYMOUS);
  // Seven of twelve at 0.50. Error sqrt(12 / 11 × 2.91667) / 12 = 14.8648 points, times t(11) = 2.200985.
  const rates = {
    ...{ won: 7, lost: 5, void: 0, pending: 0, late: 0, events: 12, hit_rate: 0.5833, expected_hit_rate: 0.5 },
    edge: { points: 8.33, low: -24.39, high: 41.06 },
    ...{ profit_per_dollar: 0.1666, rates_reason: null },
  };
  const figures = {
    ...{ claims: 12, resolved: 12, unpriced: 0, ...rates },
    random: { drawn: 12, unmatched: 0, ...rates },
    edge_over_random: { points: 0, low: -46.27, high: 46.27 },
  };
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: "record" });
  expect(body.data).toEqual({
    method: "record-1",
    methodology_url: expect.stringMatching(/\/docs\/methodology#the-public-record$/),
    minimum_events: 10,
    changed_at: "2026-11-20T12:00:00.000Z",
    kinds: [{ kind: "flag", total: figures, months: [{ month: "2026-11", ...figures }] }],
  });
});

test("the record without a filter lists every kind, and rates of too few events are null with the reason", async () => {
  const { api, db } = await openFreshApi();
  await someRecord(db);
  const { body } = await api.get(RECORD, ANONYMOUS);
  expect(body.data.kinds.map(({ kind }: { kind: string }) => kind)).toEqual(["flag", "grade", "flow_alert", "pick"]);
  expect(body.data.kinds[3].total).toMatchObject({
    ...{ claims: 1, pending: 1, won: 0, lost: 0, hit_rate: null, expected_hit_rate: null, edge: null },
    ...{ profit_per_dollar: null, rates_reason: "too_few_events", edge_over_random: null },
  });
});

test("an unknown kind is refused", async () => {
  const { api } = await openFreshApi();
  expect(errorOf(await api.get(`${RECORD}?kind=bet`))).toEqual({ status: 400, reason: "invalid_query", param: "kind" });
});

test("an unchanged record has the same ETag, which returns 304", async () => {
  const { api, db } = await openFreshApi();
  await someRecord(db);
  const etag = (await api.get(RECORD)).headers.get("etag") ?? "";
  expect(etag).not.toBe("");
  expect((await api.get(RECORD, { "if-none-match": etag })).status).toBe(304);
});

describe("over a random world", () => {
  /** Every count and sum that is a sum over months. */
  const COUNTS = ["claims", "resolved", "won", "lost", "void", "pending", "late", "unpriced"] as const;
  const DRAWN = ["drawn", "unmatched", "won", "lost", "void", "pending", "late"] as const;

  test("the counts of each total are the sums of its months, and each count is accounted for", async () => {
    const { api, db, openPool } = await openFreshApi();
    const from = new Date("2026-10-29T00:00:00Z");
    const size = { markets: 40, trades: 300, alerts: 40, picks: 8 };
    await aRecordWorld(db, createRandom(inject("seed"), "record", "identities"), size, { from, days: 6 });
    await buildRecord(openPool(), new Date("2026-11-20T12:00:00Z"));
    const { body } = await api.get(RECORD);
    for (const { kind, total, months } of body.data.kinds) {
      const sum = (valueOf: (month: any) => number) =>
        months.reduce((all: number, month: any) => all + valueOf(month), 0);
      expect([kind, COUNTS.map((name) => total[name])]).toEqual([
        kind,
        COUNTS.map((name) => sum((month) => month[name])),
      ]);
      expect([kind, DRAWN.map((name) => total.random[name])]).toEqual([
        kind,
        DRAWN.map((name) => sum(({ random }) => random[name])),
      ]);
      for (const figures of [total, ...months]) {
        const { claims, won, lost, void: voided, pending, late, unpriced, resolved, random } = figures;
        expect([claims, resolved]).toEqual([won + lost + voided + pending + late + unpriced, won + lost + voided]);
        expect(random.drawn + random.unmatched).toBe(claims - late - unpriced);
        expect(random.drawn).toBe(random.won + random.lost + random.void + random.pending + random.late);
      }
      expect(months.map(({ month }: { month: string }) => month)).toEqual(
        months
          .map(({ month }: { month: string }) => month)
          .toSorted()
          .toReversed(),
      );
    }
  });
});
