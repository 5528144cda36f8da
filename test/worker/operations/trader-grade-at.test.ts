import { beforeAll, expect, test } from "vitest";
import { departures } from "../../contract/contract.ts";
import { openFreshApi, refusalOf, type FreshApi } from "../../support/fresh-api.ts";
import { aGradeObservation } from "../../support/seed/pnl.ts";
import { aWallet, type Wallet } from "../../support/seed/wallets.ts";

let fresh: FreshApi;
let wallet: Wallet;
let observations: { first: number; second: number };

const on = (time: string) => new Date(`2026-11-01T${time}Z`);

/** An A published a second after it was computed at ten, and that it has no grade any more, in the same way, at noon. */
beforeAll(async () => {
  fresh = await openFreshApi();
  wallet = await aWallet(fresh.db, { username: "Graded" });
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
  const answer = await fresh.api.get(`/api/v1/trader/${ref}/grade-at?as_of=${encodeURIComponent(time)}`);
  expect(departures("TraderGradeAtResponse", answer.body)).toEqual([]);
  return answer.body.data;
};

test("between two observations the first holds, with its bounds", async () => {
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
])("at %s", async (time, expected) => {
  expect(await gradeAt(time)).toMatchObject({ available_from: "2026-11-01T10:00:01.000Z", ...expected });
});

test("a later observation names the one before it", async () => {
  const { observation } = await gradeAt("2026-11-02T00:00:00Z", "graded");
  expect(observation).toMatchObject({ id: observations.second, previous_observation_id: observations.first });
});

test("a wallet that was never graded has been unknown all along", async () => {
  const other = await aWallet(fresh.db);
  expect(await gradeAt("2026-11-01T11:00:00Z", other.address)).toMatchObject({
    status: "unknown",
    available_from: null,
    observation: null,
  });
});

test.each(["", "?as_of=", "?as_of=2026-11-01", `?as_of=${new Date(Date.now() + 3_600_000).toISOString()}`])(
  "%j is refused",
  async (query) => {
    const answer = await fresh.api.get(`/api/v1/trader/${wallet.address}/grade-at${query}`);
    expect(refusalOf(answer)).toMatchObject({ status: 400, param: "as_of" });
  },
);

test("a wallet that we have not seen is unknown", async () => {
  const answer = await fresh.api.get(`/api/v1/trader/0x${"e".repeat(40)}/grade-at?as_of=2026-11-01T11:00:00Z`);
  expect(refusalOf(answer)).toMatchObject({ status: 404, param: "address" });
});
