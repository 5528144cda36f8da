import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { buildRecord } from "../../../../src/ingest/record/build-record.ts";
import { presentKinds } from "../../../../src/operations/record/present-record.ts";
import { listRecord } from "../../../../src/queries/record.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { publicRecord, type Kind, type SampleRecord } from "../../../support/oracles/public-record.ts";
import { aRecordWorld } from "../../../support/seed/record-world.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const KINDS: readonly Kind[] = ["flag", "grade", "flow_alert", "pick"];

let database: TestDatabase;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.openPool();
});

const read = async () => presentKinds(await listRecord(database.db, null), null);
type Figures = Awaited<ReturnType<typeof read>>[number]["total"];

function expectSample(actual: Figures | Figures["random"], expected: SampleRecord) {
  const { won, lost, void: voided, pending, late, events } = expected;
  expect(actual).toMatchObject({ won, lost, void: voided, pending, late, events });
  const { rates } = expected;
  if (rates === null) {
    expect(actual).toMatchObject({
      hit_rate: null,
      edge: null,
      profit_per_dollar: null,
      rates_reason: "too_few_events",
    });
    return;
  }
  expect(actual.rates_reason).toBeNull();
  expect(actual.hit_rate).toBeCloseTo(rates.hitRate, 3);
  expect(actual.expected_hit_rate).toBeCloseTo(rates.expected, 3);
  expect(actual.profit_per_dollar).toBeCloseTo(rates.profitPerDollar, 3);
  expect(Math.abs((actual.edge?.points ?? Number.NaN) - rates.edgePoints)).toBeLessThan(0.006);
  // Between the t values of 9 and of infinitely many degrees of freedom.
  const margin = ((actual.edge?.high ?? Number.NaN) - (actual.edge?.low ?? Number.NaN)) / 2;
  expect(margin).toBeGreaterThan(1.9599 * rates.standardError - 1e-9);
  expect(margin).toBeLessThan(2.2623 * rates.standardError + 0.02);
}

describe("over random worlds", () => {
  test.each([1, 2, 3])("the record equals an independent calculation, world %i", async (world) => {
    const random = createRandom(inject("seed"), "record", world);
    const facts = await aRecordWorld(
      database.db,
      random,
      { markets: 60, trades: 700, alerts: 40, picks: 25 },
      { from: new Date("2026-10-29T00:00:00Z"), days: 6 },
    );
    await buildRecord(pool, NOW);
    const shown = await read();
    for (const kind of KINDS) {
      const entry = shown.find((one) => one.kind === kind);
      const expected = publicRecord(facts, kind);
      expect(entry?.months.map(({ month }) => month)).toEqual(
        [...expected.keys()]
          .filter((key) => key !== "all")
          .toSorted()
          .toReversed(),
      );
      for (const [period, { claim, random: drawn }] of expected) {
        const actual = period === "all" ? entry?.total : entry?.months.find(({ month }) => month === period);
        if (actual === undefined) throw new Error(`no ${kind} of ${period}`);
        expect(actual).toMatchObject({ claims: claim.claims, unpriced: claim.unpriced });
        expect(actual.random).toMatchObject({
          drawn: drawn.claims,
          unmatched: claim.claims - claim.late - claim.unpriced - drawn.claims,
        });
        expectSample(actual, claim);
        expectSample(actual.random, drawn);
      }
    }
    // The worlds are large enough to say something.
    expect(shown.filter(({ total }) => total.random.drawn === 0)).toEqual([]);
    expect(shown.slice(0, 2).filter(({ total }) => total.edge_over_random === null)).toEqual([]);
  });
});
