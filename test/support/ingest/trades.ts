import type { Page, ProviderTrade } from "../../../src/ports/provider.ts";
import { multiplyMicro } from "../../../src/domain/money.ts";

const hex = (n: number, digits: number) => `0x${n.toString(16).padStart(digits, "0")}`;

/** A trade by numbers: everything a test does not name follows from `n`. */
export interface TradeFacts {
  n: number;
  wallet: number;
  market: number;
  outcome: 0 | 1;
  side: "BUY" | "SELL";
  sharesMicro: bigint;
  price: string;
  atSeconds: number;
}

export function aTrade(facts: Partial<TradeFacts> = {}): ProviderTrade {
  const {
    n = 1,
    wallet = 1,
    market = 1,
    outcome = 0,
    side = "BUY",
    sharesMicro = 10_000_000n,
    price = "0.5",
    atSeconds = 1_760_000_000,
  } = facts;
  return {
    wallet: { address: hex(wallet, 40), username: `wallet-${wallet}`, profileImage: null },
    market: {
      conditionId: hex(market, 64),
      title: `Market ${market}`,
      slug: `market-${market}`,
      eventSlug: `event-${market}`,
      icon: null,
    },
    tokenId: String(1_000_000 + market * 2 + outcome),
    outcomeIndex: outcome,
    outcomeLabel: outcome === 0 ? "Yes" : "No",
    side,
    sharesMicro,
    usdMicro: multiplyMicro(sharesMicro, price) ?? 0n,
    feeMicro: null,
    price,
    tradedAt: new Date(atSeconds * 1000),
    txHash: hex(n, 64),
  };
}

export function pageOf<Row>(rows: readonly Row[], nextCursor: string | null = null): Page<Row> {
  return { rows, nextCursor, misfits: [] };
}

/** A small reproducible generator (mulberry32): 0 up to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
