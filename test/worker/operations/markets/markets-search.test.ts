import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { markets } from "../../../../src/db/schema.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";

const SEARCH = "/api/v1/markets/search";
const mkt = (market: SeededMarket) => `mkt_${market.id}`;
/** The provider's condition ids of combos begin with 03 and have 31 bytes. */
const COMBO_ID = `0x03${"c".repeat(60)}`;
const searchFor = (q: string) => `${SEARCH}?q=${encodeURIComponent(q)}`;

describe("search words", () => {
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
  ])("the title %j is found by %j", async (title, q) => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title });
    await aMarket(db, { title: "Something else" });
    expect(idsOf(await api.get(searchFor(q)))).toEqual([mkt(market)]);
  });

  test("a market is found by its slug, but not without a title", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title: "Winner?", slug: "nba-finals-2027" });
    await aMarket(db, { title: null, slug: "nba-finals-untitled" });
    expect(idsOf(await api.get(searchFor("finals nba")))).toEqual([mkt(market)]);
  });

  test("a combo is not found by its title, which /combos serves", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title: "Lakers and Celtics win" });
    await aMarket(db, { title: "Lakers and Celtics win", conditionId: COMBO_ID });
    expect(idsOf(await api.get(searchFor("lakers celtics")))).toEqual([mkt(market)]);
  });

  test.each(["bitcoin ethereum", "bitcoin 2027", "xylophone", "zz", "99", "!!!", "💥"])(
    "the search %j, without a match for every word, finds nothing",
    async (q) => {
      const { api, db } = await openFreshApi();
      await aMarket(db, { title: "Will Bitcoin reach $100,000?", slug: null });
      expect((await api.get(searchFor(q))).body).toMatchObject({ data: [], has_more: false });
    },
  );

  test.each(["", "?q=", "?q=%20%20", `?q=${"a".repeat(513)}`, `?q=a${"%20".repeat(512)}`])(
    "the search query %j is refused with param q",
    async (query) => {
      const { api } = await openFreshApi();
      expect(errorOf(await api.get(`${SEARCH}${query}`))).toEqual({
        status: 400,
        reason: "invalid_query",
        param: "q",
      });
    },
  );

  test("a search of 512 characters is accepted", async () => {
    const { api } = await openFreshApi();
    expect((await api.get(`${SEARCH}?q=${"a".repeat(512)}`)).status).toBe(200);
  });
});

test("an equal title comes first, then titles that begin with the words, then others, each by volume", async () => {
  const { api, db } = await openFreshApi();
  const within = await aMarket(db, { title: "Will there be a Fed cut?", volumeUsd: "900" });
  const begins = await aMarket(db, { title: "FED cut in May?", volumeUsd: "20" });
  const beginsToo = await aMarket(db, { title: "Fed cut in June?", volumeUsd: "30" });
  const equal = await aMarket(db, { title: "Fed cut", volumeUsd: null });
  expect((await api.walk(`${searchFor("fed cut")}&limit=1`)).flatMap(idsOf)).toEqual(
    [equal, beginsToo, begins, within].map(mkt),
  );
});

describe("misspelt words", () => {
  test.each([
    ["Will Donald Trump win?", "trmup"],
    ["Will Donald Trump win?", "donld trump"],
    ["Lakers vs. Celtics", "lakres celtcis"],
    ["Presidential election 2028", "presidental electoin"],
    ["Presidential election 2028", "2028 electoin"],
    ["Will Bitcoin reach $100,000?", "bitcion 100"],
    ["Will Bitcoin reach $100,000?", "bit coin"],
    ["Will Bitcoin reach $100,000?", "BITCIONS"],
    ["AT&T deal with Verizon", "a verizom"],
  ])("the title %j is found by the misspelt words %j", async (title, q) => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title, slug: null });
    for (const other of [
      "Highest temperature in Seoul",
      "Ethereum above $4,000?",
      "Yankees vs. Mets 2029",
      "Who wins Eurovision?",
    ]) {
      await aMarket(db, { title: other, slug: null });
    }
    expect(idsOf(await api.get(searchFor(q)))).toEqual([mkt(market)]);
  });

  test("a fuzzy search runs only if no market has the words, whatever its category and status", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "Lakers win", category: "Basketball" });
    await aMarket(db, { title: "Laker lakes", category: "Politics", closed: true });
    expect((await api.get(`${searchFor("lakers")}&category=Politics`)).body.data).toEqual([]);
    expect((await api.get(`${searchFor("lakres")}&category=Politics`)).body.data).toHaveLength(1);
    expect((await api.get(`${searchFor("lakres")}&status=active`)).body.data).toHaveLength(1);
    expect((await api.get(`${searchFor("lakres")}&status=closed&category=Basketball`)).body.data).toEqual([]);
  });

  test("fuzzy matches are ordered by similarity and then volume, each once over the pages", async () => {
    const { api, db } = await openFreshApi();
    const small = await aMarket(db, { title: "Lakers game", volumeUsd: "5" });
    const large = await aMarket(db, { title: "Lakers match", volumeUsd: "7" });
    // Of the seven trigrams of "lakres" (`  l`, ` la`, `lak`, `akr`, `kre`, `res`, `es `), "lakers" shares
    // three and "lakre" five.
    const like = await aMarket(db, { title: "Lakre", volumeUsd: "1" });
    const pages = await api.walk(`${searchFor("lakres")}&limit=1`);
    expect(pages.flatMap(idsOf)).toEqual([like, large, small].map(mkt));
    expect(pages.map(({ body }) => body.has_more)).toEqual([true, true, false]);
  });

  test("a fuzzy walk stays fuzzy when a market with the exact words appears", async () => {
    const { api, db } = await openFreshApi();
    const [first, second] = [
      await aMarket(db, { title: "Lakers one", volumeUsd: "2" }),
      await aMarket(db, { title: "Lakers two", volumeUsd: "1" }),
    ];
    const page = await api.get(`${searchFor("lakres")}&limit=1`);
    await aMarket(db, { title: "lakres" });
    const next = await api.get(`${searchFor("lakres")}&limit=1&cursor=${page.body.next_cursor}`);
    expect([page, next].flatMap(idsOf)).toEqual([first, second].map(mkt));
  });

  test("a walk by exact words does not become fuzzy when its last markets disappear", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "Lakers", volumeUsd: "2" });
    const removed = await aMarket(db, { title: "Lakers again", volumeUsd: "1" });
    await aMarket(db, { title: "Lakes and laker", slug: null });
    const page = await api.get(`${searchFor("lakers")}&limit=1`);
    await db.update(markets).set({ title: null }).where(eq(markets.id, removed.id));
    expect((await api.get(`${searchFor("lakers")}&limit=1&cursor=${page.body.next_cursor}`)).body).toMatchObject({
      data: [],
      has_more: false,
    });
  });
});

test.each(["lakers", "lakres"])(
  "a walk for %j returns every remaining market once while others appear and disappear",
  async (q) => {
    const { api, db } = await openFreshApi();
    const seen: string[] = [];
    const remaining: SeededMarket[] = [];
    const disappearing: SeededMarket[] = [];
    for (let n = 0; n < 12; n++) {
      const facts = {
        title: `${n % 3 === 0 ? "Lakers" : "The lakers"} game`,
        slug: null,
        volumeUsd: n % 4 === 0 ? null : String(n % 5),
      };
      remaining.push(await aMarket(db, facts));
      disappearing.push(await aMarket(db, facts));
    }
    for (let cursor = ""; ;) {
      const { body } = await api.get(`${searchFor(q)}&limit=3${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) break;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
      const removed = disappearing.pop();
      if (removed !== undefined) await db.update(markets).set({ title: null }).where(eq(markets.id, removed.id));
      await aMarket(db, { title: "Lakers game", slug: null, volumeUsd: String(seen.length % 6) });
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const market of remaining) expect(seen).toContain(mkt(market));
  },
);

test("titles that begin with the words come first, then larger volumes, then unknown ones", async () => {
  const { api, db } = await openFreshApi();
  const within = (volumeUsd: string | null) => aMarket(db, { title: "Who wins the election?", volumeUsd });
  const [unknown, small, large, twin] = [
    await within(null),
    await within("0"),
    await within("900"),
    await within("900"),
  ];
  const leading = await aMarket(db, { title: "Election winner", volumeUsd: "1" });
  const pages = await api.walk(`${searchFor("election")}&limit=1`);
  expect(pages.flatMap(idsOf)).toEqual([leading, large, twin, small, unknown].map(mkt));
});

describe("search filters", () => {
  test.each([
    ["", ["category", "closed", "open", "resolved"]],
    ["status=all", ["category", "closed", "open", "resolved"]],
    ["status=active", ["category", "open"]],
    ["status=closed", ["closed", "resolved"]],
    ["category=basketball", ["category"]],
    ["category=NBA", ["category"]],
    ["category=NBA&status=closed", []],
  ])('the filter "%s" selects %j', async (filter, expected) => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "market open" });
    await aMarket(db, { title: "market closed", closed: true });
    await aMarket(db, { title: "market resolved", payoutsPpm: [0, 1_000_000] });
    await aMarket(db, { title: "market category", category: "Basketball" });
    const titles: string[] = (await api.get(`${searchFor("market")}&${filter}`)).body.data.map(
      (row: { title: string }) => row.title,
    );
    expect(titles.toSorted()).toEqual(expected.map((name) => `market ${name}`));
  });

  test("a result is closed when its market is closed or resolved", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "a market", volumeUsd: "3" });
    await aMarket(db, { title: "a market", volumeUsd: "2", closed: true });
    await aMarket(db, { title: "a market", volumeUsd: "1", payoutsPpm: [0, 1_000_000] });
    const { data } = (await api.get(searchFor("a market"))).body;
    expect(data.map((row: { status: string }) => row.status)).toEqual(["active", "closed", "closed"]);
  });

  test("a search cursor is refused for other words", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "one two" });
    await aMarket(db, { title: "one two" });
    const cursor = (await api.get(`${searchFor("one")}&limit=1`)).body.next_cursor;
    expect(errorOf(await api.get(`${searchFor("two")}&cursor=${cursor}`))).toMatchObject({
      status: 400,
      param: "cursor",
    });
  });
});

test("unknown fields of a search result are null", async () => {
  const { api, db } = await openFreshApi();
  const market = await aMarket(db, { title: "Bare", slug: null });
  expect((await api.get(searchFor("bare"))).body.data).toEqual([
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
