import type { TradeFile } from "../provider/replay/recorded-trades.ts";

/**
 * The facts of a recording, independent of its format. Amounts named `...Micro` are millionths of a dollar or
 * a share.
 */
export interface RecordingFacts {
  readonly tradeFiles: TradeFile[];
  /** By file, in the file's order. */
  readonly flows: (readonly RecordedFlow[])[];
  readonly positions: ProviderPosition[];
  readonly totals: ProviderTotal[];
  readonly markets: KnownMarkets;
  readonly files: FileReport[];
}

/** An activity row of a wallet that is not a trade. */
export interface RecordedFlow {
  readonly wallet: string;
  readonly type: string;
  readonly conditionId: string;
  readonly eventSlug: string;
  readonly sharesMicro: bigint;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly transactionHash: string;
}

/** One of the provider's position rows with its printed figures. */
export interface ProviderPosition {
  readonly file: string;
  readonly wallet: string;
  readonly tokenId: string;
  readonly conditionId: string;
  readonly eventSlug: string;
  readonly title: string;
  readonly status: "open" | "closed";
  /** Smallest step of the figures in this file: 100 (four decimals) or 1 (six). */
  readonly stepMicro: bigint;
  readonly boughtSharesMicro: bigint;
  readonly openSharesMicro: bigint;
  readonly realizedMicro: bigint;
  /** The mark price, 0 to 1; the payout of one share once the market has resolved. */
  readonly price: string;
  readonly averagePrice: number;
  /** Figures that only rows of open positions have. */
  readonly open: OpenFigures | null;
}

export interface OpenFigures {
  readonly initialValueUsd: number;
  readonly currentValueUsd: number;
  readonly cashPnlMicro: bigint;
  /** Percent, not a fraction. */
  readonly percentPnl: number;
  readonly percentRealizedPnl: number;
}

/** A figure of the provider about a whole wallet. */
export interface ProviderTotal {
  readonly file: string;
  readonly wallet: string;
  readonly figure: string;
  /** Null when the recording has no figure, or only a placeholder. */
  readonly usd: number | null;
  readonly why: string;
  /** The profile page's net, gain and loss as shown, where all three were recorded. */
  readonly page: { readonly net: number; readonly gain: number; readonly loss: number } | null;
}

export interface FileReport {
  readonly name: string;
  /** Null for a shape without fills or figures of wallets. */
  readonly shape: string | null;
  readonly rows: number;
  /** One reason for each row that did not fit. */
  readonly unreadable: readonly string[];
}

/** The markets of tokens, as far as recorded rows name them. */
export class KnownMarkets {
  readonly #tokens = new Map<string, Map<number, string>>();
  readonly #conditions = new Map<string, string>();

  add(conditionId: string, outcomeIndex: number, tokenId: string): void {
    if (conditionId === "" || tokenId === "") return;
    this.#conditions.set(tokenId, conditionId);
    if (outcomeIndex !== 0 && outcomeIndex !== 1) return;
    const tokens = this.#tokens.get(conditionId) ?? new Map<number, string>();
    this.#tokens.set(conditionId, tokens.set(outcomeIndex, tokenId));
  }

  /** Null when no row names the token's market. */
  conditionOf(tokenId: string): string | null {
    return this.#conditions.get(tokenId) ?? null;
  }

  /** Both tokens of a binary market, first outcome first; null while one is unknown. */
  pairOf(conditionId: string): readonly [string, string] | null {
    const tokens = this.#tokens.get(conditionId);
    const [first, second] = [tokens?.get(0), tokens?.get(1)];
    return first === undefined || second === undefined ? null : [first, second];
  }
}

export const emptyFacts = (): RecordingFacts => ({
  tradeFiles: [],
  flows: [],
  positions: [],
  totals: [],
  markets: new KnownMarkets(),
  files: [],
});
