import type {
  ActivityType,
  QuarantinedRecord,
  ProviderPage,
  ProviderActivity,
  ProviderTrade,
} from "../../../../src/platform/provider.ts";
import { multiplyMicro } from "../../../../src/domain/money.ts";

const hex = (n: number, digits: number) => `0x${n.toString(16).padStart(digits, "0")}`;

/** A trade by numbers: every value that a test leaves out follows from `n`. */
export interface TradeFacts {
  n: number;
  /** The transaction; that of the number when left out. */
  tx: number;
  wallet: number;
  market: number;
  outcome: 0 | 1;
  side: "BUY" | "SELL";
  sharesMicro: bigint;
  price: string;
  atSeconds: number;
}

export const walletOf = (wallet: number) => hex(wallet, 40);
export const tokenOf = (market: number, outcome: 0 | 1) => String(1_000_000 + market * 2 + outcome);
/** Markets from this number on are combinations. */
export const FIRST_COMBINATION = 9_000;
export const conditionOf = (market: number) =>
  market < FIRST_COMBINATION ? hex(market, 64) : `0x03${hex(market, 60).slice(2)}`;

export function aTrade(facts: Partial<TradeFacts> = {}): ProviderTrade {
  const {
    n = 1,
    tx = n,
    wallet = 1,
    market = 1,
    outcome = 0,
    side = "BUY",
    sharesMicro = 10_000_000n,
    price = "0.5",
    atSeconds = 1_760_000_000,
  } = facts;
  return {
    trader: { address: walletOf(wallet), username: `wallet-${wallet}`, profileImage: null },
    market: {
      conditionId: conditionOf(market),
      title: `Market ${market}`,
      slug: `market-${market}`,
      eventSlug: `event-${market}`,
      icon: null,
    },
    tokenId: tokenOf(market, outcome),
    outcomeIndex: outcome,
    outcomeLabel: outcome === 0 ? "Yes" : "No",
    side,
    sharesMicro,
    usdMicro: multiplyMicro(sharesMicro, price) ?? 0n,
    feeMicro: null,
    price,
    tradedAt: new Date(atSeconds * 1000),
    txHash: hex(tx, 64),
  };
}

export function pageOf<Row>(rows: readonly Row[], quarantined: readonly QuarantinedRecord[] = []): ProviderPage<Row> {
  return { rows, nextCursor: null, quarantined: quarantined };
}

export interface ActivityFacts {
  n: number;
  wallet: number;
  market: number | null;
  sharesMicro: bigint;
  usdMicro: bigint;
  atSeconds: number;
}

/** A record of a trader's activity other than a trade. */
export function anActivity(type: ActivityType, facts: Partial<ActivityFacts> = {}): ProviderActivity {
  const {
    n = 1,
    wallet = 1,
    market = 1,
    sharesMicro = 10_000_000n,
    usdMicro = sharesMicro,
    atSeconds = 1_760_000_000,
  } = facts;
  const {
    trader: walletHint,
    market: marketHint,
    txHash,
    tradedAt,
  } = aTrade({ n, wallet, market: market ?? 0, atSeconds });
  return {
    kind: "other",
    activity: {
      trader: walletHint,
      type,
      market: market === null ? null : marketHint,
      tokenId: null,
      sharesMicro,
      usdMicro,
      happenedAt: tradedAt,
      txHash,
    },
  };
}

export const asActivity = (trade: ProviderTrade): ProviderActivity => ({ kind: "trade", trade });
