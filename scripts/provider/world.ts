/**
 * What a source of the provider endpoint knows. `replay` and `simulate` implement it; the HTTP and WebSocket surface is written once over it.
 *
 * Facts carry their own times (`closedAtMs`, a resolution's `atMs`), so the surface alone decides what is visible at a moment.
 */
export interface ProviderWorld {
  readonly kind: "replay" | "simulate";
  readonly movements: MovementLog;
  readonly catalog: Catalog;
  /** One sentence for people: what is served and whether it is recorded or generated. */
  describe(): string;
  /** Distinct recorded trades served; null when the source is endless. */
  expectedTrades(): number | null;
  /** The present of this world, epoch milliseconds. */
  nowMs(): number;
  /** Brings what is generated up to the present. Called before each answer. */
  refresh(): void;
  /** Block time up to which the HTTP feeds show movements, epoch seconds. */
  feedHorizon(): number;
  /** Block time up to which the live socket has pushed trades; infinite when nothing is live. */
  matchHorizon(): number;
  /** Oldest block time the feeds show when the request gives no `start`. */
  feedStart(scope: "bare" | "market" | "user"): number;
  /** Smallest trade, in shares, shown when the request does not say. */
  readonly dustShares: number;
  findProfile(address: string): Profile | null;
  /** Calls that name something not loaded may load it: a source may serve more than it lists. */
  loadCondition(conditionId: string): void;
  loadToken(tokenId: string): void;
  findQuote(market: Market, outcomeIndex: number): Quote | null;
  findBook(market: Market, outcomeIndex: number): Book | null;
  listPrices(tokenId: string): readonly PricePoint[];
  /** Ordered by profit, best first. */
  listBoard(period: BoardPeriod, category: string): readonly BoardRow[];
  listPositions(user: string): readonly Position[];
  listHolders(market: Market): readonly Holder[];
  /** State of every game that has one now, in the sports socket's shape. */
  listGameFrames(): readonly Record<string, unknown>[];
  listTeams(): readonly Record<string, unknown>[];
  listSports(): readonly Record<string, unknown>[];
  listTags(): readonly Tag[];
}

export const MOVEMENT_TYPES = [
  "TRADE",
  "SPLIT",
  "MERGE",
  "REDEEM",
  "REWARD",
  "CONVERSION",
  "MAKER_REBATE",
  "TAKER_REBATE",
  "REFERRAL_REWARD",
  "YIELD",
  "MIGRATION",
  "DEPOSIT",
  "WITHDRAWAL",
  "TIP",
] as const;

export type MovementType = (typeof MOVEMENT_TYPES)[number];

/** One row of the provider's feeds: a fill of one wallet, or something else that moved its shares or cash. */
export interface Movement {
  readonly type: MovementType;
  /** Orders movements of one second. Unique. */
  readonly sequence: number;
  /** Block time, epoch seconds. */
  readonly timestamp: number;
  readonly wallet: Profile;
  /** Null for rewards, rebates, transfers and combos. */
  readonly market: Market | null;
  /** Null when the record names no outcome. */
  readonly outcomeIndex: number | null;
  /** Empty when the record names no token. */
  readonly tokenId: string;
  readonly side: "BUY" | "SELL" | "IN" | "OUT" | "";
  /** Shares. */
  readonly size: number;
  /** Dollars, fee included for a trade. */
  readonly usdcSize: number;
  readonly price: number;
  readonly transactionHash: string;
  /** Null when the recording does not tell. */
  readonly role: "taker" | "maker" | null;
  /** Until this moment the row says outcome 999 and has no event slug, epoch seconds. */
  readonly enrichedAt: number;
  readonly combo: { readonly conditionId: string; readonly title: string } | null;
}

export interface Profile {
  /** Lower case. */
  readonly address: string;
  readonly name: string;
  readonly pseudonym: string;
  readonly bio: string;
  readonly profileImage: string;
  readonly createdAtMs: number | null;
}

export interface Tag {
  readonly id: string;
  readonly label: string;
  readonly slug: string;
}

export interface MarketEvent {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly image: string;
  readonly tags: readonly Tag[];
  readonly series: { readonly id: string; readonly slug: string } | null;
  readonly createdAtMs: number | null;
  readonly startAtMs: number | null;
  readonly endAtMs: number | null;
  readonly closedAtMs: number | null;
  readonly negRisk: boolean;
  readonly negRiskMarketId: string;
  readonly game: Game | null;
  readonly markets: Market[];
  /** Fields of a recorded object, served as they were. */
  readonly recorded: Record<string, unknown> | null;
}

export interface Game {
  readonly gameId: number;
  readonly league: string;
  readonly home: string;
  readonly away: string;
  readonly kickoffMs: number;
  /** Null when the recording does not tell. */
  readonly endedAtMs: number | null;
  /** Fields of the live state at a moment. */
  stateAt(
    ms: number,
  ): { readonly score: string; readonly period: string; readonly elapsed: string; readonly live: boolean; readonly ended: boolean } | null;
}

export interface Market {
  readonly id: string;
  readonly conditionId: string;
  readonly slug: string;
  readonly question: string;
  readonly description: string;
  readonly icon: string;
  readonly outcomes: readonly string[];
  /** By outcome index. */
  readonly tokenIds: readonly string[];
  readonly event: MarketEvent;
  readonly groupItemTitle: string;
  readonly createdAtMs: number | null;
  readonly startAtMs: number | null;
  readonly endAtMs: number | null;
  /** From when the market is closed; null when it never is, as far as the source knows. */
  readonly closedAtMs: number | null;
  readonly resolution: Resolution | null;
  readonly sportsMarketType: string | null;
  readonly line: number | null;
  /** Fee rate of takers; null when the source does not tell. */
  readonly feeRate: number | null;
  readonly recorded: Record<string, unknown> | null;
  readonly recordedClob: Record<string, unknown> | null;
}

export interface Resolution {
  /** By outcome index, millionths. */
  readonly payoutsPpm: readonly number[];
  /** From when it shows, epoch milliseconds. */
  readonly atMs: number;
  /** False when `atMs` is only a bound: no time is served then. */
  readonly timeKnown: boolean;
}

export interface Quote {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
}

export interface BookLevel {
  readonly price: string;
  readonly size: string;
}

/** Bids ascend and asks descend: the best level is last in both. */
export interface Book {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly timestampMs: number;
  readonly lastTradePrice: number | null;
  readonly tickSize: number;
}

export interface PricePoint {
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly price: number;
  readonly resolutionSeconds: number;
}

export type BoardPeriod = "day" | "week" | "month" | "all";

export interface BoardRow {
  readonly wallet: Profile;
  readonly pnl: number;
  readonly volume: number;
}

/** Field names are those of `/v2/positions`. */
export interface Position {
  readonly market: Market;
  readonly outcomeIndex: number;
  readonly currentSize: number;
  readonly averagePrice: number;
  readonly entryFees: number;
  readonly currentPrice: number | null;
  readonly totalSize: number;
  readonly realizedPnl: number;
  readonly firstEntryAt: number | null;
  readonly lastEventAt: number | null;
  readonly wallet: Profile;
}

export interface Holder {
  readonly wallet: Profile;
  readonly outcomeIndex: number;
  readonly amount: number;
}

/** Movements in block order, with the indexes the feeds need. */
export interface MovementLog {
  readonly all: readonly Movement[];
  ofWallet(address: string): readonly Movement[];
  ofCondition(conditionId: string): readonly Movement[];
}

export interface Catalog {
  readonly markets: readonly Market[];
  readonly events: readonly MarketEvent[];
  findMarket(conditionId: string): Market | null;
  findMarketById(id: string): Market | null;
  findMarketBySlug(slug: string): Market | null;
  findToken(tokenId: string): { readonly market: Market; readonly outcomeIndex: number } | null;
  findEvent(id: string): MarketEvent | null;
  findEventBySlug(slug: string): MarketEvent | null;
}
