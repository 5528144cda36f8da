import { describe, expect, test } from "vitest";
import { idsOf, openFreshApi, refusalOf } from "../../support/fresh-api.ts";
import { aMarket, type Market } from "../../support/seed/markets.ts";

const SEARCH = "/api/v1/markets/search";
const mkt = (market: Market) => `mkt_${market.id}`;
const asked = (q: string) => `${SEARCH}?q=${encodeURIComponent(q)}`;

describe("words", () => {
  test.each([
    ["Will Bitcoin reach $100,000?", "bitcoin reach"],
    ["Will Bitcoin reach $100,000?", "reach BITCOIN"],
    ["Will Bitcoin reach $100,000?", "bitco"],
    ["Will Bitcoin reach $100,000?", "100,000"],
    ["Will the U.S. strike?", "U.S."],
    ["Will the U.S. strike?", "U.S. str"],
    ["Deal by 12/31?", "12/31"],
    ["Spread: Lakers (-5.5)", "lakers (-5.5)"],
    ["New-York mayor", "new-yor"],
    ["Trump's plan", "trump's pl"],
    ["AT&T deal", "AT&T"],
  ])("%j is found by %j", async (title, q) => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title });
    await aMarket(db, { title: "Something else" });
    expect(idsOf(await api.get(asked(q)))).toEqual([mkt(market)]);
  });

  test("a market is found by its slug too, unless it has no title to show", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title: "Winner?", slug: "nba-finals-2027" });
    await aMarket(db, { title: null, slug: "nba-finals-untitled" });
    expect(idsOf(await api.get(asked("finals nba")))).toEqual([mkt(market)]);
  });

  test.each(["bitcoin ethereum", "coin", "bit coin", "!!!", "💥"])(
    "%j, which not all words of the title have, finds nothing",
    async (q) => {
      const { api, db } = await openFreshApi();
      await aMarket(db, { title: "Will Bitcoin reach $100,000?", slug: null });
      expect((await api.get(asked(q))).body).toMatchObject({ data: [], has_more: false });
    },
  );

  test.each(["", "?q=", "?q=%20%20", `?q=${"a".repeat(513)}`, `?q=a${"%20".repeat(512)}`])("%j is refused by name", async (query) => {
    const { api } = await openFreshApi();
    expect(refusalOf(await api.get(`${SEARCH}${query}`))).toEqual({ status: 400, reason: "invalid_query", param: "q" });
  });

  test("512 characters are enough and not too many", async () => {
    const { api } = await openFreshApi();
    expect((await api.get(`${SEARCH}?q=${"a".repeat(512)}`)).status).toBe(200);
  });
});

test("titles that begin with the words come first, then the larger volume, the unknown one last, each once over the pages", async () => {
  const { api, db } = await openFreshApi();
  const within = (volumeUsd: string | null) => aMarket(db, { title: "Who wins the election?", volumeUsd });
  const [unknown, small, large, twin] = [await within(null), await within("0"), await within("900"), await within("900")];
  const leading = await aMarket(db, { title: "Election winner", volumeUsd: "1" });
  const pages = await api.walk(`${asked("election")}&limit=1`);
  expect(pages.flatMap(idsOf)).toEqual([leading, large, twin, small, unknown].map(mkt));
});

describe("filters", () => {
  test.each([
    ["", ["category", "closed", "open", "resolved"]],
    ["status=all", ["category", "closed", "open", "resolved"]],
    ["status=active", ["category", "open"]],
    ["status=closed", ["closed", "resolved"]],
    ["category=basketball", ["category"]],
    ["category=NBA", ["category"]],
    ["category=NBA&status=closed", []],
  ])("%j lets through %j", async (filter, expected) => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "market open" });
    await aMarket(db, { title: "market closed", closed: true });
    await aMarket(db, { title: "market resolved", payoutsPpm: [0, 1_000_000] });
    await aMarket(db, { title: "market category", category: "Basketball" });
    const titles: string[] = (await api.get(`${asked("market")}&${filter}`)).body.data.map((row: { title: string }) => row.title);
    expect(titles.toSorted()).toEqual(expected.map((name) => `market ${name}`));
  });

  test("a row says whether trading is over, by either sign of it", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "a market", volumeUsd: "3" });
    await aMarket(db, { title: "a market", volumeUsd: "2", closed: true });
    await aMarket(db, { title: "a market", volumeUsd: "1", payoutsPpm: [0, 1_000_000] });
    const { data } = (await api.get(asked("a market"))).body;
    expect(data.map((row: { status: string }) => row.status)).toEqual(["active", "closed", "closed"]);
  });

  test("a cursor is refused for other words", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "one two" });
    await aMarket(db, { title: "one two" });
    const cursor = (await api.get(`${asked("one")}&limit=1`)).body.next_cursor;
    expect(refusalOf(await api.get(`${asked("two")}&cursor=${cursor}`))).toMatchObject({ status: 400, param: "cursor" });
  });
});

test("what a market does not have is null", async () => {
  const { api, db } = await openFreshApi();
  const market = await aMarket(db, { title: "Bare", slug: null });
  expect((await api.get(asked("bare"))).body.data).toEqual([
    {
      id: mkt(market),
      condition_id: market.conditionId,
      title: "Bare",
      slug: null,
      category: null,
      platform: "polymarket",
      status: "active",
    },
  ]);
});
