import type { Database } from "../../../src/db/client.ts";
import { jobHeartbeats } from "../../../src/db/schema.ts";
import { FLOW_WINDOWS } from "../../../src/domain/flow-windows.ts";
import { HEARTBEATS } from "../../../src/domain/jobs.ts";
import { aLargeTrade, passHorizon, tellOfLargeTrades, theTradeFeedWasRead } from "./large-trades.ts";
import { somePositions } from "./held.ts";
import { aHolderScan } from "./holders.ts";
import { aBoard, aGeneration, anExploreEntry, aTrendingRow } from "./lists.ts";
import { aMarket, anEvent, type Market } from "./markets.ts";
import { aGradeObservation, someDays, someProviderFigures } from "./pnl.ts";
import { aProfile, CATEGORY_RECORDS, CATEGORY_SKILL } from "./profiles.ts";
import { aFill, aTakenTrade } from "./fills.ts";
import { aFlow, aSuspiciousTrade } from "./signals.ts";
import { aWallet, type Wallet } from "./wallets.ts";

const READ_AT = new Date("2026-11-20T12:05:00Z");
const PLATFORMS = [{ value: "polymarket", label: "Polymarket", count: 2 }];

/** One database with a row of every kind an answer can meet: those with every field and those with hardly any. */
export interface World {
  readonly wallets: Readonly<Record<"known" | "nameless" | "pending" | "gapped", Wallet>>;
  readonly markets: Readonly<Record<"full" | "bare" | "closed", Market>>;
  /** Row ids, oldest first. */
  readonly trades: Readonly<Record<"first" | "full" | "bare" | "matched", number>>;
  /** Row ids. */
  readonly flags: Readonly<Record<"full" | "bare", number>>;
}

export async function aWorld(db: Database): Promise<World> {
  const wallets = await someWallets(db);
  const markets = await someMarkets(db);
  const trades = await someTrades(db, wallets, markets);
  await tellOfLargeTrades(db);
  await someLists(db, wallets, markets);
  await someHolders(db, wallets, markets);
  await somePositions(db, { wallets, markets });
  const flags = await someSignals(db, markets, trades);
  await db.insert(jobHeartbeats).values(HEARTBEATS.map((job) => ({ job: job.name, succeededAt: new Date() })));
  await passHorizon(db);
  return { wallets, markets, trades, flags };
}

/** The lists as they are built when there is nothing to list, and the feed was read. */
export async function emptyLists(db: Database): Promise<void> {
  await theTradeFeedWasRead(db, new Date());
  for (const list of ["leaderboard", "trending:7d", "trending:30d", "flows:24h", "large_positions"])
    await aGeneration(db, list, READ_AT, 0);
  await aGeneration(db, "explore", READ_AT, 0, { categories: [], platforms: [] });
}

async function someWallets(db: Database): Promise<World["wallets"]> {
  const totals = { realizedMicro: 1_999_999n, volumeMicro: 10_000_000n };
  const profileImage = "https://images.test/known.png";
  const known = await aWallet(db, { username: "Known", profileImage, grade: "A", completeAt: READ_AT, totals });
  const strength = { category: "Politics", wins: 3, decided: 5, win_rate: 0.6, expected_win_rate: 0.5, return_on_cost: 0.1 };
  await aProfile(db, known, {
    strategy: "diversified",
    streakTier: "hot",
    sharpe30d: 1.5,
    profile: {
      category_strengths: [{ ...strength, pnl_micro: "1000000", cost_micro: "10000000" }],
      category_records: CATEGORY_RECORDS,
      category_skill: CATEGORY_SKILL,
    },
  });
  await someDays(db, known, [
    { day: "2026-11-01", realizedMicro: 5_000_000n, volumeMicro: 20_000_000n },
    { day: "2026-11-03", settledMicro: -7_500_000n },
  ]);
  await aGradeObservation(db, known, {
    validFrom: new Date("2026-11-19T00:00:00Z"),
    publishedAt: new Date("2026-11-19T00:00:01Z"),
    grade: "A",
  });
  await someProviderFigures(db, known, {
    allTimePnlUsd: "1234.5678",
    boardAsOf: READ_AT,
    correctionMicro: -2_500_000n,
    realizedMicro: 1_999_999n,
    netMicro: 2_999_999n,
    marketsMeasured: 2,
    marketsExcluded: 1,
    measuredAt: READ_AT,
  });
  return {
    known,
    nameless: await aWallet(db),
    pending: await aWallet(db, { followed: true }),
    gapped: await aWallet(db, { completeAt: READ_AT, gaps: ["CONVERSION"], totals }),
  };
}

async function someMarkets(db: Database): Promise<World["markets"]> {
  const eventId = await anEvent(db, { image: "https://images.test/event.png" });
  const facts = {
    eventId,
    category: "Politics",
    description: "Resolves Yes if it happens.",
    image: "https://images.test/market.png",
    icon: "https://images.test/icon.png",
    marketType: "binary",
    seriesSlug: "series",
    volumeUsd: "1000.5",
    volume24hUsd: "10.25",
    liquidityUsd: "99.999",
    figuresAsOf: READ_AT,
    hydratedAt: READ_AT,
    providerCreatedAt: new Date("2026-10-01T00:00:00Z"),
    endAt: new Date("2026-12-31T00:00:00Z"),
  };
  const quoted = {
    price: "0.55",
    lastTradePrice: "0.54",
    bestBid: "0.54",
    bestAsk: "0.56",
    bidDepthUsd: "100",
    askDepthUsd: "50",
    bookSource: "clob_book",
    bookAsOf: READ_AT,
  };
  const resolved = { closed: true, payoutsPpm: [1_000_000, 0], resolvedAt: READ_AT };
  return {
    full: await aMarket(db, { ...facts, largeTradeCount: 1, largeTradeUsdMicro: 10_000_000_000n, largeTradeLastAt: READ_AT }, [
      quoted,
      quoted,
    ]),
    // Named by a trade only: the provider's own object has not been read.
    bare: await aMarket(db, { title: null, slug: null }, [{ label: null }, { label: null, outcomeIndex: null }]),
    closed: await aMarket(db, { ...facts, ...resolved, eventId: null, category: null }, [quoted, {}]),
  };
}

async function someTrades(db: Database, wallets: World["wallets"], markets: World["markets"]): Promise<World["trades"]> {
  // By the real clock, which requests go by: of a window that began after the feeds were read nothing would be known.
  await theTradeFeedWasRead(db, new Date());
  const graded = { gradeAtTrade: "B", gradeAtTradeStatus: "graded", recordedReviewScore: 0.25, marketVolumeShare: "0.125" };
  const suspicious = { suspicionScore: 72, suspicionTrack: "whale" };
  return {
    first: await aLargeTrade(db, { wallet: wallets.pending, market: markets.closed }),
    full: await aLargeTrade(db, { wallet: wallets.known, market: markets.full, category: "Politics", ...graded, ...suspicious }),
    bare: await aLargeTrade(db, { wallet: wallets.nameless, market: markets.bare }),
    matched: await aMatchedTrade(db, wallets, markets.full),
  };
}

/** A trade whose makers, one of each kind, add up to it. */
async function aMatchedTrade(db: Database, wallets: World["wallets"], market: Market): Promise<number> {
  const settlement = { market, tx: 800_001 };
  await aFill(db, { ...settlement, wallet: wallets.known, side: "SELL", shares: 15_000, price: "0.6" });
  await aFill(db, { ...settlement, wallet: wallets.nameless, outcome: 1, shares: 5_000, price: "0.4" });
  return aTakenTrade(db, { ...settlement, wallet: wallets.gapped, shares: 20_000, price: "0.6" });
}

async function someSignals(db: Database, markets: World["markets"], trades: World["trades"]): Promise<World["flags"]> {
  for (const window of FLOW_WINDOWS) {
    const generation = await aGeneration(db, `flows:${window}`, READ_AT, 2);
    await aFlow(db, { generation, marketId: markets.full.id, sellMicro: 1_234_567n });
    await aFlow(db, { generation, marketId: markets.bare.id, netMicro: -1n });
  }
  const scores = { timing: null, edge: null, size: 72.5, fresh_wallet: 61.25 };
  return {
    full: await aSuspiciousTrade(db, { largeTradeId: trades.full, scores }),
    bare: await aSuspiciousTrade(db, { largeTradeId: trades.bare, evidence: {} }),
  };
}

/** A wallet of both outcomes, and one that is new and whose holding nobody values; in the other markets nobody. The scans stay young for long. */
async function someHolders(db: Database, wallets: World["wallets"], markets: World["markets"]): Promise<void> {
  const scan = { fetchedAt: new Date(Date.now() + 3_600_000) };
  const totals = { firstAt: new Date(Date.now() - 86_400_000) };
  const fresh = await aWallet(db, { grade: "B", completeAt: new Date(), totals });
  const held = [
    { wallet: wallets.known, outcome: 0, shares: 100, value: 55 },
    { wallet: wallets.known, outcome: 1, shares: 10, value: 4.5 },
    { wallet: fresh, outcome: 1, shares: 50, value: null },
  ] as const;
  for (const market of Object.values(markets)) await aHolderScan(db, market, market === markets.full ? held : [], scan);
}

async function someLists(db: Database, wallets: World["wallets"], markets: World["markets"]): Promise<void> {
  await aBoard(db, [wallets.known, await aWallet(db)], { generation: await aGeneration(db, "leaderboard", READ_AT, 2) });
  for (const list of ["trending:7d", "trending:30d"]) {
    const generation = await aGeneration(db, list, READ_AT, 2);
    const traded = {
      providerVolumeShares: "12.345",
      windowVolumeMicro: 5_000_000n,
      dailyPnl: [{ date: "2026-11-20", pnl_micro: "-12000000" }],
    };
    const rest = { generation, windowMarketsTraded: 0, windowTradeDays: 0 };
    await aTrendingRow(db, { ...rest, ...traded, rank: 1, traderId: wallets.known.id, providerPnl: "1234.567" });
    await aTrendingRow(db, { ...rest, rank: 2, traderId: wallets.nameless.id, providerPnl: "-1", dailyPnl: [] });
  }
  const generation = await aGeneration(db, "explore", READ_AT, 2, {
    categories: [{ value: "Politics", label: "Politics", count: 1 }],
    platforms: PLATFORMS,
  });
  const eventId = await anEvent(db);
  await anExploreEntry(db, {
    generation,
    id: 1,
    markets: [markets.full, markets.closed],
    eventId,
    category: "Politics",
    volumeUsd: "1000.5",
  });
  // Untitled markets are left out of exploration, so the barest one in it has a title and nothing else.
  await anExploreEntry(db, { generation, id: 2, markets: [await aMarket(db, { slug: null }, [{ label: null }, { label: null }])] });
}
