import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { markets } from "../../../src/db/schema.ts";
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

  test.each(["bitcoin ethereum", "bitcoin 2027", "xylophone", "zz", "99", "!!!", "💥"])(
    "%j, of which the title has not every word or one like it, finds nothing",
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

test("a title that is the words comes first, then those that begin with them, then all others, each by volume", async () => {
  const { api, db } = await openFreshApi();
  const within = await aMarket(db, { title: "Will there be a Fed cut?", volumeUsd: "900" });
  const begins = await aMarket(db, { title: "FED cut in May?", volumeUsd: "20" });
  const beginsToo = await aMarket(db, { title: "Fed cut in June?", volumeUsd: "30" });
  const equal = await aMarket(db, { title: "Fed cut", volumeUsd: null });
  expect((await api.walk(`${asked("fed cut")}&limit=1`)).flatMap(idsOf)).toEqual([equal, beginsToo, begins, within].map(mkt));
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
  ])("%j is found by %j", async (title, q) => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title, slug: null });
    for (const other of ["Highest temperature in Seoul", "Ethereum above $4,000?", "Yankees vs. Mets 2029", "Who wins Eurovision?"]) {
      await aMarket(db, { title: other, slug: null });
    }
    expect(idsOf(await api.get(asked(q)))).toEqual([mkt(market)]);
  });

  test("are looked for only when no market has the words, whatever its category and state", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "Lakers win", category: "Basketball" });
    await aMarket(db, { title: "Laker lakes", category: "Politics", closed: true });
    expect((await api.get(`${asked("lakers")}&category=Politics`)).body.data).toEqual([]);
    expect((await api.get(`${asked("lakres")}&category=Politics`)).body.data).toHaveLength(1);
    expect((await api.get(`${asked("lakres")}&status=active`)).body.data).toHaveLength(1);
    expect((await api.get(`${asked("lakres")}&status=closed&category=Basketball`)).body.data).toEqual([]);
  });

  test("find what is most alike first, then the larger volume, each once over the pages", async () => {
    const { api, db } = await openFreshApi();
    const small = await aMarket(db, { title: "Lakers game", volumeUsd: "5" });
    const large = await aMarket(db, { title: "Lakers match", volumeUsd: "7" });
    // Of the seven trigrams of "lakres" (`  l`, ` la`, `lak`, `akr`, `kre`, `res`, `es `) "lakers" has three and "lakre" five.
    const like = await aMarket(db, { title: "Lakre", volumeUsd: "1" });
    const pages = await api.walk(`${asked("lakres")}&limit=1`);
    expect(pages.flatMap(idsOf)).toEqual([like, large, small].map(mkt));
    expect(pages.map(({ body }) => body.has_more)).toEqual([true, true, false]);
  });

  test("do not become others when a market that has them appears during a walk", async () => {
    const { api, db } = await openFreshApi();
    const [first, second] = [
      await aMarket(db, { title: "Lakers one", volumeUsd: "2" }),
      await aMarket(db, { title: "Lakers two", volumeUsd: "1" }),
    ];
    const page = await api.get(`${asked("lakres")}&limit=1`);
    await aMarket(db, { title: "lakres" });
    const next = await api.get(`${asked("lakres")}&limit=1&cursor=${page.body.next_cursor}`);
    expect([page, next].flatMap(idsOf)).toEqual([first, second].map(mkt));
  });

  test("a walk by words stays by words when its last markets are gone", async () => {
    const { api, db } = await openFreshApi();
    await aMarket(db, { title: "Lakers", volumeUsd: "2" });
    const gone = await aMarket(db, { title: "Lakers again", volumeUsd: "1" });
    await aMarket(db, { title: "Lakes and laker", slug: null });
    const page = await api.get(`${asked("lakers")}&limit=1`);
    await db.update(markets).set({ title: null }).where(eq(markets.id, gone.id));
    expect((await api.get(`${asked("lakers")}&limit=1&cursor=${page.body.next_cursor}`)).body).toMatchObject({ data: [], has_more: false });
  });
});

test.each(["lakers", "lakres"])("a walk for %j shows every market that stays once, and none twice, while others come and go", async (q) => {
  const { api, db } = await openFreshApi();
  const seen: string[] = [];
  const kept: Market[] = [];
  const doomed: Market[] = [];
  for (let n = 0; n < 12; n++) {
    const facts = { title: `${n % 3 === 0 ? "Lakers" : "The lakers"} game`, slug: null, volumeUsd: n % 4 === 0 ? null : String(n % 5) };
    kept.push(await aMarket(db, facts));
    doomed.push(await aMarket(db, facts));
  }
  for (let cursor = ""; ;) {
    const { body } = await api.get(`${asked(q)}&limit=3${cursor}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    const gone = doomed.pop();
    if (gone !== undefined) await db.update(markets).set({ title: null }).where(eq(markets.id, gone.id));
    await aMarket(db, { title: "Lakers game", slug: null, volumeUsd: String(seen.length % 6) });
  }
  expect(new Set(seen).size).toBe(seen.length);
  for (const market of kept) expect(seen).toContain(mkt(market));
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
