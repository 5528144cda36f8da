import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { buildRecord } from "../../../../src/ingest/record/build-record.ts";
import { presentKinds } from "../../../../src/operations/record/present-record.ts";
import { listRecord } from "../../../../src/queries/record.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
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

type Sample = Figures | Figures["random"];

/** Whether half the interval is between 1.96 and 2.263 errors: Student's t of infinitely many and of nine degrees. */
function hasMarginOf({ edge }: Sample, rates: SampleRecord["rates"]): boolean {
  if (edge === null || rates === null) return edge === rates;
  const margin = (edge.high - edge.low) / 2;
  return margin > 1.9599 * rates.standardError - 1e-9 && margin < 2.2623 * rates.standardError + 0.02;
}

const near = (value: number, digits: number): unknown => expect.closeTo(value, digits);

const NO_RATES = { hit_rate: null, expected_hit_rate: null, edge: null, profit_per_dollar: null };

function expectSample(actual: Sample, { rates, won, lost, void: voided, pending, late, events }: SampleRecord) {
  expect(actual).toMatchObject({ won, lost, void: voided, pending, late, events });
  expect(actual).toMatchObject(
    rates === null
      ? { ...NO_RATES, rates_reason: "too_few_events" }
      : {
          hit_rate: near(rates.hitRate, 3),
          expected_hit_rate: near(rates.expected, 3),
          profit_per_dollar: near(rates.profitPerDollar, 3),
          edge: { points: near(rates.edgePoints, 1) },
          rates_reason: null,
        },
  );
  expect(hasMarginOf(actual, rates)).toBe(true);
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
