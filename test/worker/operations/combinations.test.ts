import { beforeEach, expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { FLOW_WINDOWS } from "../../../src/domain/flow-windows.ts";
import { holderScans } from "../../../src/db/schema.ts";
import { takeDueHolderScans } from "../../../src/ingest/holders/due-scans.ts";
import { buildExplore } from "../../../src/ingest/read-models/explore/build-explore.ts";
import { buildFlows } from "../../../src/ingest/signals/build-flows.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { openFreshApi, refusalOf, type FreshApi } from "../../support/fresh-api.ts";
import { requestTo } from "../../support/registry/requests.ts";
import { aTakenTrade } from "../../support/seed/fills.ts";
import { theTradeFeedWasRead } from "../../support/seed/large-trades.ts";
import { aMarket, anEvent, type Market } from "../../support/seed/markets.ts";
import { aWallet } from "../../support/seed/wallets.ts";

/** As the provider's second protocol has it: 31 bytes, the first of which says combination. */
const COMBINATION = `0x03${"7".repeat(60)}`;
/** Ordinary ids that begin alike: one of the first protocol, and a neg-risk one of the second. */
const LIKE_IT = [`0x03${"7".repeat(62)}`, `0x02${"7".repeat(60)}`] as const;

const MARKET_LISTS = OPERATIONS.filter(({ kind, path }) => kind === "list" && path.startsWith("/api/v1/markets/"));

let fresh: FreshApi;
let combination: Market;
let others: Market[];

beforeEach(async () => {
  fresh = await openFreshApi();
  const { db } = fresh;
  const facts = { volumeUsd: "10", category: "Weather", title: "Rain in Paris AND Rain in Rome" };
  const eventId = await anEvent(db);
  combination = await aMarket(db, { ...facts, conditionId: COMBINATION });
  await aMarket(db, { ...facts, conditionId: `0x03${"8".repeat(60)}`, eventId, volumeUsd: "99" });
  others = [await aMarket(db, { ...facts, conditionId: LIKE_IT[0] }), await aMarket(db, { ...facts, conditionId: LIKE_IT[1], eventId })];
  const wallet = await aWallet(db, { grade: "S" });
  for (const market of [combination, ...others]) {
    await aTakenTrade(db, { wallet, market, shares: 50_000, at: new Date(Date.now() - 60_000).toISOString() });
  }
  await theTradeFeedWasRead(db, new Date());
  await inTransaction(fresh.openPool(), async (session) => {
    await buildExplore(session);
    for (const window of FLOW_WINDOWS) await buildFlows(session, window);
  });
});

test("there are lists of markets", () => {
  const ids = ["exploreMarkets", "listSharpMoneyFlows", "searchMarkets"];
  expect(MARKET_LISTS.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

test.each(MARKET_LISTS)("$id names ordinary markets and no combination", async (operation) => {
  const words = (name: string) => (name === "q" ? "rain" : undefined);
  const { body } = await fresh.api.get(requestTo(operation, words, () => undefined).path);
  const named = (JSON.stringify(body).match(/"condition_id":"0x[0-9a-f]+"/g) ?? []).map((text) => text.slice(16, -1));
  expect(named.toSorted()).toEqual(others.map(({ conditionId }) => conditionId).toSorted());
});

test("exploration counts no combination", async () => {
  const { body } = await fresh.api.get("/api/v1/markets/explore");
  expect(body.total).toBe(2);
  expect(body.facets).toEqual({
    categories: [{ value: "Weather", label: "Weather", count: 2 }],
    platforms: [{ value: "polymarket", label: "Polymarket", count: 2 }],
  });
});

test("misspelt words find no combination either", async () => {
  const { body } = await fresh.api.get("/api/v1/markets/search?q=pariss");
  expect(body.data.map((row: { condition_id: string }) => row.condition_id).toSorted()).toEqual(LIKE_IT.toSorted());
});

test("holders of a combination are 404 at once, and nobody scans for them", async () => {
  const { api, db, openPool } = fresh;
  const answer = await api.get(`/api/v1/market/${COMBINATION}/holders`);
  expect(refusalOf(answer)).toMatchObject({ status: 404, param: "condition_id" });
  expect(await db.select().from(holderScans)).toEqual([]);
  const scans = await takeDueHolderScans(openPool());
  // Graded wallets trade all three heavily.
  expect(scans.flatMap((message) => ("market_ids" in message ? message.market_ids : [])).toSorted()).toEqual(
    others.map(({ id }) => id).toSorted(),
  );
});

test("what is known of a combination is still read by its id: its title, and its large trades as flow", async () => {
  const snapshot = await fresh.api.get(`/api/v1/market/${COMBINATION}/snapshot`);
  expect(snapshot.body.data.market).toMatchObject({ condition_id: COMBINATION, title: "Rain in Paris AND Rain in Rome" });
  const flow = await fresh.api.get(`/api/v1/market/${COMBINATION}/flow?timeframe=24h`);
  expect(flow.status).toBe(200);
  expect(JSON.stringify(flow.body.data)).toContain("trade_count");
});
