/**
 * The provider as ingest uses it, in our terms. `src/providers/polymarket` implements it over HTTP and
 * WebSockets.
 *
 * Every record has passed a payload schema. A record that fails its schema is returned in `quarantined`, not
 * dropped.
 */
export interface Provider {
  /**
   * One page of the global trade feed, newest first. `cursor` null starts at the newest row; pass the same
   * `feed` with each cursor. `takers`: one row per taker execution. `all`: makers' rows as well.
   */
  listTrades(feed: TradeFeed, cursor: string | null): Promise<ProviderPage<ProviderTrade>>;
  /** One page of a trader's activity, oldest first, from `since` (null: from the beginning). */
  listActivity(address: string, since: Date | null, cursor: string | null): Promise<ProviderPage<ProviderActivity>>;
  /** One page of the open or of the closed markets, in the provider's order. */
  listMarkets(state: "open" | "closed", cursor: string | null): Promise<ProviderPage<ProviderMarket>>;
  /**
   * The markets of up to 50 conditions, open and closed. Conditions unknown to the provider are missing from
   * the result.
   */
  findMarkets(conditionIds: readonly string[]): Promise<ProviderPage<ProviderMarket>>;
  /**
   * The condition ids of a neg-risk event's questions, in the order of their on-chain index. Null when the
   * provider does not know the event, or its response does not prove that the list is complete.
   */
  findQuestions(providerEventId: string): Promise<readonly string[] | null>;
  /**
   * Resolutions of up to 20 conditions. A condition without a row is not known to be resolved; the result may
   * also contain rows of other conditions.
   */
  findResolutions(conditionIds: readonly string[]): Promise<ProviderPage<ProviderResolution>>;
  /**
   * One page of the holders of a market, not netted: a trader with shares of both outcomes has two rows. Pass
   * the same condition with each cursor. The provider does not list less than 0.1 shares.
   */
  listHolders(conditionId: string, cursor: string | null): Promise<ProviderPage<ProviderHolder>>;
  /** The top of the provider's P&L leaderboard, at most `limit` rows. */
  listLeaderboard(period: "week" | "month", limit: number): Promise<ProviderPage<ProviderLeaderboardRow>>;
  /**
   * A trader's figures on the provider's all-time leaderboard: one row, or none when the trader is not
   * ranked.
   */
  findAllTimeStats(address: string): Promise<ProviderPage<ProviderAllTimeStats>>;
  /**
   * One page of a trader's positions with their P&L: `open` with shares, resolved or not; `closed` without.
   * Pass the same `state` with each cursor. Rows may be skipped or repeated when the trader trades while the
   * pages are read.
   */
  listPositions(
    address: string,
    state: "open" | "closed",
    cursor: string | null,
  ): Promise<ProviderPage<ProviderPosition>>;
  /**
   * One page of a trader's combo positions, held or not. Rows may be skipped or repeated when the trader trades
   * while the pages are read.
   */
  listComboPositions(address: string, cursor: string | null): Promise<ProviderPage<ProviderComboPosition>>;
  /** One page of a trader's combo activity, stable while it is read. Buys and sells are not in it. */
  listComboActivity(address: string, cursor: string | null): Promise<ProviderPage<ProviderComboEvent>>;
  /**
   * The markets of up to 50 legs of combos by position id, open and closed. Unknown ones are missing from the
   * result.
   */
  findLegMarkets(positionIds: readonly string[]): Promise<ProviderPage<ProviderLegMarket>>;
  /**
   * The first-protocol markets of up to 50 tokens, open and closed. Unknown tokens are missing from the result.
   */
  findTokenMarkets(tokenIds: readonly string[]): Promise<ProviderPage<ProviderMarket>>;
  /** Top of book of up to 500 tokens. A token without a book is missing from the result. */
  findBooks(tokenIds: readonly string[]): Promise<ProviderPage<ProviderBook>>;
  /**
   * One page of sports events: those in play; all that are open for trading; or those that closed and whose
   * kickoff is after `since`. Pass the same list and `since` with each cursor.
   */
  listGameEvents(list: GameEventList, since: Date, cursor: string | null): Promise<ProviderPage<ProviderGameEvent>>;
  /**
   * The events of up to 50 games, open and closed. Only numeric game ids can be requested; unknown games are
   * missing from the result.
   */
  findGameEvents(gameIds: readonly string[]): Promise<ProviderPage<ProviderGameEvent>>;
}

export type GameEventList = "live" | "open" | "closed";

export type TradeFeed = "takers" | "all";

export interface ProviderPage<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly quarantined: readonly QuarantinedRecord[];
}

/** A complete record that failed its schema, with the reason (paths and messages, no secrets). */
export interface QuarantinedRecord {
  readonly record: unknown;
  readonly reason: string;
}

/**
 * The market of a record, with the fields that the record itself contains. Empty provider strings are null.
 */
export interface MarketHint {
  readonly conditionId: string;
  readonly title: string | null;
  readonly slug: string | null;
  readonly eventSlug: string | null;
  readonly icon: string | null;
}

export interface TraderHint {
  /** Lower case. */
  readonly address: string;
  readonly username: string | null;
  readonly profileImage: string | null;
}

/** One fill of one trader. Provider rows have no id: equal rows of one transaction are separate fills. */
export interface ProviderTrade {
  readonly trader: TraderHint;
  readonly market: MarketHint;
  readonly tokenId: string;
  /** Null while the provider has not enriched the row (it sends 999). */
  readonly outcomeIndex: number | null;
  readonly outcomeLabel: string | null;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: bigint;
  /** Shares times price, without the fee. */
  readonly usdMicro: bigint;
  /** Null when the row does not contain it. */
  readonly feeMicro: bigint | null;
  /** The provider's decimal string, dollars per share, 0 to 1. */
  readonly price: string;
  readonly tradedAt: Date;
  /** `0x` and 64 hex digits, lower case. */
  readonly txHash: string;
}

export const ACTIVITY_TYPES = [
  "SPLIT",
  "MERGE",
  "REDEEM",
  "REWARD",
  "CONVERSION",
  "MIGRATION",
  "MAKER_REBATE",
  "TAKER_REBATE",
  "REFERRAL_REWARD",
  "YIELD",
  "DEPOSIT",
  "WITHDRAWAL",
  "TIP",
] as const;

export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** One row of a trader's activity: a trade, or another change of shares or cash. */
export type ProviderActivity =
  | { readonly kind: "trade"; readonly trade: ProviderTrade }
  | { readonly kind: "other"; readonly activity: OtherActivity };

export interface OtherActivity {
  readonly trader: TraderHint;
  readonly type: ActivityType;
  /** Null for rewards, rebates and transfers, which belong to no market. */
  readonly market: MarketHint | null;
  readonly tokenId: string | null;
  readonly sharesMicro: bigint;
  readonly usdMicro: bigint;
  readonly happenedAt: Date;
  readonly txHash: string;
}

export interface ProviderEvent {
  readonly providerEventId: string;
  readonly slug: string;
  readonly title: string | null;
  readonly image: string | null;
  readonly seriesSlug: string | null;
  readonly tags: readonly string[];
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

export interface ProviderMarket {
  readonly conditionId: string;
  readonly providerMarketId: string;
  readonly event: ProviderEvent | null;
  readonly title: string;
  readonly slug: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly icon: string | null;
  /** Our bucket (`src/domain/categories/categories.ts`), from the provider's tags; null when none maps. */
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly protocolVersion: "v1" | "v2";
  readonly negRisk: boolean | null;
  readonly marketType: string | null;
  readonly gameId: string | null;
  readonly closed: boolean;
  readonly createdAt: Date | null;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
  readonly closedAt: Date | null;
  readonly gameStartAt: Date | null;
  /** Plain decimal strings in dollars; null when the provider sent none. */
  readonly volumeUsd: string | null;
  readonly volume24hUsd: string | null;
  readonly liquidityUsd: string | null;
  readonly resolutionStatus: string | null;
  /** By outcome index. Empty while the provider has not minted the tokens. */
  readonly outcomes: readonly ProviderOutcome[];
}

export interface ProviderOutcome {
  readonly tokenId: string;
  readonly outcomeIndex: number;
  readonly label: string;
  /**
   * Plain decimals, 0 to 1; null when unknown. Bid and ask of closed markets are null, because the provider
   * keeps stale ones.
   */
  readonly price: string | null;
  /** On the provider's tick size. */
  readonly lastTradePrice: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
}

export interface ProviderResolution {
  readonly conditionId: string;
  readonly status: string;
  /** Payout by outcome index in millionths, summing to 1,000,000; null until resolved. */
  readonly payoutsPpm: readonly number[] | null;
  readonly resolvedAt: Date | null;
  /** When the provider expects the result; null once resolved, or when unknown. */
  readonly expectedAt: Date | null;
}

/** One side of a game. Null: the provider did not say. */
export interface ProviderCompetitor {
  readonly name: string;
  readonly providerId: string | null;
  readonly abbreviation: string | null;
  readonly logo: string | null;
  readonly record: string | null;
  readonly ordering: "home" | "away" | null;
}

/** The state of play as an event or a score frame gives it. Null: it did not give the value. */
export interface ProviderGameState {
  /** Verbatim. */
  readonly status: string | null;
  /** The format depends on the sport: `2-1`, `6-7(3-7), 6-3, 2-1`, `000-000|0-1|Bo5`. */
  readonly score: string | null;
  readonly period: string | null;
  readonly elapsed: string | null;
  readonly live: boolean | null;
  readonly ended: boolean | null;
  readonly finishedAt: Date | null;
}

/** A sports event of one game. A game has one main event and may have child events with further markets. */
export interface ProviderGameEvent {
  readonly gameId: string;
  readonly event: ProviderEvent;
  readonly isMain: boolean;
  readonly isClosed: boolean;
  /** Our bucket (`src/domain/categories/categories.ts`), from the provider's tags; null when none maps. */
  readonly category: string | null;
  /** The provider's short name of the league; null for a sport without one. */
  readonly league: string | null;
  readonly kickoffAt: Date | null;
  /** Home first where the provider says which side is at home, else in its order. */
  readonly competitors: readonly ProviderCompetitor[];
  /**
   * The index of the competitor to whom the first number of the game's scores belongs; null without competitors.
   * Events and frames write scores in the order of the event's title: most American leagues name the away side first.
   */
  readonly scoreFirst: number | null;
  readonly state: ProviderGameState;
}

/** A frame of the live score socket. */
export interface ProviderScoreFrame extends ProviderGameState {
  /**
   * The provider's numeric game id, which equals the `gameId` of the game's markets, or its `id…` name if
   * there is no number.
   */
  readonly gameId: string;
  readonly slug: string | null;
  readonly league: string | null;
  /** These names do not say whose number comes first in the score, see `ProviderGameEvent`. */
  readonly homeTeam: string | null;
  readonly awayTeam: string | null;
  /** The provider's clock of this state. */
  readonly sourceAt: Date | null;
}

export interface ProviderLeaderboardRow {
  readonly trader: TraderHint;
  readonly rank: number;
  /** Plain decimals. The volume is in shares, buys and sells. */
  readonly pnlUsd: string;
  readonly volumeShares: string | null;
}

export interface ProviderHolder {
  /** Lower case. */
  readonly address: string;
  readonly tokenId: string;
  /** Null while the provider has not enriched the row. */
  readonly outcomeIndex: number | null;
  readonly sharesMicro: bigint;
}

/**
 * Plain decimals; null when the trader is not ranked by that figure. The volume is in shares, buys and sells.
 */
export interface ProviderAllTimeStats {
  readonly pnlUsd: string | null;
  readonly volumeShares: string | null;
}

/** A trader's position in one outcome as the provider reports it, without fees. Null: not reported. */
export interface ProviderPosition {
  readonly conditionId: string;
  readonly tokenId: string;
  readonly openSharesMicro: bigint;
  /** Total shares ever bought or received from splits. */
  readonly boughtSharesMicro: bigint | null;
  readonly realizedMicro: bigint | null;
  readonly unrealizedMicro: bigint | null;
  /** Resolved with open shares, winning or losing. */
  readonly isRedeemable: boolean | null;
}

export const COMBO_EVENT_TYPES = ["SPLIT", "MERGE", "CONVERT", "COMPRESS", "WRAP", "UNWRAP", "REDEEM"] as const;

export type ComboEventType = (typeof COMBO_EVENT_TYPES)[number];

/** One leg of a combo: a YES or NO position in one market. Null: not reported. */
export interface ProviderComboLeg {
  readonly positionId: string;
  /** From the position id: 1 binary, 2 neg-risk. */
  readonly moduleId: number;
  /** From the position id: 0 YES, 1 NO. */
  readonly outcomeIndex: number;
  /** Of either protocol; one leg may be written in both forms. */
  readonly conditionId: string;
  /** Verbatim. */
  readonly status: string | null;
  readonly resolvedAt: Date | null;
  /** A plain decimal, 0 to 1. */
  readonly price: string | null;
  readonly market: {
    /** The provider's id of the market object. */
    readonly marketId: string | null;
    readonly title: string | null;
    readonly slug: string | null;
    readonly eventSlug: string | null;
    readonly outcomeLabel: string | null;
    readonly image: string | null;
    readonly category: string | null;
    readonly tags: readonly string[];
  };
}

/** A conjunction of legs, in the provider's order. Empty when the row lists none. */
export interface ProviderCombo {
  readonly conditionId: string;
  readonly legs: readonly ProviderComboLeg[];
}

/** A trader's position in a combo. Only its legs are read: positions follow from the trader's own fills. */
export interface ProviderComboPosition {
  readonly combo: ProviderCombo;
}

export interface ProviderComboEvent {
  readonly combo: ProviderCombo;
  /** Transaction hash, `-`, log index. */
  readonly providerId: string;
  readonly kind: ComboEventType;
  /** Of the combo's position: 0 YES, 1 NO; null when the row names none. */
  readonly outcomeIndex: 0 | 1 | null;
  /** Dollars of splits and merges; null when the row has none. */
  readonly amountMicro: bigint | null;
  /** Only redemptions have a payout. */
  readonly payoutMicro: bigint | null;
  readonly sharesMicro: bigint | null;
  readonly txHash: string;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly happenedAt: Date;
}

/** A market with the position ids of its outcomes by index; a first-protocol market has them beside its tokens. */
export interface ProviderLegMarket {
  readonly market: ProviderMarket;
  readonly positionIds: readonly string[];
}

export interface ProviderBook {
  readonly tokenId: string;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
  /** Dollars at the best price level. */
  readonly bidDepthUsd: string | null;
  readonly askDepthUsd: string | null;
  readonly lastTradePrice: string | null;
  readonly asOf: Date;
}

/** Upper bound for a provider's Retry-After: a wrong header must not stop a feed for days. */
export const MAX_RETRY_AFTER_MS = 900_000;

/**
 * The provider is temporarily unavailable. `retryAfterMs` is its Retry-After, or null. Contains no payload.
 */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The provider refused a cursor or parameter (400, 404, 422): a retry does not help. */
export class ProviderRefused extends Error {
  override name = "ProviderRefused";
}
