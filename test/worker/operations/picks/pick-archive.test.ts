import { describe, expect, test } from "vitest";
import { aPick } from "../../../support/seed/picks/picks.ts";
import { inMinutes, openPickReaders, TODAY_PATH } from "../../../support/seed/picks/pick-readers.ts";

const ARCHIVE = `${TODAY_PATH}/archive`;
const at = (text: string) => new Date(text);

/** Two past days: two wins and a loss, then a void pick and a withdrawn one; and a pending pick of today. */
async function anArchive() {
  const readers = await openPickReaders();
  const { db, today } = readers;
  const first = { date: "2026-10-01", kickoff: at("2026-10-01T20:00:00Z") };
  const second = { date: "2026-10-02", kickoff: at("2026-10-02T20:00:00Z") };
  await aPick(db, { ...first, rank: 1, price: "0.500000", outcomes: ["win"], closePrice: "0.550000" });
  await aPick(db, { ...first, rank: 2, price: "0.800000", outcomes: ["loss"], closePrice: "0.800000" });
  await aPick(db, { ...first, rank: 3, price: "0.400000", outcomes: ["loss", "win"] });
  await aPick(db, { ...second, rank: 1, outcomes: ["void"] });
  await aPick(db, { ...second, rank: 2, outcomes: ["win"], isWithdrawn: true });
  const pending = await aPick(db, { date: today, rank: 2 });
  await aPick(db, { date: today, rank: 1, kickoff: inMinutes(400), publishedAt: null });
  return { ...readers, pending };
}

describe("the archive of picks", () => {
  test("has the record of published picks that are not withdrawn", async () => {
    const { read } = await anArchive();
    const { hit_rate: record } = (await read(ARCHIVE, "max")).body.data;
    expect(record).toMatchObject({
      ...{ wins: 2, losses: 1, decided: 3, pct: 66.6, void: 1, pending: 1, stake_usd: 1000 },
      // Won 1000 / 0.5 - 1000 and 1000 / 0.4 - 1000, lost 1000: 1500 of 3000.
      ...{ net_profit_usd: 1500, staked_usd: 3000, roi_pct: 50, unit_score: 1.5 },
      ...{ net_profit_display: "+$1,500", roi_display: "+50.0%", win_rate_display: "66.6%" },
      ...{ clv_state: "measured", clv_total: 4, clv_measured: 2, clv_unavailable: 2, clv_beats_close: 1, clv_ties: 1 },
      ...{ clv_coverage_pct: 50, clv_not_applicable: 0, clv_pending: 0 },
    });
    expect(record).not.toHaveProperty("clv_avg_pct");
    expect(record.series).toEqual([
      { date: "2026-10-01", net_profit_usd: 1000, hit_rate_pct: 100 },
      { date: "2026-10-01", net_profit_usd: 0, hit_rate_pct: 50 },
      { date: "2026-10-01", net_profit_usd: 1500, hit_rate_pct: 66.6 },
    ]);
    expect(record.series.at(-1)).toMatchObject({
      ...{ net_profit_usd: record.net_profit_usd, hit_rate_pct: record.pct },
    });
  });

  test("lists days newest first, with the results of each", async () => {
    const { read, today } = await anArchive();
    expect((await read(ARCHIVE, "max")).body.data.days).toEqual([
      { date: today, picks: 1, wins: 0, losses: 0, void: 0, pending: 1 },
      { date: "2026-10-02", picks: 1, wins: 0, losses: 0, void: 1, pending: 0 },
      {
        ...{ date: "2026-10-01", picks: 3, wins: 2, losses: 1, void: 0, pending: 0 },
        ...{ unit_score: 1.5, unit_score_display: "+1.50u" },
      },
    ]);
  });

  test("pages through the picks, newest day first, and repeats the record on every page", async () => {
    const { read, today } = await anArchive();
    const first = (await read(`${ARCHIVE}?limit=3`, "max")).body;
    const second = (await read(`${ARCHIVE}?limit=3&cursor=${encodeURIComponent(first.next_cursor)}`, "max")).body;
    const places = [first, second].flatMap(({ data }) =>
      data.picks.map((one: { pick_date: string; pick_rank: number }) => [one.pick_date, one.pick_rank]),
    );
    expect(places).toEqual([
      [today, 2],
      ["2026-10-02", 1],
      ["2026-10-01", 1],
      ["2026-10-01", 2],
      ["2026-10-01", 3],
    ]);
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, undefined]);
    expect(second.data.hit_rate).toEqual(first.data.hit_rate);
    expect((await read(`${ARCHIVE}?cursor=pda_x.y`, "max")).status).toBe(400);
  });

  test("shows of a pending pick that the caller does not open only its place", async () => {
    const { read, today, pending } = await anArchive();
    const [locked] = (await read(ARCHIVE, "free")).body.data.picks;
    expect(locked).toEqual({
      ...{ pick_date: today, pick_rank: 2, pick_id: String(pending.id), publication_order: 2, outcome: "pending" },
      ...{ outcome_display: "Pending", is_free_selection: false, supersedes_pick_id: null },
      ...{ required_tier: "insider", backed_side_locked: true },
    });
    const [open] = (await read(ARCHIVE, "pro")).body.data.picks;
    expect(open).toMatchObject({ matchup: pending.matchup, required_tier: "insider", clv_status: "pending" });
    expect(open).not.toHaveProperty("backed_side_locked");
  });

  test("a settled pick has its result, its return and its closing price", async () => {
    const { read } = await anArchive();
    const [won, lost] = (await read(`${ARCHIVE}?limit=5`, "free")).body.data.picks.slice(2);
    expect(won).toMatchObject({
      ...{ outcome: "win", return_usd: 2000, return_per_100: 200, payout_display: "$2,000.00", backed_price: 0.5 },
      ...{ clv_pct: 10, clv_entry_price: 0.5, clv_close_price: 0.55, unit_score_display: "+1.00u" },
      ...{ resolved_at: "2026-10-01T23:00:00.000Z" },
    });
    expect(lost).toMatchObject({ outcome: "loss", return_usd: 0, clv_pct: 0, clv_display: "0.0%", unit_score: -1 });
  });

  test("has an empty record without any pick", async () => {
    const { read } = await openPickReaders();
    const { data } = (await read(ARCHIVE, "free")).body;
    expect(data).toMatchObject({
      picks: [],
      days: [],
      hit_rate: { pct: 0, decided: 0, clv_state: "none", series: [] },
    });
    expect(data.hit_rate).not.toHaveProperty("unit_score");
  });
});
