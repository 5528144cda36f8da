import { beforeEach, describe, expect, test } from "vitest";
import { jobHeartbeats, pickRevisions } from "../../../../src/db/schema.ts";
import { aPick, type PickFacts } from "../../../support/seed/picks/picks.ts";
import {
  inMinutes,
  openPickReaders,
  TODAY_PATH,
  type PickReaders,
  type Reader,
} from "../../../support/seed/picks/pick-readers.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

let readers: PickReaders;

beforeEach(async () => {
  readers = await openPickReaders();
});

const pick = (rank: number, facts: Partial<PickFacts> = {}) =>
  aPick(readers.db, { date: readers.today, rank, ...facts });
const slot = (rank: number, kickoffInMinutes: number) =>
  pick(rank, { kickoff: inMinutes(kickoffInMinutes), publishedAt: null });
const dataFor = async (reader: Reader) => (await readers.read(TODAY_PATH, reader)).body.data;
const ranks = (picks: { pick_rank: number }[]) => picks.map(({ pick_rank: rank }) => rank);

describe("access by plan", () => {
  beforeEach(async () => {
    for (const rank of [1, 2, 3, 4, 5, 6, 7]) await pick(rank);
  });

  test.each<[Reader, number[], [number, string][]]>([
    [
      "free",
      [1],
      [
        [2, "insider"],
        [3, "insider"],
        [4, "insider"],
        [5, "insider"],
        [6, "max"],
        [7, "max"],
      ],
    ],
    [
      "lapsed",
      [1],
      [
        [2, "insider"],
        [3, "insider"],
        [4, "insider"],
        [5, "insider"],
        [6, "max"],
        [7, "max"],
      ],
    ],
    [
      "pro",
      [1, 2, 3, 4, 5],
      [
        [6, "max"],
        [7, "max"],
      ],
    ],
    ["max", [1, 2, 3, 4, 5, 6, 7], []],
  ])(
    "an account %s opens the ranks %j of seven, and the others show rank and plan only",
    async (reader, open, locked) => {
      const data = await dataFor(reader);
      expect(ranks(data.picks)).toEqual(open);
      expect(data).toMatchObject({ state: "full", pick_count: open.length });
      expect(data.locked_picks).toEqual(locked.map(([rank, tier]) => ({ pick_rank: rank, required_tier: tier })));
    },
  );

  test("a withdrawn pick disappears for everyone, and the next one in publication order opens for Pro", async () => {
    const [row] = (await dataFor("max")).picks.filter((one: { pick_rank: number }) => one.pick_rank === 3);
    await readers.db
      .insert(pickRevisions)
      .values({ pickId: Number(row.pick_id), withdrawnFor: "operator", recordedAt: new Date() });
    expect(ranks((await dataFor("pro")).picks)).toEqual([1, 2, 4, 5, 6]);
    expect(ranks((await dataFor("max")).picks)).toEqual([1, 2, 4, 5, 6, 7]);
  });
});

test("a settled pick is open to every account, and does not change what else an account opens", async () => {
  for (const rank of [1, 2, 3, 4, 5, 6]) await pick(rank);
  await pick(7, { kickoff: inMinutes(-200), outcomes: ["win"] });
  expect(ranks((await dataFor("free")).picks)).toEqual([1, 7]);
  expect(ranks((await dataFor("pro")).picks)).toEqual([1, 2, 3, 4, 5, 7]);
});

test("picks that the caller does not open give state none, with neither games nor times", async () => {
  const hidden = await pick(2, { label: "Secret side" });
  await slot(1, 600);
  const { status, text, body } = await readers.read(TODAY_PATH, "free");
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    ...{ state: "none", picks: [], pick_count: 0, locked_picks: [{ pick_rank: 2, required_tier: "insider" }] },
    scheduled_picks: [{ pick_rank: 1, is_free_selection: true }],
  });
  for (const secret of [hidden.matchup, "Secret side", hidden.market.conditionId, "9000"])
    expect(text).not.toContain(secret);
});

describe("a day before its first release", () => {
  test("the response names the next release of a pick that the caller opens", async () => {
    await slot(1, 300);
    const earlier = await slot(2, 120);
    const { status, headers, body } = await readers.read(TODAY_PATH, "pro");
    expect({ status, reason: body.error.reason }).toEqual({ status: 404, reason: "pick_not_released" });
    const released = Date.parse(body.error.retry_at);
    expect(Math.abs(released - inMinutes(60).getTime())).toBeLessThan(60_000);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect(earlier.nonce).toBeNull();
  });

  test("a locked game's release is not revealed: the wait is that of an empty day", async () => {
    await slot(2, 120);
    const before = Date.now();
    const locked = await readers.read(TODAY_PATH, "free");
    const empty = await readers.read(`${TODAY_PATH}?date=2099-01-01`, "free");
    for (const { status, headers, body } of [locked, empty]) {
      expect({ status, after: headers.get("retry-after") }).toEqual({ status: 404, after: "900" });
      expect(Date.parse(body.error.retry_at) - before).toBeLessThan(910_000);
    }
    const { retry_at: _locked, ...lockedError } = locked.body.error;
    const { retry_at: _empty, ...emptyError } = empty.body.error;
    expect(lockedError).toEqual(emptyError);
  });

  test("a past day without picks is not found, without advice to retry", async () => {
    const { status, headers, body } = await readers.read(`${TODAY_PATH}?date=2026-01-05`, "max");
    expect({ status, code: body.error.code, reason: body.error.reason, param: body.error.param }).toEqual({
      ...{ status: 404, code: "not_found", reason: undefined, param: "date" },
    });
    expect(headers.get("retry-after")).toBeNull();
  });

  test("before the selection has ever run, it is unknown whether the day has picks", async () => {
    await readers.db.delete(jobHeartbeats);
    const { status, body } = await readers.read(TODAY_PATH, "max");
    expect({ status, reason: body.error.reason }).toEqual({ status: 503, reason: "read_model_warming" });
  });

  test("a day whose picks are all withdrawn has none", async () => {
    await pick(1, { isWithdrawn: true });
    expect((await readers.read(TODAY_PATH, "max")).status).toBe(404);
  });
});

test("slots show their times only: scheduled until the release, then pending their proof", async () => {
  await pick(1);
  await slot(2, 300);
  await slot(3, 30);
  const data = await dataFor("max");
  expect(ranks(data.picks)).toEqual([1]);
  const times = ["kickoff", "release_at"];
  const identity = ["is_free_selection", "pick_id", "pick_rank", "publication_order", "supersedes_pick_id"];
  expect(data.scheduled_picks.map((one: object) => Object.keys(one).toSorted())).toEqual([
    [...identity, ...times].toSorted(),
  ]);
  expect(data.proof_pending_picks.map((one: object) => Object.keys(one).toSorted())).toEqual([
    [...identity, ...times, "retry_at"].toSorted(),
  ]);
  expect(data.next_drop_deadline).toBe(data.scheduled_picks[0].release_at);
  expect(Date.parse(data.proof_pending_picks[0].retry_at) - Date.now()).toBeLessThanOrEqual(30_000);
});

describe("a pick of the day", () => {
  test("has its frozen price and the figures that follow from it", async () => {
    const holder = await aSeededTrader(readers.db, { username: "Known", grade: "F", totals: {} });
    await pick(1, { price: "0.620000", label: "Portugal", matchup: "Portugal vs. Spain", holders: [holder] });
    expect((await dataFor("free")).picks[0]).toMatchObject({
      ...{ backed_price: 0.62, market_pct: 0.62, odds_display: "62.0c", stake_usd: 1000 },
      // 1000 / 0.62 = 1612.9032 and 100 / 0.62 = 161.2903.
      ...{ return_usd: 1612.9, return_per_100: 161.29, payout_display: "$1,612.90", profit_display: "+$612.90" },
      ...{ sharp_usd: 9000, sharp_pct: 0.9, sharp_wallet_count: 1, top_grade: "A", is_locked: false },
      ...{ outcome: "pending", outcome_display: "Pending", clv_status: "pending", game_started: false },
      // The grade at publication, not today's.
      holders: [{ address: holder.address, name: "Known", grade: "A", shares: 1000, entry_value_usd: 620 }],
    });
  });

  test("cents of the price are rounded half away from zero", async () => {
    await pick(1, { price: "0.545500" });
    await pick(2, { price: "0.544499" });
    expect((await dataFor("max")).picks.map((one: { odds_display: string }) => one.odds_display)).toEqual([
      "54.6c",
      "54.4c",
    ]);
  });

  test("after its kickoff it has started, and its closing-line value is measured", async () => {
    const kickoff = inMinutes(-90);
    await pick(1, { kickoff, price: "0.500000", closePrice: "0.530000", outcomes: ["loss"], game: { ended: true } });
    await pick(2, { kickoff, outcomes: ["void"] });
    await pick(3, { kickoff, publishedAt: inMinutes(-89) });
    const [measured, unavailable, late] = (await dataFor("max")).picks;
    expect(measured).toMatchObject({
      ...{ game_started: true, game_ended: true, outcome: "loss", unit_score: -1, unit_score_display: "-1.00u" },
      ...{ clv_status: "measured", clv_pct: 6, clv_display: "+6.0%" },
    });
    expect(unavailable).toMatchObject({ clv_status: "unavailable", outcome: "void", unit_score: 0 });
    expect(unavailable).not.toHaveProperty("clv_pct");
    expect(late).toMatchObject({ clv_status: "not_applicable", outcome: "pending" });
    expect(late).not.toHaveProperty("unit_score");
  });

  test("a corrected result replaces the earlier one", async () => {
    await pick(1, { kickoff: inMinutes(-300), outcomes: ["win", "loss"] });
    expect((await dataFor("free")).picks[0]).toMatchObject({ outcome: "loss", outcome_display: "Loss" });
  });

  test("of a game that is postponed after publication has not started", async () => {
    await pick(1, { kickoff: inMinutes(-10), game: { scheduledAt: inMinutes(120) } });
    expect((await dataFor("free")).picks[0]).toMatchObject({ game_started: false });
  });
});

test("an unchanged response is 304, and plans have different validators", async () => {
  for (const rank of [1, 2]) await pick(rank);
  const first = await readers.read(TODAY_PATH, "pro");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^W\//);
  expect((await readers.read(TODAY_PATH, "pro", { "if-none-match": etag })).status).toBe(304);
  const free = await readers.read(TODAY_PATH, "free", { "if-none-match": etag });
  expect(free.status).toBe(200);
  expect(ranks(free.body.data.picks)).toEqual([1]);
});
