import { beforeAll, expect, test } from "vitest";
import { departures } from "../../../contract/contract.ts";
import { openFreshApi, errorOf, type FreshApi } from "../../../support/api/fresh-api.ts";
import { aGradeObservation } from "../../../support/seed/traders/pnl.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

let fresh: FreshApi;
let wallet: SeededTrader;
let observations: { first: number; second: number };

const on = (time: string) => new Date(`2026-11-01T${time}Z`);

/** Grade A computed at ten and published a second later; ungraded at noon in the same way. */
beforeAll(async () => {
  fresh = await openFreshApi();
  wallet = await aSeededTrader(fresh.db, { username: "Graded" });
  const first = await aGradeObservation(fresh.db, wallet, {
    validFrom: on("10:00:00"),
    publishedAt: on("10:00:01"),
    grade: "A",
    score: 65,
  });
  const second = await aGradeObservation(fresh.db, wallet, {
    validFrom: on("12:00:00"),
    publishedAt: on("12:00:01"),
    ungradedReason: "too_few_markets",
  });
  observations = { first, second };
});

const gradeAt = async (time: string, ref = wallet.address) => {
  const response = await fresh.api.get(`/api/v1/trader/${ref}/grade-at?as_of=${encodeURIComponent(time)}`);
  expect(departures("TraderGradeAtResponse", response.body)).toEqual([]);
  return response.body.data;
};

test("between two observations the first one applies, with its bounds", async () => {
  expect(await gradeAt("2026-11-01T11:00:00Z")).toEqual({
    id: `trd_${wallet.id}`,
    address: wallet.address,
    as_of: "2026-11-01T11:00:00.000Z",
    status: "graded",
    grade: "A",
    available_from: "2026-11-01T10:00:01.000Z",
    observation: {
      id: observations.first,
      previous_observation_id: null,
      observed_at: "2026-11-01T10:00:00.000Z",
      published_by: "2026-11-01T10:00:01.000Z",
      model_version: "skill-1",
      model_build_sha: null,
      source_observed_by: "2026-11-01T10:00:00.000Z",
    },
  });
});

test.each([
  ["2026-11-01T09:59:59.999Z", { status: "unknown", grade: null, observation: null }],
  ["2026-11-01T10:00:00.500Z", { status: "unknown", grade: null, observation: null }],
  ["2026-11-01T10:00:01Z", { status: "graded", grade: "A" }],
  ["2026-11-01T12:00:00.500Z", { status: "unknown", grade: null, observation: null }],
  ["2026-11-01T12:00:01Z", { status: "ungraded", grade: null }],
  ["2026-11-01T14:00:01+02:00", { status: "ungraded", grade: null, as_of: "2026-11-01T12:00:01.000Z" }],
])("the grade at %s is the one published by then", async (time, expected) => {
  expect(await gradeAt(time)).toMatchObject({ available_from: "2026-11-01T10:00:01.000Z", ...expected });
});

test("a later observation names the previous one", async () => {
  const { observation } = await gradeAt("2026-11-02T00:00:00Z", "graded");
  expect(observation).toMatchObject({ id: observations.second, previous_observation_id: observations.first });
});

test("a trader that was never graded has status unknown and no available_from", async () => {
  const other = await aSeededTrader(fresh.db);
  expect(await gradeAt("2026-11-01T11:00:00Z", other.address)).toMatchObject({
    status: "unknown",
    available_from: null,
    observation: null,
  });
});

test.each(["", "?as_of=", "?as_of=2026-11-01", `?as_of=${new Date(Date.now() + 3_600_000).toISOString()}`])(
  'the as_of query "%s" is refused',
  async (query) => {
    const response = await fresh.api.get(`/api/v1/trader/${wallet.address}/grade-at${query}`);
    expect(errorOf(response)).toMatchObject({ status: 400, param: "as_of" });
  },
);

test("the grade of an unknown trader returns 404", async () => {
  const response = await fresh.api.get(`/api/v1/trader/0x${"e".repeat(40)}/grade-at?as_of=2026-11-01T11:00:00Z`);
  expect(errorOf(response)).toMatchObject({ status: 404, param: "address" });
});
