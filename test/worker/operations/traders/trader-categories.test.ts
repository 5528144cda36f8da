import { beforeAll, expect, test } from "vitest";
import { departures } from "../../../contract/contract.ts";
import { openFreshApi, errorOf, type FreshApi } from "../../../support/api/fresh-api.ts";
import { aProfile } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

let fresh: FreshApi;
let wallet: SeededTrader;

const computedAt = new Date("2026-11-01T00:00:00Z");
const completeAt = new Date("2026-11-01T00:00:00Z");
const few = { wins: 1, decided: 4, win_rate: null, status: "not_enough_data" as const };
const RECORDS = [
  {
    category: "Esports",
    wins: 9,
    decided: 14,
    win_rate: 9 / 14,
    status: "measured" as const,
    games: [{ game: "CS2", series_slug: "counter-strike", ...few }],
  },
  { category: "Politics", ...few, games: [] },
];

beforeAll(async () => {
  fresh = await openFreshApi();
  wallet = await aSeededTrader(fresh.db, { completeAt });
  await aProfile(fresh.db, wallet, { computedAt, profile: { category_records: RECORDS } });
});

const read = async (query = "", ref = wallet.address) => {
  const response = await fresh.api.get(`/api/v1/trader/${ref}/categories${query}`);
  expect(departures("TraderCategoryRecordsResponse", response.body)).toEqual([]);
  return response.body.data;
};

test("category records are as computed, with rates to four decimals and the minimum of decided markets", async () => {
  expect(await read()).toEqual({
    id: `trd_${wallet.id}`,
    address: wallet.address,
    basis: "settled_markets_all_sizes",
    min_decided_for_win_rate: 5,
    computed_at: "2026-11-01T00:00:00.000Z",
    completeness: { status: "complete" },
    records: [
      {
        category: "Esports",
        wins: 9,
        decided: 14,
        win_rate: 0.6428,
        status: "measured",
        games: [{ game: "CS2", series_slug: "counter-strike", ...few }],
      },
      { category: "Politics", ...few },
    ],
  });
});

test("a category filter selects one category by its exact name", async () => {
  expect((await read("?category=Politics")).records).toMatchObject([{ category: "Politics" }]);
});

test.each(["Golf", "CS2", "counter-strike", "politics"])("the category %s matches no record", async (category) => {
  expect(await read(`?category=${category}`)).toMatchObject({ records: [], computed_at: "2026-11-01T00:00:00.000Z" });
});

test.each([
  ["without a settled market", { completeAt }, {}],
  ["with gaps in its history", { completeAt, gaps: ["MIGRATION"] }, { category_records: RECORDS }],
])("a trader %s has no category records and no computed_at", async (_, facts, profile) => {
  const other = await aSeededTrader(fresh.db, facts);
  await aProfile(fresh.db, other, { profile });
  expect(await read("", other.address)).toMatchObject({ records: [], computed_at: null });
});

test("category records of an unknown trader return 404", async () => {
  const response = await fresh.api.get(`/api/v1/trader/0x${"e".repeat(40)}/categories`);
  expect(errorOf(response)).toMatchObject({ status: 404, param: "address" });
});
