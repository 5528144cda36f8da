import { createHash } from "node:crypto";
import { multiplyMicro } from "../../../src/domain/money.ts";
import type { ProviderActivity, ProviderMarket, ProviderPage, ProviderTrade } from "../../../src/platform/provider.ts";
import { aProviderMarket } from "../ingest/provider/provider-markets.ts";

/*
 * Generated blocks of the provider's exchanges, not recorded ones: taker orders that settle against one to
 * three makers, mint matches with the opposite token, equal fills within one transaction, and neighbouring
 * blocks of the same second.
 */

export interface GeneratedFill {
  readonly txHash: string;
  readonly exchange: string;
  readonly trader: string;
  /** A trader, or the exchange in the row of the taker order. */
  readonly counterparty: string;
  readonly isTaker: boolean;
  readonly side: "BUY" | "SELL";
  readonly tokenId: string;
  readonly sharesMicro: bigint;
  readonly usdMicro: bigint;
  readonly feeMicro: bigint;
}

export interface GeneratedBlock {
  readonly number: number;
  readonly second: number;
  readonly fills: readonly GeneratedFill[];
}

/** The exchanges of 2026: first-protocol markets, neg-risk markets, combinations. */
const GENERATED_EXCHANGES = [
  "0xe111180000d2663c0091e4f400237545b87b996b",
  "0xe2222d279d744050d28e00520010520000310f59",
  "0xe3333700ca9d93003f00f0f71f8515005f6c00aa",
];
const FIRST_SECOND = Date.UTC(2026, 9, 20, 12) / 1000;
const MARKETS = 12;
const TRADERS = 40;

export const hash = (text: string): string => `0x${createHash("sha256").update(text).digest("hex")}`;
const tokenOf = (market: number, outcome: number) => String(BigInt(hash(`token ${market} ${outcome}`)));
const traderOf = (number: number) => hash(`trader ${number}`).slice(0, 42);

/** @param scale multiplies all amounts */
export function generateBlocks(seed: number, from: number, count: number, scale = 1n): GeneratedBlock[] {
  let draws = 0;
  const draw = (below: number) => {
    draws += 1;
    return Number(BigInt(hash(`${seed} ${draws}`)) % BigInt(below));
  };
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const orders = Array.from({ length: draw(4) }, (__, order) =>
      generateSettlement(`${number} ${order}`, draw, scale),
    );
    // Every fourth block has the second of the block before it.
    return { number, second: FIRST_SECOND + 2 * (index - Math.floor((index + 1) / 4)), fills: orders.flat() };
  });
}

/** The makers' fills of one transaction, then the fill of its taker order. */
function generateSettlement(name: string, draw: (below: number) => number, scale: bigint): GeneratedFill[] {
  const exchange = GENERATED_EXCHANGES[draw(GENERATED_EXCHANGES.length)] ?? "";
  const txHash = hash(`tx ${name}`);
  const market = draw(MARKETS);
  const [outcome, price] = [draw(2), BigInt(1 + draw(99))];
  const isBuy = draw(2) === 0;
  const taker = traderOf(draw(TRADERS));
  const isMint = draw(2) === 0;
  const makerPrice = isMint ? 100n - price : price;
  const makers = Array.from({ length: 1 + draw(3) }, (): GeneratedFill => {
    const sharesMicro = BigInt(1 + draw(900)) * 1_234_567n * scale;
    return {
      txHash,
      exchange,
      // Outside the takers' numbers, so that no trader trades with itself.
      trader: traderOf(TRADERS + draw(TRADERS)),
      counterparty: taker,
      isTaker: false,
      side: isMint === isBuy ? "BUY" : "SELL",
      tokenId: tokenOf(market, isMint ? 1 - outcome : outcome),
      sharesMicro,
      usdMicro: (sharesMicro * makerPrice) / 100n,
      feeMicro: 0n,
    };
  });
  const [first] = makers;
  // Two equal fills of one trader, which only their number tells apart.
  const all = draw(5) === 0 && first !== undefined ? [...makers, first] : makers;
  const sharesMicro = all.reduce((sum, fill) => sum + fill.sharesMicro, 0n);
  const usdMicro = (sharesMicro * price) / 100n;
  return [
    ...all,
    {
      txHash,
      exchange,
      trader: taker,
      counterparty: exchange,
      isTaker: true,
      side: isBuy ? "BUY" : "SELL",
      tokenId: tokenOf(market, outcome),
      sharesMicro,
      usdMicro,
      feeMicro: draw(3) === 0 ? 0n : (usdMicro * (100n - price)) / 2_000n,
    },
  ];
}

/** The page of the provider's trade feed with these fills: newest first, with a price of ten decimals. */
export function feedPageOf(blocks: readonly GeneratedBlock[], feed: "takers" | "all"): ProviderPage<ProviderTrade> {
  const rows = blocks
    .toReversed()
    .flatMap(({ fills, second }) =>
      fills.filter(({ isTaker }) => feed === "all" || isTaker).map((fill) => toProviderTrade(fill, second)),
    );
  return { rows, nextCursor: null, quarantined: [] };
}

function toProviderTrade(fill: GeneratedFill, second: number): ProviderTrade {
  const { sharesMicro, usdMicro, tokenId, side, txHash } = fill;
  const scaled = (usdMicro * 10_000_000_000n + sharesMicro / 2n) / sharesMicro;
  const price = `0.${String(scaled).padStart(10, "0")}`.replace(/0+$/, "");
  const market = Array.from({ length: MARKETS }, (_, number) => number).find((number) =>
    [tokenOf(number, 0), tokenOf(number, 1)].includes(tokenId),
  );
  return {
    trader: { address: fill.trader, username: null, profileImage: null },
    market: { conditionId: hash(`market ${market}`), title: null, slug: null, eventSlug: null, icon: null },
    tokenId,
    outcomeIndex: tokenId === tokenOf(market ?? 0, 0) ? 0 : 1,
    outcomeLabel: null,
    side,
    sharesMicro,
    usdMicro: multiplyMicro(sharesMicro, price) ?? 0n,
    feeMicro: null,
    price,
    tradedAt: new Date(second * 1000),
    txHash,
  };
}

/** The market objects of all tokens. */
export const generatedMarkets = (): ProviderMarket[] =>
  Array.from({ length: MARKETS }, (_, number) => {
    const market = aProviderMarket(number);
    return {
      ...market,
      conditionId: hash(`market ${number}`),
      outcomes: market.outcomes.map((outcome, index) => ({ ...outcome, tokenId: tokenOf(number, index) })),
    };
  });

/** Every trader with the trades of its activity, oldest first. They have fees, as the cash of the rows gives them. */
export function activityOf(blocks: readonly GeneratedBlock[]): Map<string, ProviderActivity[]> {
  const trades = blocks.flatMap(({ fills, second }) => fills.map((fill) => toTradeWithFee(fill, second)));
  const rows = trades.map((trade): ProviderActivity => ({ kind: "trade", trade }));
  return Map.groupBy(rows, (row) => (row.kind === "trade" ? row.trade.trader.address : ""));
}

function toTradeWithFee(fill: GeneratedFill, second: number): ProviderTrade {
  const trade = toProviderTrade(fill, second);
  const rounding = fill.side === "BUY" ? fill.usdMicro - trade.usdMicro : trade.usdMicro - fill.usdMicro;
  return { ...trade, feeMicro: fill.feeMicro === 0n ? 0n : fill.feeMicro + rounding };
}
