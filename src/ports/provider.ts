/**
 * What the ingest needs of a provider, in our terms. `src/providers/polymarket` implements it over the provider's HTTP and sockets.
 *
 * Every record has passed a payload schema. One that does not fit is not dropped: it comes back in `misfits` beside the good ones.
 */
export interface Provider {
  /**
   * One page of the global trade feed, newest first. `cursor` null starts at the newest row; the same `feed` must go with each cursor.
   * `takers`: one row per taker execution. `all`: the makers' rows too.
   */
  listTrades(feed: TradeFeed, cursor: string | null): Promise<Page<ProviderTrade>>;
  /** One page of a wallet's whole activity, oldest first, from `since` (null: from the beginning). */
  listActivity(address: string, since: Date | null, cursor: string | null): Promise<Page<ProviderActivity>>;
  /** One page of the open, or of the closed, markets, in the order the provider walks them. */
  listMarkets(state: "open" | "closed", cursor: string | null): Promise<Page<ProviderMarket>>;
  /** The markets of up to 50 conditions, open and closed. A condition the provider does not know is missing from the answer. */
  findMarkets(conditionIds: readonly string[]): Promise<Page<ProviderMarket>>;
  /**
   * The questions of a neg-risk event: their conditions in the order of their on-chain index. Null where the provider does not know the event,
   * or its answer does not show that the list is whole.
   */
  findQuestions(providerEventId: string): Promise<readonly string[] | null>;
  /** Resolutions of up to 20 conditions. One without a row is not known to be resolved; rows of other conditions may come too. */
  findResolutions(conditionIds: readonly string[]): Promise<Page<ProviderResolution>>;
  /**
   * One page of everybody who holds shares of a market, not netted: a wallet with both outcomes has two rows. The same condition must go with
   * each cursor. Holdings of less than a tenth of a share are not listed.
   */
  listHolders(conditionId: string, cursor: string | null): Promise<Page<ProviderHolder>>;
  /** The provider's P&L board, at most `limit` rows from the top. */
  listBoard(period: "week" | "month", limit: number): Promise<Page<ProviderBoardRow>>;
  /** A wallet's place on the all-time board: one row, or none when it has no place there. */
  findStanding(address: string): Promise<Page<ProviderStanding>>;
  /**
   * One page of what a wallet made of each outcome: of those it holds, resolved or not, or of those it has left. The same `state` must go with
   * each cursor. Rows may be skipped or repeated where the wallet trades while its pages are read.
   */
  listPositions(address: string, state: "open" | "closed", cursor: string | null): Promise<Page<ProviderPosition>>;
  /** Top of book of any tokens, 500 a call; a token without a book is missing from the answer. */
  findBooks(tokenIds: readonly string[]): Promise<Page<ProviderBook>>;
}

export type TradeFeed = "takers" | "all";

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null when the walk has reached its end. */
  readonly nextCursor: string | null;
  readonly misfits: readonly Misfit[];
}

/** A record that does not fit its schema, whole, with what was wrong (paths and messages, no secrets). */
export interface Misfit {
  readonly record: unknown;
  readonly reason: string;
}

/** The market a record names, as far as the record itself tells. Empty provider strings have become null. */
export interface MarketHint {
  readonly conditionId: string;
  readonly title: string | null;
  readonly slug: string | null;
  readonly eventSlug: string | null;
  readonly icon: string | null;
}

export interface WalletHint {
  /** Lower case. */
  readonly address: string;
  readonly username: string | null;
  readonly profileImage: string | null;
}

/** One fill of one wallet. The provider gives rows no id: equal rows of one transaction are separate fills. */
export interface ProviderTrade {
  readonly wallet: WalletHint;
  readonly market: MarketHint;
  readonly tokenId: string;
  /** Null while the provider has not enriched the row (it says 999). */
  readonly outcomeIndex: number | null;
  readonly outcomeLabel: string | null;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: bigint;
  /** Shares times price, fee excluded. */
  readonly usdMicro: bigint;
  /** Null where the row does not tell. */
  readonly feeMicro: bigint | null;
  /** The provider's decimal, 0 to 1. */
  readonly price: string;
  readonly tradedAt: Date;
  /** `0x` and 64 hex, lower case. */
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

/** One row of a wallet's activity: a trade, or something else that moved its shares or cash. */
export type ProviderActivity =
  | { readonly kind: "trade"; readonly trade: ProviderTrade }
  | { readonly kind: "other"; readonly activity: OtherActivity };

export interface OtherActivity {
  readonly wallet: WalletHint;
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
  /** Our bucket (`src/domain/categories.ts`), from the provider's tags; null when none maps. */
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
  /** Plain decimal strings in dollars; null when the provider gave none. */
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
  /** Plain decimals 0 to 1; null when unknown. Bid and ask of closed markets are null: the provider leaves stale ones standing. */
  readonly price: string | null;
  /** On the provider's smallest tick. */
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
  /** When the provider expects the result; null once resolved, or when it does not say. */
  readonly expectedAt: Date | null;
}

export interface ProviderBoardRow {
  readonly wallet: WalletHint;
  readonly rank: number;
  /** Plain decimals. Volume is in shares, both sides. */
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
  /** At the provider's price; null when it gave none. */
  readonly valueMicro: bigint | null;
}

/** Plain decimals; null is no place by that figure. Volume is in shares, both sides. */
export interface ProviderStanding {
  readonly pnlUsd: string | null;
  readonly volumeShares: string | null;
}

/** One outcome a wallet has held, by the provider's account, fees excluded. Null is not told. */
export interface ProviderPosition {
  readonly conditionId: string;
  readonly tokenId: string;
  readonly heldSharesMicro: bigint;
  /** All shares ever bought or split. */
  readonly boughtSharesMicro: bigint | null;
  readonly realizedMicro: bigint | null;
  readonly unrealizedMicro: bigint | null;
  /** Resolved and still held, winners and losers alike. */
  readonly isRedeemable: boolean | null;
}

export interface ProviderBook {
  readonly tokenId: string;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
  /** Dollars resting at the best level. */
  readonly bidDepthUsd: string | null;
  readonly askDepthUsd: string | null;
  readonly lastTradePrice: string | null;
  readonly asOf: Date;
}

/** A provider that asks for longer is asked again after this all the same: a header gone wrong must not stop a feed for days. */
export const LONGEST_ASKED_MS = 900_000;

/** The provider could not answer now. `retryAfterMs` is what it asked for, else null. Carries no payload. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The provider refused a cursor or parameter (400, 404, 422): repeating the call will not help. */
export class ProviderRefused extends Error {
  override name = "ProviderRefused";
}
