import type { Combo, ComboEventRecord } from "./combos.ts";

/**
 * The data source of the provider endpoint, implemented by `replay` and `simulate`. The HTTP and WebSocket
 * surface is written once on top of it.
 *
 * Facts carry their own times (`closedAtMs`, a resolution's `atMs`); the surface alone decides what is
 * visible.
 */
export interface ProviderWorld {
  readonly kind: "replay" | "simulate";
  readonly activity: ActivityLog;
  readonly catalog: Catalog;
  /** One sentence that describes the served data: recorded or generated. */
  describe(): string;
  /** Distinct recorded trades served; null when the source is endless. */
  expectedTrades(): number | null;
  /** The current time of this world, epoch milliseconds. */
  nowMs(): number;
  /** Generates everything up to the current time. Called before each response. */
  refresh(): void;
  /** Block time up to which the HTTP feeds show activity, epoch seconds. */
  feedHorizon(): number;
  /** Block time up to which the live socket has pushed trades; infinite when nothing is live. */
  matchHorizon(): number;
  /** The oldest block time of the feeds in a request without `start`. */
  feedStart(scope: "bare" | "market" | "user"): number;
  /** The minimum trade size in shares, in a request without one. */
  readonly dustShares: number;
  findProfile(address: string): Profile | null;
  /** Loads an unlisted market when a request names it: a source may serve more than it lists. */
  loadCondition(conditionId: string): void;
  loadToken(tokenId: string): void;
  findQuote(market: Market, outcomeIndex: number): Quote | null;
  findBook(market: Market, outcomeIndex: number): Book | null;
  listPrices(tokenId: string): readonly PricePoint[];
  /** Ordered by profit, best first. */
  listBoard(period: BoardPeriod, category: string): readonly BoardRow[];
  listPositions(user: string): readonly Position[];
  listHolders(market: Market): readonly Holder[];
  /** The lifecycle events of a user's combos, in block order, those of the future included. */
  listComboEvents(user: string): readonly ComboEventRecord[];
  /** The current state of every live game, in the sports socket's shape. */
  listGameFrames(): readonly Record<string, unknown>[];
  listTeams(): readonly Record<string, unknown>[];
  listSports(): readonly Record<string, unknown>[];
  listTags(): readonly Tag[];
}

/** The types of the activity feed's first version. */
export const V1_ACTIVITY_TYPES = [
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
] as const;

export const PROVIDER_ACTIVITY_TYPES = [...V1_ACTIVITY_TYPES, "MIGRATION", "DEPOSIT", "WITHDRAWAL", "TIP"] as const;

export type ProviderActivityType = (typeof PROVIDER_ACTIVITY_TYPES)[number];

/** One row of the provider's feeds: a fill of one wallet, or another change of its shares or cash. */
export interface ActivityRecord {
  readonly type: ProviderActivityType;
  /** Orders the records of one second. Unique. */
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
  /** Null when not recorded. */
  readonly role: "taker" | "maker" | null;
  /** Epoch seconds. Before this time the row shows outcome 999 and no event slug. */
  readonly enrichedAt: number;
  readonly combo: Combo | null;
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
  /** Fields of a recorded object, served unchanged. */
  readonly recorded: Record<string, unknown> | null;
}

/** A team of an event. Null: not recorded. */
export interface GameTeam {
  readonly name: string;
  readonly ordering: "home" | "away";
  readonly providerId: number | null;
  readonly abbreviation: string | null;
  readonly record: string | null;
}

export interface Game {
  readonly gameId: number;
  readonly league: string;
  readonly home: string;
  readonly away: string;
  /** Null when not recorded. */
  readonly kickoffMs: number | null;
  /** Null when not recorded. */
  readonly endedAtMs: number | null;
  /** In the order of the event's title. */
  readonly teams: readonly GameTeam[];
  /** Fields of the live state at a moment. */
  stateAt(ms: number): {
    /** In the order of the teams. */
    readonly score: string;
    readonly period: string;
    readonly elapsed: string;
    readonly live: boolean;
    readonly ended: boolean;
  } | null;
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
  /** The time from which the market is closed; null when the source knows none. */
  readonly closedAtMs: number | null;
  readonly resolution: Resolution | null;
  readonly sportsMarketType: string | null;
  readonly line: number | null;
  /** Fee rate of takers; null when the source has none. */
  readonly feeRate: number | null;
  readonly recorded: Record<string, unknown> | null;
  readonly recordedClob: Record<string, unknown> | null;
}

export interface Resolution {
  /** By outcome index, millionths. */
  readonly payoutsPpm: readonly number[];
  /** The time from which it is visible, epoch milliseconds. */
  readonly atMs: number;
  /** False when `atMs` is only a bound: then no time is served. */
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

/** Activity records in block order, with the indexes that the feeds need. */
export interface ActivityLog {
  readonly all: readonly ActivityRecord[];
  ofWallet(address: string): readonly ActivityRecord[];
  ofCondition(conditionId: string): readonly ActivityRecord[];
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
