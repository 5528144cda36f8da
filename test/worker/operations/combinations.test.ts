import { beforeEach, expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { FLOW_WINDOWS } from "../../../src/domain/markets/flow-windows.ts";
import { holderScans } from "../../../src/db/schema.ts";
import { claimDueHolderScans } from "../../../src/ingest/holders/due-scans.ts";
import { buildExplore } from "../../../src/ingest/read-models/explore/build-explore.ts";
import { buildFlows } from "../../../src/ingest/signals/build-flows.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { openFreshApi, errorOf, type FreshApi } from "../../support/api/fresh-api.ts";
import { registryRequestTo } from "../../support/registry/registry-requests.ts";
import { aTakerTrade } from "../../support/seed/fills.ts";
import { theTradeFeedWasRead } from "../../support/seed/large-trades.ts";
import { aMarket, anEvent, type SeededMarket } from "../../support/seed/markets.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";

/** In the form of the provider's second protocol: 31 bytes, of which the first marks a combination. */
const COMBINATION = `0x03${"7".repeat(60)}`;
/** Ordinary ids with the same prefix: one of the first protocol, and a neg-risk one of the second. */
const ORDINARY_IDS = [`0x03${"7".repeat(62)}`, `0x02${"7".repeat(60)}`] as const;

const MARKET_LISTS = OPERATIONS.filter(({ kind, path }) => kind === "list" && path.startsWith("/api/v1/markets/"));

let fresh: FreshApi;
let combination: SeededMarket;
let ordinary: SeededMarket[];

beforeEach(async () => {
  fresh = await openFreshApi();
  const { db } = fresh;
  const facts = { volumeUsd: "10", category: "Weather", title: "Rain in Paris AND Rain in Rome" };
  const eventId = await anEvent(db);
  combination = await aMarket(db, { ...facts, conditionId: COMBINATION });
  await aMarket(db, { ...facts, conditionId: `0x03${"8".repeat(60)}`, eventId, volumeUsd: "99" });
  ordinary = [
    await aMarket(db, { ...facts, conditionId: ORDINARY_IDS[0] }),
    await aMarket(db, { ...facts, conditionId: ORDINARY_IDS[1], eventId }),
  ];
  const wallet = await aSeededTrader(db, { grade: "S" });
  for (const market of [combination, ...ordinary]) {
    await aTakerTrade(db, { trader: wallet, market, shares: 50_000, at: new Date(Date.now() - 60_000).toISOString() });
  }
  await theTradeFeedWasRead(db, new Date());
  await inTransaction(fresh.openPool(), async (session) => {
    await buildExplore(session);
    for (const window of FLOW_WINDOWS) await buildFlows(session, window);
  });
});

test("the market lists include explore, flows and search", () => {
  const ids = ["exploreMarkets", "listSharpMoneyFlows", "searchMarkets"];
  expect(MARKET_LISTS.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

test.each(MARKET_LISTS)("$id lists ordinary markets and no combination", async (operation) => {
  const words = (name: string) => (name === "q" ? "rain" : undefined);
  const { body } = await fresh.api.get(registryRequestTo(operation, words, () => undefined).path);
  const named = (JSON.stringify(body).match(/"condition_id":"0x[0-9a-f]+"/g) ?? []).map((text) => text.slice(16, -1));
  expect(named.toSorted()).toEqual(ordinary.map(({ conditionId }) => conditionId).toSorted());
});

test("explore's total and facets count no combination", async () => {
  const { body } = await fresh.api.get("/api/v1/markets/explore");
  expect(body.total).toBe(2);
  expect(body.facets).toEqual({
    categories: [{ value: "Weather", label: "Weather", count: 2 }],
    platforms: [{ value: "polymarket", label: "Polymarket", count: 2 }],
  });
});

test("a misspelt search finds no combination", async () => {
  const { body } = await fresh.api.get("/api/v1/markets/search?q=pariss");
  expect(body.data.map((row: { condition_id: string }) => row.condition_id).toSorted()).toEqual(
    ORDINARY_IDS.toSorted(),
  );
});

test("holders of a combination return 404 and request no scan", async () => {
  const { api, db, openPool } = fresh;
  const response = await api.get(`/api/v1/market/${COMBINATION}/holders`);
  expect(errorOf(response)).toMatchObject({ status: 404, param: "condition_id" });
  expect(await db.select().from(holderScans)).toEqual([]);
  const scans = await claimDueHolderScans(openPool());
  // Graded traders have large trades in all three markets.
  expect(scans.flatMap((message) => ("market_ids" in message ? message.market_ids : [])).toSorted()).toEqual(
    ordinary.map(({ id }) => id).toSorted(),
  );
});

test("a combination's snapshot and flow can still be read by its id", async () => {
  const snapshot = await fresh.api.get(`/api/v1/market/${COMBINATION}/snapshot`);
  expect(snapshot.body.data.market).toMatchObject({
    condition_id: COMBINATION,
    title: "Rain in Paris AND Rain in Rome",
  });
  const flow = await fresh.api.get(`/api/v1/market/${COMBINATION}/flow?timeframe=24h`);
  expect(flow.status).toBe(200);
  expect(JSON.stringify(flow.body.data)).toContain("trade_count");
});
