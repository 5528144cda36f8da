import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { measureStream } from "../../../scripts/study/archive/measure-stream.ts";
import { ESTIMATORS, PUBLISHED } from "../../../scripts/study/estimators.ts";
import { measureWalk, type StudyResult } from "../../../scripts/study/measure-walk.ts";
import { readRecordedData } from "../../../scripts/study/recorded-data.ts";
import { simulateYear } from "../../../scripts/study/simulate/simulate-year.ts";
import type { StudyData } from "../../../scripts/study/study-data.ts";
import { walkForward } from "../../../scripts/study/walk-forward.ts";
import { sharedPath } from "../../support/providers/shared-path.ts";
import { toStream } from "../../support/study/to-stream.ts";

const DATA = sharedPath("data/");
const published = ESTIMATORS.filter(({ name }) => name === PUBLISHED);

/** Everything but the figures that a stream leaves out, with floats to nine digits: sums have another order. */
function comparable(result: StudyResult): unknown {
  const estimators = result.estimators.map((one) => ({ ...one, latentCorrelation: null }));
  return JSON.parse(JSON.stringify({ ...result, estimators }), (_, value: unknown) =>
    typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value,
  );
}

/** A stream has no kickoffs and no series. */
const expectEqualWalks = ({ closesAt: _, storyOfMarket: _unused, ...data }: StudyData) =>
  expect(comparable(measureStream(toStream(data)))).toEqual(
    comparable(measureWalk(data, walkForward(data, published))),
  );

test("the streaming walk gives the letters and figures of the walk in memory, over a generated year", () => {
  // A population that shows its skill at this size, so that all letters occur.
  const data = simulateYear(31, { wallets: 1_500, fills: 150_000 }, "misprice-double");
  expectEqualWalks(data);
  const { gradedPurchases, finalLetters } = measureStream(toStream(data));
  expect(gradedPurchases).toBeGreaterThan(10_000);
  expect(finalLetters.filter((count) => count > 0)).toHaveLength(6);
});

test("the two walks agree where bets come after a result, a result has no time, and a payout is unknown", () => {
  const year = simulateYear(32, { wallets: 600, fills: 60_000 });
  const settledAt = year.settledAt.map((at, market) =>
    market % 7 === 0 ? at - 40 * 86_400 : market % 11 === 0 ? Number.POSITIVE_INFINITY : at,
  );
  const payout = year.bets.payout.map((paid, bet) => ((year.bets.market[bet] ?? 0) % 13 === 0 ? Number.NaN : paid));
  const data = { ...year, settledAt, bets: { ...year.bets, payout } };
  const late = [...data.bets.at.keys()].filter(
    (bet) => (settledAt[data.bets.market[bet] ?? 0] ?? 0) <= (data.bets.at[bet] ?? 0),
  );
  expect(late.length).toBeGreaterThan(1_000);
  expectEqualWalks(data);
});

for (const infersResolutions of [false, true])
  test.runIf(existsSync(DATA))(
    `the two walks agree on the recorded trades (resolutions inferred: ${infersResolutions})`,
    async () => {
      const data = await readRecordedData(DATA, infersResolutions);
      expect(data.bets.count).toBeGreaterThan(15_000);
      expectEqualWalks(data);
    },
  );
