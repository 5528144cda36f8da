import { eq, sql } from "drizzle-orm";
import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { holderScans, marketHolders, quarantinedRecords } from "../../../src/db/schema.ts";
import { claimDueHolderScans, claimHolderScan } from "../../../src/ingest/holders/due-scans.ts";
import { scanHolders } from "../../../src/ingest/holders/scan-holders.ts";
import {
  ProviderRefused,
  ProviderUnavailable,
  type QuarantinedRecord,
  type ProviderPage,
  type Provider,
  type ProviderHolder,
} from "../../../src/platform/provider.ts";
import { openTestDatabase } from "../../support/database/database.ts";
import { aPagedProvider } from "../../support/ingest/provider/paged-provider.ts";
import { aTakerTrade } from "../../support/seed/fills.ts";
import { aHolderScan } from "../../support/seed/traders/holders.ts";
import { aMarket, type SeededMarket } from "../../support/seed/markets.ts";
import { hex } from "../../support/seed/numbers.ts";
import { aSeededTrader, type SeededTrader } from "../../support/seed/traders/traders.ts";

let db: Database;
let pool: Pool;
beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const STRANGER = hex(987_654_321, 40);

const aHolder = (address: string, facts: Partial<ProviderHolder> = {}): ProviderHolder => ({
  address,
  tokenId: "1",
  outcomeIndex: 0,
  sharesMicro: 1_000_000n,
  ...facts,
});

interface ServedPage {
  readonly rows: readonly ProviderHolder[];
  readonly quarantined?: readonly QuarantinedRecord[];
}

/** A provider that serves these pages for any market. `cursors` are the requested ones. */
function aProviderOf(...pages: (ServedPage | Error)[]): { provider: Provider; cursors: (string | null)[] } {
  const cursors: (string | null)[] = [];
  const nothing = aPagedProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] });
  const listHolders = async (_: string, cursor: string | null): Promise<ProviderPage<ProviderHolder>> => {
    cursors.push(cursor);
    const at = Number(cursor ?? 0);
    const page = pages[at];
    if (page === undefined || page instanceof Error) throw page ?? new Error(`there is no page ${at}`);
    return {
      rows: page.rows,
      quarantined: page.quarantined ?? [],
      nextCursor: at + 1 < pages.length ? String(at + 1) : null,
    };
  };
  return { provider: { ...nothing, listHolders }, cursors };
}

/** A market whose holder scan is queued. */
async function aQueuedMarket(facts: Partial<typeof holderScans.$inferInsert> = {}): Promise<SeededMarket> {
  const market = await aMarket(db);
  await db
    .insert(holderScans)
    .values({ marketId: market.id, requestedAt: new Date(), enqueuedAt: new Date(), ...facts });
  return market;
}

const scanOf = async (market: SeededMarket) =>
  (await db.select().from(holderScans).where(eq(holderScans.marketId, market.id)))[0];
const holdersOf = (market: SeededMarket) =>
  db
    .select({
      traderId: marketHolders.traderId,
      outcome: marketHolders.outcomeIndex,
      shares: marketHolders.sharesMicro,
    })
    .from(marketHolders)
    .where(eq(marketHolders.marketId, market.id))
    .orderBy(marketHolders.traderId, marketHolders.outcomeIndex);
const NOW = new Date("2026-11-20T12:00:00Z");
const scan = (market: SeededMarket, { provider }: { provider: Provider }, at = NOW) =>
  scanHolders(pool, provider, market.id, () => at);

describe("holder scan", () => {
  test("a scan reads all pages, stores graded holders with both outcomes and counts each holder once", async () => {
    const market = await aQueuedMarket();
    const [first, second, ungraded] = [
      await aSeededTrader(db, { grade: "S" }),
      await aSeededTrader(db, { grade: "D" }),
      await aSeededTrader(db),
    ];
    const walk = aProviderOf(
      { rows: [aHolder(first.address), aHolder(STRANGER), aHolder(ungraded.address, { outcomeIndex: 1 })] },
      {
        rows: [aHolder(first.address, { outcomeIndex: 1, sharesMicro: 5n }), aHolder(second.address)],
      },
    );
    await scan(market, walk);
    expect(walk.cursors).toEqual([null, "1"]);
    expect(await holdersOf(market)).toEqual([
      { traderId: first.id, outcome: 0, shares: 1_000_000n },
      { traderId: first.id, outcome: 1, shares: 5n },
      { traderId: second.id, outcome: 0, shares: 1_000_000n },
    ]);
    expect(await scanOf(market)).toMatchObject({ fetchedAt: NOW, walletCount: 4, lastError: null, enqueuedAt: null });
  });

  test("a scan replaces the market's last one and no other market's", async () => {
    const [remaining, removed] = [await aSeededTrader(db, { grade: "A" }), await aSeededTrader(db, { grade: "A" })];
    const holders = [remaining, removed].map((trader) => ({ trader, shares: 1 }));
    const other = await aMarket(db);
    const market = await aMarket(db);
    await aHolderScan(db, other, holders, { fetchedAt: secondsAgo(90) });
    await aHolderScan(db, market, holders, { fetchedAt: secondsAgo(90), enqueuedAt: new Date() });
    await scan(market, aProviderOf({ rows: [aHolder(remaining.address, { sharesMicro: 2_000_000n })] }), new Date());
    expect((await holdersOf(market)).map(({ traderId, shares }) => [traderId, shares])).toEqual([
      [remaining.id, 2_000_000n],
    ]);
    expect(await holdersOf(other)).toHaveLength(2);
  });

  test("a scan of a market without holders is complete and empty", async () => {
    const market = await aQueuedMarket();
    await scan(market, aProviderOf({ rows: [] }));
    expect(await scanOf(market)).toMatchObject({ fetchedAt: NOW, walletCount: 0 });
  });

  test("a holder listed twice in a scan counts with the last row", async () => {
    const market = await aQueuedMarket();
    const wallet = await aSeededTrader(db, { grade: "B" });
    await scan(
      market,
      aProviderOf({ rows: [aHolder(wallet.address)] }, { rows: [aHolder(wallet.address, { sharesMicro: 7n })] }),
    );
    expect(await holdersOf(market)).toMatchObject([{ shares: 7n }]);
    expect((await scanOf(market))?.walletCount).toBe(1);
  });

  test("a scan derives the outcome from the token, also against the provider's own index", async () => {
    const market = await aQueuedMarket();
    const wallet = await aSeededTrader(db, { grade: "B" });
    const [yes, no] = market.outcomes;
    const rows = [
      aHolder(wallet.address, { tokenId: no.tokenId, outcomeIndex: null }),
      aHolder(wallet.address, { tokenId: yes.tokenId, outcomeIndex: 1 }),
    ];
    await scan(market, aProviderOf({ rows }));
    expect((await holdersOf(market)).map(({ outcome }) => outcome)).toEqual([0, 1]);
  });
});

describe("incomplete scan", () => {
  const invalidRow = { record: { proxy_wallet: "nobody" }, reason: "proxy_wallet: expected a wallet address" };
  const endless = Array.from({ length: 101 }, (): ServedPage => ({ rows: [] }));

  test.each([
    { what: "an invalid row", pages: [{ rows: [], quarantined: [invalidRow] }], lastError: "rows that did not fit: 1" },
    {
      what: "an unknown outcome",
      pages: [{ rows: [aHolder(STRANGER, { outcomeIndex: null })] }],
      lastError: "the outcome of token 1 is not known",
    },
    { what: "too many pages", pages: endless, lastError: "more than 100 pages of holders" },
    {
      what: "a refused request",
      pages: [new ProviderRefused("400")],
      lastError: "the provider refuses to list the market's holders",
    },
  ])("a scan with $what keeps the last one and records the error", async ({ pages, lastError }) => {
    const wallet = await aSeededTrader(db, { grade: "A" });
    const market = await aMarket(db);
    const fetchedAt = secondsAgo(90);
    await aHolderScan(db, market, [{ trader: wallet, shares: 1 }], { fetchedAt, enqueuedAt: secondsAgo(1) });
    await scan(market, aProviderOf(...pages), new Date());
    expect(await scanOf(market)).toMatchObject({ fetchedAt, walletCount: 1, lastError });
    expect(await holdersOf(market)).toHaveLength(1);
  });

  test("a scan quarantines an invalid row", async () => {
    const market = await aQueuedMarket();
    await scan(market, aProviderOf({ rows: [], quarantined: [invalidRow] }));
    expect(await db.select().from(quarantinedRecords)).toMatchObject([{ feed: "holders", ...invalidRow }]);
  });

  test("a provider outage during a scan changes nothing and leaves the message for a retry", async () => {
    const wallet = await aSeededTrader(db, { grade: "A" });
    const market = await aQueuedMarket();
    const broken = aProviderOf({ rows: [aHolder(wallet.address)] }, new ProviderUnavailable("503", null));
    await expect(scan(market, broken)).rejects.toThrow(ProviderUnavailable);
    expect(await scanOf(market)).toMatchObject({
      fetchedAt: null,
      walletCount: null,
      lastError: null,
      enqueuedAt: expect.any(Date),
    });
    expect(await holdersOf(market)).toEqual([]);
  });
});

describe("repeated scans", () => {
  test("a repeated message of a finished scan does not call the provider", async () => {
    const market = await aQueuedMarket();
    await scan(market, aProviderOf({ rows: [] }));
    const repeated = aProviderOf({ rows: [] });
    await scan(market, repeated);
    expect(repeated.cursors).toEqual([]);
  });

  test("of two concurrent scans the one that began later is stored", async () => {
    const market = await aQueuedMarket();
    const [older, newer] = [await aSeededTrader(db, { grade: "A" }), await aSeededTrader(db, { grade: "A" })];
    const slow = aProviderOf({ rows: [aHolder(older.address)] });
    const overtaken: Provider = {
      ...slow.provider,
      async listHolders(conditionId, cursor) {
        await scan(market, aProviderOf({ rows: [aHolder(newer.address)] }), new Date(NOW.getTime() + 1000));
        return slow.provider.listHolders(conditionId, cursor);
      },
    };
    await scan(market, { provider: overtaken });
    expect((await holdersOf(market)).map(({ traderId }) => traderId)).toEqual([newer.id]);
    expect((await scanOf(market))?.fetchedAt).toEqual(new Date(NOW.getTime() + 1000));
  });
});

describe("due scans", () => {
  const due = async () =>
    (await claimDueHolderScans(pool)).flatMap((message) => (message.kind === "scan_holders" ? message.market_ids : []));

  // Times are read when the test runs, because the database compares them with its own clock.
  test.each([
    { what: "requested just now and never scanned", facts: () => ({ fetchedAt: null }), isDue: true },
    { what: "scanned 61 seconds ago", facts: () => ({ fetchedAt: secondsAgo(61) }), isDue: true },
    { what: "scanned 50 seconds ago", facts: () => ({ fetchedAt: secondsAgo(50) }), isDue: false },
    {
      what: "requested eleven minutes ago",
      facts: () => ({ fetchedAt: null, requestedAt: secondsAgo(660) }),
      isDue: false,
    },
    { what: "queued a minute ago", facts: () => ({ fetchedAt: null, enqueuedAt: secondsAgo(60) }), isDue: false },
    {
      what: "queued two minutes ago without a scan since",
      facts: () => ({ fetchedAt: null, enqueuedAt: secondsAgo(130) }),
      isDue: true,
    },
    {
      what: "scanned incompletely five minutes ago",
      facts: () => ({ fetchedAt: null, enqueuedAt: secondsAgo(300), lastError: "too many" }),
      isDue: false,
    },
    {
      what: "scanned incompletely eleven minutes ago",
      facts: () => ({ fetchedAt: null, enqueuedAt: secondsAgo(660), lastError: "too many" }),
      isDue: true,
    },
  ])("a market $what is due for a scan: $isDue", async ({ facts, isDue }) => {
    const market = await aMarket(db);
    await aHolderScan(db, market, [], facts());
    expect(await due()).toEqual(isDue ? [market.id] : []);
    // Leased by the first call, so the second call does not return it.
    expect(await due()).toEqual([]);
  });

  test("open markets with large recent trades by traders graded S, A or B are scanned without a request", async () => {
    const wallet = await aSeededTrader(db, { grade: "B" });
    const at = secondsAgo(3600).toISOString();
    const traded = async (facts: { market?: SeededMarket; by?: SeededTrader; at?: string } = {}) => {
      const market = facts.market ?? (await aMarket(db));
      await aTakerTrade(db, { trader: facts.by ?? wallet, market, shares: 20_000, at: facts.at ?? at });
      return market;
    };
    const hot = await traded();
    await traded({ by: await aSeededTrader(db, { grade: "C" }) });
    await traded({ by: await aSeededTrader(db) });
    await traded({ at: secondsAgo(7 * 3600).toISOString() });
    await traded({ market: await aMarket(db, { closed: true }) });
    await traded({ market: await aMarket(db, { payoutsPpm: [1_000_000, 0] }) });
    expect(await due()).toEqual([hot.id]);
  });

  test("a run enqueues 20 markets at most, five per message, never scanned ones first and then the oldest", async () => {
    const markets = [];
    for (let n = 0; n < 23; n++) {
      const market = await aMarket(db);
      await aHolderScan(db, market, [], { fetchedAt: n < 20 ? secondsAgo(100 + n) : null });
      markets.push(market.id);
    }
    const messages = await claimDueHolderScans(pool);
    expect(messages.map((message) => (message.kind === "scan_holders" ? message.market_ids.length : 0))).toEqual([
      5, 5, 5, 5,
    ]);
    const enqueued = messages.flatMap((message) => (message.kind === "scan_holders" ? message.market_ids : []));
    expect(enqueued.toSorted((a, b) => a - b)).toEqual(markets.slice(3));
    expect((await due()).toSorted((a, b) => a - b)).toEqual(markets.slice(0, 3));
  });
});

describe("scan for a waiting request", () => {
  test.each<[string, () => Partial<typeof holderScans.$inferInsert>, boolean]>([
    ["of a market never scanned", () => ({ enqueuedAt: null }), true],
    // The queued message may wait behind much other work, so the request scans by itself.
    ["that is queued", () => ({ enqueuedAt: secondsAgo(1) }), true],
    ["of a market scanned recently", () => ({ fetchedAt: secondsAgo(50), enqueuedAt: null }), false],
    ["of a market scanned long ago", () => ({ fetchedAt: secondsAgo(70), enqueuedAt: null }), true],
    ["that was incomplete ten minutes ago", () => ({ enqueuedAt: secondsAgo(610), lastError: "too many" }), true],
    ["that was incomplete recently", () => ({ enqueuedAt: secondsAgo(500), lastError: "too many" }), false],
  ])("a scan %s can be claimed by a request or not", async (_, facts, isClaimed) => {
    const market = await aQueuedMarket(facts());
    expect(await claimHolderScan(pool, market.id)).toBe(isClaimed);
  });

  test("a scan of a market that was never requested cannot be claimed", async () => {
    expect(await claimHolderScan(pool, (await aMarket(db)).id)).toBe(false);
  });
});

test("a scan message of an unknown market or without a request does nothing", async () => {
  const market = await aMarket(db);
  const walk = aProviderOf({ rows: [] });
  await scan(market, walk);
  await scanHolders(pool, walk.provider, 999_999, () => NOW);
  expect(walk.cursors).toEqual([]);
  expect(await db.select({ n: sql<number>`count(*)::int` }).from(holderScans)).toEqual([{ n: 0 }]);
});
