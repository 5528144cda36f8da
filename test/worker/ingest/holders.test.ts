import { eq, sql } from "drizzle-orm";
import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { holderScans, marketHolders, setAsideRecords } from "../../../src/db/schema.ts";
import { takeDueHolderScans, takeHolderScan } from "../../../src/ingest/holders/due-scans.ts";
import { scanHolders } from "../../../src/ingest/holders/scan-holders.ts";
import {
  ProviderRefused,
  ProviderUnavailable,
  type Misfit,
  type Page,
  type Provider,
  type ProviderHolder,
} from "../../../src/ports/provider.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aWrittenProvider } from "../../support/ingest/written-provider.ts";
import { aTakenTrade } from "../../support/seed/fills.ts";
import { aHolderScan } from "../../support/seed/holders.ts";
import { aMarket, type Market } from "../../support/seed/markets.ts";
import { hex } from "../../support/seed/numbers.ts";
import { aWallet, type Wallet } from "../../support/seed/wallets.ts";

let db: Database;
let pool: Pool;
beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  pool = database.openPool();
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const STRANGER = hex(987_654_321, 40);

const aHolder = (address: string, facts: Partial<ProviderHolder> = {}): ProviderHolder => ({
  address,
  tokenId: "1",
  outcomeIndex: 0,
  sharesMicro: 1_000_000n,
  valueMicro: 550_000n,
  ...facts,
});

interface Served {
  readonly rows: readonly ProviderHolder[];
  readonly misfits?: readonly Misfit[];
}

/** A provider that lists these pages whatever it is asked for; `asked` are the cursors. */
function aProviderOf(...pages: (Served | Error)[]): { provider: Provider; asked: (string | null)[] } {
  const asked: (string | null)[] = [];
  const nothing = aWrittenProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] });
  const listHolders = async (_: string, cursor: string | null): Promise<Page<ProviderHolder>> => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    const page = pages[at];
    if (page === undefined || page instanceof Error) throw page ?? new Error(`there is no page ${at}`);
    return { rows: page.rows, misfits: page.misfits ?? [], nextCursor: at + 1 < pages.length ? String(at + 1) : null };
  };
  return { provider: { ...nothing, listHolders }, asked };
}

/** A market whose scan waits in the queue. */
async function aQueuedMarket(facts: Partial<typeof holderScans.$inferInsert> = {}): Promise<Market> {
  const market = await aMarket(db);
  await db.insert(holderScans).values({ marketId: market.id, requestedAt: new Date(), enqueuedAt: new Date(), ...facts });
  return market;
}

const scanOf = async (market: Market) => (await db.select().from(holderScans).where(eq(holderScans.marketId, market.id)))[0];
const heldIn = (market: Market) =>
  db
    .select({
      traderId: marketHolders.traderId,
      outcome: marketHolders.outcomeIndex,
      shares: marketHolders.sharesMicro,
      value: marketHolders.valueMicro,
    })
    .from(marketHolders)
    .where(eq(marketHolders.marketId, market.id))
    .orderBy(marketHolders.traderId, marketHolders.outcomeIndex);
const NOW = new Date("2026-11-20T12:00:00Z");
const scan = (market: Market, { provider }: { provider: Provider }, at = NOW) => scanHolders(pool, provider, market.id, () => at);

describe("a scan", () => {
  test("is read to its end; graded wallets are kept with both of their outcomes, and everybody is counted once", async () => {
    const market = await aQueuedMarket();
    const [first, second, ungraded] = [await aWallet(db, { grade: "S" }), await aWallet(db, { grade: "D" }), await aWallet(db)];
    const walk = aProviderOf(
      { rows: [aHolder(first.address), aHolder(STRANGER), aHolder(ungraded.address, { outcomeIndex: 1 })] },
      {
        rows: [aHolder(first.address, { outcomeIndex: 1, sharesMicro: 5n, valueMicro: null }), aHolder(second.address, { valueMicro: 0n })],
      },
    );
    await scan(market, walk);
    expect(walk.asked).toEqual([null, "1"]);
    expect(await heldIn(market)).toEqual([
      { traderId: first.id, outcome: 0, shares: 1_000_000n, value: 550_000n },
      { traderId: first.id, outcome: 1, shares: 5n, value: null },
      { traderId: second.id, outcome: 0, shares: 1_000_000n, value: 0n },
    ]);
    expect(await scanOf(market)).toMatchObject({ fetchedAt: NOW, walletCount: 4, lastError: null, enqueuedAt: null });
  });

  test("takes the place of the last one, in this market alone", async () => {
    const [stays, leaves] = [await aWallet(db, { grade: "A" }), await aWallet(db, { grade: "A" })];
    const held = [stays, leaves].map((wallet) => ({ wallet, shares: 1, value: 1 }));
    const other = await aMarket(db);
    const market = await aMarket(db);
    await aHolderScan(db, other, held, { fetchedAt: secondsAgo(90) });
    await aHolderScan(db, market, held, { fetchedAt: secondsAgo(90), enqueuedAt: new Date() });
    await scan(market, aProviderOf({ rows: [aHolder(stays.address, { sharesMicro: 2_000_000n })] }), new Date());
    expect((await heldIn(market)).map(({ traderId, shares }) => [traderId, shares])).toEqual([[stays.id, 2_000_000n]]);
    expect(await heldIn(other)).toHaveLength(2);
  });

  test("of a market that nobody holds is whole and empty", async () => {
    const market = await aQueuedMarket();
    await scan(market, aProviderOf({ rows: [] }));
    expect(await scanOf(market)).toMatchObject({ fetchedAt: NOW, walletCount: 0 });
  });

  test("a row seen twice counts as it was seen last", async () => {
    const market = await aQueuedMarket();
    const wallet = await aWallet(db, { grade: "B" });
    await scan(market, aProviderOf({ rows: [aHolder(wallet.address)] }, { rows: [aHolder(wallet.address, { sharesMicro: 7n })] }));
    expect(await heldIn(market)).toMatchObject([{ shares: 7n }]);
    expect((await scanOf(market))?.walletCount).toBe(1);
  });

  test("an outcome that the provider does not tell is known by its token, and ours wins over its", async () => {
    const market = await aQueuedMarket();
    const wallet = await aWallet(db, { grade: "B" });
    const [yes, no] = market.outcomes;
    const rows = [
      aHolder(wallet.address, { tokenId: no.tokenId, outcomeIndex: null }),
      aHolder(wallet.address, { tokenId: yes.tokenId, outcomeIndex: 1 }),
    ];
    await scan(market, aProviderOf({ rows }));
    expect((await heldIn(market)).map(({ outcome }) => outcome)).toEqual([0, 1]);
  });
});

describe("a scan that cannot be whole keeps the last one and says why", () => {
  const misfit = { record: { proxy_wallet: "nobody" }, reason: "proxy_wallet: expected a wallet address" };
  const endless = Array.from({ length: 101 }, (): Served => ({ rows: [] }));

  test.each([
    { what: "a row that does not fit", pages: [{ rows: [], misfits: [misfit] }], says: "rows that did not fit: 1" },
    {
      what: "an outcome nobody knows",
      pages: [{ rows: [aHolder(STRANGER, { outcomeIndex: null })] }],
      says: "the outcome of token 1 is not known",
    },
    { what: "too many pages", pages: endless, says: "more than 100 pages of holders" },
    { what: "a refusal", pages: [new ProviderRefused("400")], says: "the provider refuses to list the market's holders" },
  ])("$what", async ({ pages, says }) => {
    const wallet = await aWallet(db, { grade: "A" });
    const market = await aMarket(db);
    const fetchedAt = secondsAgo(90);
    await aHolderScan(db, market, [{ wallet, shares: 1, value: 1 }], { fetchedAt, enqueuedAt: secondsAgo(1) });
    await scan(market, aProviderOf(...pages), new Date());
    expect(await scanOf(market)).toMatchObject({ fetchedAt, walletCount: 1, lastError: says });
    expect(await heldIn(market)).toHaveLength(1);
  });

  test("what does not fit is set aside", async () => {
    const market = await aQueuedMarket();
    await scan(market, aProviderOf({ rows: [], misfits: [misfit] }));
    expect(await db.select().from(setAsideRecords)).toMatchObject([{ feed: "holders", ...misfit }]);
  });

  test("a provider that cannot answer in the middle of a walk leaves everything as it was, for the message to come again", async () => {
    const wallet = await aWallet(db, { grade: "A" });
    const market = await aQueuedMarket();
    const broken = aProviderOf({ rows: [aHolder(wallet.address)] }, new ProviderUnavailable("503", null));
    await expect(scan(market, broken)).rejects.toThrow(ProviderUnavailable);
    expect(await scanOf(market)).toMatchObject({ fetchedAt: null, walletCount: null, lastError: null, enqueuedAt: expect.any(Date) });
    expect(await heldIn(market)).toEqual([]);
  });
});

describe("twice", () => {
  test("a message whose scan is done asks the provider nothing", async () => {
    const market = await aQueuedMarket();
    await scan(market, aProviderOf({ rows: [] }));
    const again = aProviderOf({ rows: [] });
    await scan(market, again);
    expect(again.asked).toEqual([]);
  });

  test("of two walks at one time the one that began later stays", async () => {
    const market = await aQueuedMarket();
    const [older, newer] = [await aWallet(db, { grade: "A" }), await aWallet(db, { grade: "A" })];
    const slow = aProviderOf({ rows: [aHolder(older.address)] });
    const overtaken: Provider = {
      ...slow.provider,
      async listHolders(conditionId, cursor) {
        await scan(market, aProviderOf({ rows: [aHolder(newer.address)] }), new Date(NOW.getTime() + 1000));
        return slow.provider.listHolders(conditionId, cursor);
      },
    };
    await scan(market, { provider: overtaken });
    expect((await heldIn(market)).map(({ traderId }) => traderId)).toEqual([newer.id]);
    expect((await scanOf(market))?.fetchedAt).toEqual(new Date(NOW.getTime() + 1000));
  });
});

describe("what is due", () => {
  const due = async () =>
    (await takeDueHolderScans(pool)).flatMap((message) => (message.kind === "scan_holders" ? message.market_ids : []));

  test.each([
    { what: "asked for just now and never read", facts: { fetchedAt: null }, isDue: true },
    { what: "read 61 seconds ago", facts: { fetchedAt: secondsAgo(61) }, isDue: true },
    { what: "read 50 seconds ago", facts: { fetchedAt: secondsAgo(50) }, isDue: false },
    { what: "asked for eleven minutes ago", facts: { fetchedAt: null, requestedAt: secondsAgo(660) }, isDue: false },
    { what: "queued a minute ago", facts: { fetchedAt: null, enqueuedAt: secondsAgo(60) }, isDue: false },
    { what: "queued, and lost, two minutes ago", facts: { fetchedAt: null, enqueuedAt: secondsAgo(130) }, isDue: true },
    { what: "not whole five minutes ago", facts: { fetchedAt: null, enqueuedAt: secondsAgo(300), lastError: "too many" }, isDue: false },
    { what: "not whole eleven minutes ago", facts: { fetchedAt: null, enqueuedAt: secondsAgo(660), lastError: "too many" }, isDue: true },
  ])("a market $what: $isDue", async ({ facts, isDue }) => {
    const market = await aMarket(db);
    await aHolderScan(db, market, [], facts);
    expect(await due()).toEqual(isDue ? [market.id] : []);
    // Taken once: it is not taken again at the next turn.
    expect(await due()).toEqual([]);
  });

  test("markets that wallets graded S, A or B trade heavily are read before anybody asks, while they are open", async () => {
    const wallet = await aWallet(db, { grade: "B" });
    const at = secondsAgo(3600).toISOString();
    const traded = async (facts: { market?: Market; by?: Wallet; at?: string } = {}) => {
      const market = facts.market ?? (await aMarket(db));
      await aTakenTrade(db, { wallet: facts.by ?? wallet, market, shares: 20_000, at: facts.at ?? at });
      return market;
    };
    const hot = await traded();
    await traded({ by: await aWallet(db, { grade: "C" }) });
    await traded({ by: await aWallet(db) });
    await traded({ at: secondsAgo(7 * 3600).toISOString() });
    await traded({ market: await aMarket(db, { closed: true }) });
    await traded({ market: await aMarket(db, { payoutsPpm: [1_000_000, 0] }) });
    expect(await due()).toEqual([hot.id]);
  });

  test("no more than twenty markets are taken at a turn, five a message, those never read before those read longest ago", async () => {
    const markets = [];
    for (let n = 0; n < 23; n++) {
      const market = await aMarket(db);
      await aHolderScan(db, market, [], { fetchedAt: n < 20 ? secondsAgo(100 + n) : null });
      markets.push(market.id);
    }
    const messages = await takeDueHolderScans(pool);
    expect(messages.map((message) => (message.kind === "scan_holders" ? message.market_ids.length : 0))).toEqual([5, 5, 5, 5]);
    const taken = messages.flatMap((message) => (message.kind === "scan_holders" ? message.market_ids : []));
    expect(taken.toSorted((a, b) => a - b)).toEqual(markets.slice(3));
    expect((await due()).toSorted((a, b) => a - b)).toEqual(markets.slice(0, 3));
  });
});

describe("a scan that a request waits for", () => {
  test.each<[string, () => Partial<typeof holderScans.$inferInsert>, boolean]>([
    ["of a market never read", () => ({ enqueuedAt: null }), true],
    // The message may wait behind much other work.
    ["that is queued", () => ({ enqueuedAt: secondsAgo(1) }), true],
    ["of a market read lately", () => ({ fetchedAt: secondsAgo(50), enqueuedAt: null }), false],
    ["of a market read long ago", () => ({ fetchedAt: secondsAgo(70), enqueuedAt: null }), true],
    ["that could not be whole ten minutes ago", () => ({ enqueuedAt: secondsAgo(610), lastError: "too many" }), true],
    ["that could not be whole lately", () => ({ enqueuedAt: secondsAgo(500), lastError: "too many" }), false],
  ])("%s is taken or not", async (_, facts, isTaken) => {
    const market = await aQueuedMarket(facts());
    expect(await takeHolderScan(pool, market.id)).toBe(isTaken);
  });

  test("of a market that nobody has asked for is not taken", async () => {
    expect(await takeHolderScan(pool, (await aMarket(db)).id)).toBe(false);
  });
});

test("a market that is gone, or of which no scan is wanted, is left alone", async () => {
  const market = await aMarket(db);
  const walk = aProviderOf({ rows: [] });
  await scan(market, walk);
  await scanHolders(pool, walk.provider, 999_999, () => NOW);
  expect(walk.asked).toEqual([]);
  expect(await db.select({ n: sql<number>`count(*)::int` }).from(holderScans)).toEqual([{ n: 0 }]);
});
