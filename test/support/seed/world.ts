import type { Database } from "../../../src/db/client.ts";
import { jobHeartbeats, outcomeDays } from "../../../src/db/schema.ts";
import { FLOW_WINDOWS } from "../../../src/domain/markets/flow-windows.ts";
import { HEARTBEATS } from "../../../src/jobs/heartbeats.ts";
import { aLargeTrade, passHorizon, publishLargeTrades, theTradeFeedWasRead } from "./large-trades.ts";
import { anArchive } from "./archive.ts";
import { somePositions } from "./traders/open-positions.ts";
import { aCompetitor, aGame, theBoardWasRead, type SeededGame } from "./picks/a-game.ts";
import { aHolderScan } from "./traders/holders.ts";
import { anEdgeEntry, anEdgeSnapshot, A_PILE, A_PILE_SKILL } from "./picks/edge.ts";
import { aBoard, aGeneration, anExploreEntry, aTrendingRow } from "./lists.ts";
import { aMarket, anEvent, type SeededMarket } from "./markets.ts";
import { aGradeObservation, someDays, someProviderFigures } from "./traders/pnl.ts";
import { aProfile, CATEGORY_RECORDS, CATEGORY_SKILL } from "./traders/profiles.ts";
import { aFill, aTakerTrade } from "./fills.ts";
import { aCombo, aComboEvent, theCombosWereRead, UNKNOWN_LEG_MARKET } from "./combos.ts";
import { aFlow, aSuspiciousTrade } from "./signals.ts";
import { aPick } from "./picks/picks.ts";
import { someRecord } from "./record.ts";
import { productDayOf } from "../../../src/domain/picks/pick-schedule.ts";
import { aSeededTrader, type SeededTrader } from "./traders/traders.ts";

const READ_AT = new Date("2026-11-20T12:05:00Z");
const PLATFORMS = [{ value: "polymarket", label: "Polymarket", count: 2 }];

/**
 * One database with a row of every kind that a response can contain: with every field, and with as few as
 * possible.
 */
export interface World {
  readonly traders: Readonly<Record<"known" | "nameless" | "pending" | "gapped", SeededTrader>>;
  readonly markets: Readonly<Record<"full" | "bare" | "closed", SeededMarket>>;
  /** Row ids, oldest first. */
  readonly trades: Readonly<Record<"first" | "full" | "bare" | "matched", number>>;
  /** Row ids. */
  readonly flags: Readonly<Record<"full" | "bare", number>>;
  readonly games: Readonly<Record<"full" | "bare", SeededGame>>;
  readonly combos: Readonly<Record<"full" | "bare", SeededMarket>>;
  /** Row ids of published picks of today. */
  readonly picks: Readonly<Record<"sealed" | "opened" | "uncommitted", number>>;
}

export async function aWorld(db: Database): Promise<World> {
  const wallets = await someWallets(db);
  const markets = await someMarkets(db);
  const trades = await someTrades(db, wallets, markets);
  await publishLargeTrades(db);
  await someLists(db, wallets, markets);
  await someHolders(db, wallets, markets);
  await somePositions(db, { wallets, markets });
  await someEdges(db);
  const flags = await someSignals(db, markets, trades);
  const games = await someGames(db);
  const picks = await somePicks(db, wallets);
  const combos = await someCombos(db, wallets, markets);
  await someRecord(db);
  await anArchive(db, 3);
  await db.insert(jobHeartbeats).values(HEARTBEATS.map((job) => ({ job: job.name, succeededAt: new Date() })));
  await theCombosWereRead(db, new Date());
  await passHorizon(db);
  return { traders: wallets, markets, trades, flags, games, picks, combos };
}

/** The generations of empty lists, with a trade feed that has been read. */
export async function emptyLists(db: Database): Promise<void> {
  await theTradeFeedWasRead(db, new Date());
  for (const list of ["leaderboard", "trending:7d", "trending:30d", "flows:24h", "large_positions"])
    await aGeneration(db, list, READ_AT, 0);
  await theBoardWasRead(db, { live: new Date(), upcoming: new Date() }, { sports: [], leagues: [] });
  await aGeneration(db, "explore", READ_AT, 0, { categories: [], platforms: [] });
  for (const kind of ["pre_game", "in_play"] as const) await anEdgeSnapshot(db, kind, new Date());
}

async function someWallets(db: Database): Promise<World["traders"]> {
  const totals = { realizedMicro: 1_999_999n, volumeMicro: 10_000_000n };
  const profileImage = "https://images.test/known.png";
  const known = await aSeededTrader(db, { username: "Known", profileImage, grade: "A", completeAt: READ_AT, totals });
  const strength = {
    category: "Politics",
    wins: 3,
    decided: 5,
    win_rate: 0.6,
    expected_win_rate: 0.5,
    return_on_cost: 0.1,
  };
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
    nameless: await aSeededTrader(db),
    pending: await aSeededTrader(db, { isFollowed: true }),
    gapped: await aSeededTrader(db, { completeAt: READ_AT, gaps: ["CONVERSION"], totals }),
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
    full: await aMarket(
      db,
      { ...facts, largeTradeCount: 1, largeTradeUsdMicro: 10_000_000_000n, largeTradeLastAt: READ_AT },
      [quoted, quoted],
    ),
    // Only referenced by a trade: the provider's own object has not been read.
    bare: await aMarket(db, { title: null, slug: null }, [{ label: null }, { label: null, outcomeIndex: null }]),
    closed: await aMarket(db, { ...facts, ...resolved, eventId: null, category: null }, [quoted, {}]),
  };
}

async function someTrades(
  db: Database,
  wallets: World["traders"],
  markets: World["markets"],
): Promise<World["trades"]> {
  // Uses the real clock, as requests do: a window that begins after the last read of the feeds would have no
  // data.
  await theTradeFeedWasRead(db, new Date());
  const graded = {
    gradeAtTrade: "B",
    gradeAtTradeStatus: "graded",
    recordedReviewScore: 0.25,
    marketVolumeShare: "0.125",
  };
  const suspicious = { suspicionScore: 72, suspicionTrack: "whale" };
  return {
    first: await aLargeTrade(db, { trader: wallets.pending, market: markets.closed }),
    full: await aLargeTrade(db, {
      trader: wallets.known,
      market: markets.full,
      category: "Politics",
      ...graded,
      ...suspicious,
    }),
    bare: await aLargeTrade(db, { trader: wallets.nameless, market: markets.bare }),
    matched: await aMatchedTrade(db, wallets, markets.full),
  };
}

/** A game in play with markets of every kind, and one of which nothing but its event is known. */
async function someGames(db: Database): Promise<World["games"]> {
  await theBoardWasRead(db, { live: new Date(), upcoming: new Date() });
  const logo = "https://images.test/logo.png";
  const full = await aGame(db, {
    competitors: [
      aCompetitor("Boston Celtics", { providerId: "2", abbreviation: "bos", logo, record: "12-4", ordering: "home" }),
      aCompetitor("Milwaukee Bucks", { providerId: "15", abbreviation: "mil", ordering: "away" }),
    ],
    scheduledAt: new Date(Date.now() - 3_600_000),
    state: "live",
    providerStatus: "InProgress",
    score: "88-79",
    scoreFirst: 0,
    period: "3Q",
    clock: "5:18",
    live: true,
    ended: false,
    seriesFormat: "Bo3",
    scoresObservedAt: READ_AT,
    scoresSourceAt: READ_AT,
    scoresFrom: "socket",
  });
  const market = { gameId: full.gameId, eventId: full.eventId, figuresAsOf: READ_AT, marketType: "moneyline" };
  await aMarket(db, market, [
    { label: "Bucks", price: "0.62" },
    { label: "Celtics", price: "0.38" },
  ]);
  await aMarket(db, market, [{ label: "Bucks", price: "0.62" }, { label: "Celtics" }]);
  await aMarket(db, market, [
    { label: "Bucks", price: "0.62" },
    { label: "MIL", price: "0.38" },
  ]);
  await aMarket(db, { ...market, marketType: "totals" }, [{ label: "Over" }, { label: "Under" }]);
  await aMarket(db, { gameId: full.gameId, slug: null, title: null }, [{ label: null }, { label: null }]);
  const nothing = { title: null, league: null, scheduledAt: null, competitors: [], state: "unknown" } as const;
  return { full, bare: await aGame(db, nothing) };
}

/** A trade whose makers, one of each kind, add up to its size. */
async function aMatchedTrade(db: Database, wallets: World["traders"], market: SeededMarket): Promise<number> {
  const settlement = { market, tx: 800_001 };
  await aFill(db, { ...settlement, trader: wallets.known, side: "SELL", shares: 15_000, price: "0.6" });
  await aFill(db, { ...settlement, trader: wallets.nameless, outcome: 1, shares: 5_000, price: "0.4" });
  return aTakerTrade(db, { ...settlement, trader: wallets.gapped, shares: 20_000, price: "0.6" });
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

/**
 * One trader with both outcomes and one new trader with one outcome; the other markets have no
 * holders. The scans stay fresh for an hour.
 */
async function someHolders(db: Database, wallets: World["traders"], markets: World["markets"]): Promise<void> {
  const scan = { fetchedAt: new Date(Date.now() + 3_600_000) };
  const totals = { firstAt: new Date(Date.now() - 86_400_000) };
  const fresh = await aSeededTrader(db, { grade: "B", completeAt: new Date(), totals });
  const holders = [
    { trader: wallets.known, outcome: 0, shares: 100 },
    { trader: wallets.known, outcome: 1, shares: 10 },
    { trader: fresh, outcome: 1, shares: 50 },
  ] as const;
  for (const market of Object.values(markets))
    await aHolderScan(db, market, market === markets.full ? holders : [], scan);
}

/** Two rows of every cohort: one with every field, one with as few as possible. They stay current for an hour. */
async function someEdges(db: Database): Promise<void> {
  const builtAt = new Date(Date.now() + 3_600_000);
  const kickoffAt = new Date(Date.now() + 3 * 3_600_000);
  const unknown = {
    ...{ outcome_label: null, raw_category: null, event_id: null, parent_event_id: null, one_way: null },
    ...{ net_side: null, is_scan_complete: false },
  };
  const uncovered = {
    ...{ status: "unknown", observation_started_at: null, as_of: null, covered_holders: 0, covered_micro: "0" },
    ...{ coverage: 0, edge_mean: null, lower_mean: null, specialist_micro: "0", specialist_share: 0 },
    minimum_events: null,
  };
  const preGame = await anEdgeSnapshot(db, "pre_game", builtAt, {
    terminals: [
      ["Soccer", "primary_slate_candidate"],
      ["Soccer", "primary_slate_candidate"],
      ["Soccer", "wider_holder_emitted"],
      ["Soccer", "wider_holder_emitted"],
      ["Tennis", "resolved"],
    ],
  });
  const inPlay = await anEdgeSnapshot(db, "in_play", builtAt, { terminals: [["Soccer", "in_play_emitted"]] });
  for (const cohort of ["signal", "wider_holder", "in_play"]) {
    const row = { generation: cohort === "in_play" ? inPlay : preGame, cohort, kickoffAt };
    const isSignal = cohort === "signal";
    await anEdgeEntry(db, { ...row, isEmerging: cohort === "wider_holder" });
    await anEdgeEntry(db, {
      ...row,
      rank: 2,
      isEmerging: cohort === "wider_holder",
      pile: {
        ...{ ...A_PILE, ...unknown, skill: isSignal ? { ...A_PILE_SKILL, ...uncovered } : null },
        ...(isSignal ? { title: null, volume_usd: null } : {}),
      },
    });
  }
}

/** A combo with legs of every kind, fills and events, and one of which only a fill is known. */
async function someCombos(
  db: Database,
  wallets: World["traders"],
  markets: World["markets"],
): Promise<World["combos"]> {
  const [picked] = markets.full.outcomes;
  await db.insert(outcomeDays).values({
    ...{ outcomeId: picked.id, day: "2026-11-20", open: "0.5", high: "0.6", low: "0.5", close: "0.55" },
  });
  const named = { title: "Boston Celtics", slug: "nba-mil-bos", eventSlug: "nba-mil-bos", outcomeLabel: "Celtics" };
  const full = await aCombo(db, {
    legs: [
      { legMarketId: markets.closed.id, state: "won", payoutPpm: 1_000_000, providerStatus: "RESOLVED_WIN" },
      { legMarketId: markets.full.id },
      {
        providerMarket: { ...UNKNOWN_LEG_MARKET, ...named, image: "https://images.test/leg.png", tags: ["NBA"] },
        providerResolvedAt: READ_AT,
      },
      { legMarketId: markets.bare.id, state: "unknown" },
    ],
  });
  const at = new Date().toISOString();
  await aFill(db, { trader: wallets.known, market: full, at, price: "0.25", fee: "1.25", isTaker: true });
  await aFill(db, { trader: wallets.gapped, market: full, outcome: 1, side: "SELL", price: "0.75", isTaker: true });
  await aComboEvent(db, { trader: wallets.known, market: full, amountMicro: 5_000_000n, sharesMicro: 5_000_000n });
  const bare = await aCombo(db, { status: null, hasOutcomeIndex: false });
  await aFill(db, { trader: wallets.nameless, market: bare, at, isTaker: true });
  return { full, bare };
}

/** Today's picks: one of each state, and one that Pro does not open. */
async function somePicks(db: Database, { known, nameless }: World["traders"]): Promise<World["picks"]> {
  const date = productDayOf(new Date());
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const over = inMinutes(-240);
  const pick = async (rank: number, facts: Partial<Parameters<typeof aPick>[1]>) =>
    (await aPick(db, { date, rank, holders: [known, nameless], ...facts })).id;
  const sealed = await pick(1, { league: "Premier League" });
  const opened = await pick(2, { kickoff: over, outcomes: ["loss", "win"], closePrice: "0.52", game: { ended: true } });
  const uncommitted = await pick(3, { kickoff: over, publishedAt: inMinutes(-239), outcomes: ["void"] });
  await pick(4, { kickoff: inMinutes(300), publishedAt: null });
  await pick(5, { kickoff: inMinutes(40), publishedAt: null });
  await pick(6, { isWithdrawn: true });
  await pick(7, {});
  await pick(8, { kickoff: inMinutes(310), publishedAt: null });
  return { sealed, opened, uncommitted };
}

async function someLists(db: Database, wallets: World["traders"], markets: World["markets"]): Promise<void> {
  await aBoard(db, [wallets.known, await aSeededTrader(db)], {
    generation: await aGeneration(db, "leaderboard", READ_AT, 2),
  });
  for (const list of ["trending:7d", "trending:30d"]) {
    const generation = await aGeneration(db, list, READ_AT, 2);
    const traded = {
      providerVolumeShares: "12.345",
      windowVolumeMicro: 5_000_000n,
      dailyPnl: [{ date: "2026-11-20", pnl_micro: "-12000000" }],
    };
    const windowFacts = { generation, windowMarketsTraded: 0, windowTradeDays: 0 };
    await aTrendingRow(db, { ...windowFacts, ...traded, rank: 1, traderId: wallets.known.id, providerPnl: "1234.567" });
    await aTrendingRow(db, { ...windowFacts, rank: 2, traderId: wallets.nameless.id, providerPnl: "-1", dailyPnl: [] });
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
  // Untitled markets are left out of exploration, so its market with the least data only has a title.
  await anExploreEntry(db, {
    generation,
    id: 2,
    markets: [await aMarket(db, { slug: null }, [{ label: null }, { label: null }])],
  });
}
