import { multiplyMicro } from "../../../../src/domain/money.ts";
import type { ProviderTrade } from "../../../../src/platform/provider.ts";
import { createRandom, type Random } from "../../../provider/simulate/random.ts";
import { addressOf, hex, isCombinationNumber } from "../../../soak/named-objects.ts";
import { outcomeToken } from "./generated-combos.ts";
import { generateTradedMarkets, hintOf, type GeneratedMarket } from "./generated-markets.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

const DAYS = 90;
/** Executions between two updates of the list of open markets. */
const MARKETS_FOR = 500;
/** The share of makers' fills that one trader gets: a tenth of all fills, a hundred thousand of a million. */
const BUSIEST_SHARE = 1 / 6;
const MOST_MAKERS = 2;

/** One page of both feeds: the takers of its executions, and their makers. */
export interface GeneratedPage {
  readonly takers: readonly ProviderTrade[];
  readonly makers: readonly ProviderTrade[];
}

/**
 * `fills` generated fills over the ninety days before `nowMs`, oldest first. Few traders and markets have
 * most of them; one trader has a tenth. No trader sells shares it does not have. Some traders know more than
 * the price, so that grades differ. Every name contains "generated".
 */
export class GeneratedHistory {
  readonly markets: readonly GeneratedMarket[];
  readonly #wallets: number;
  readonly #fills: number;
  readonly #nowMs: number;
  readonly #random = createRandom("operations", "trades");
  /** Log odds of YES by market, from its first trade on. */
  readonly #logits = new Map<number, number>();
  #newest: GeneratedPage = { takers: [], makers: [] };
  /** Micro-shares by token, then wallet. */
  readonly #shareCounts = new Map<string, Map<number, number>>();

  constructor(fills: number, nowMs: number) {
    this.#fills = fills;
    this.#nowMs = nowMs;
    this.#wallets = Math.max(200, Math.floor(fills / 50));
    this.markets = generateTradedMarkets(Math.max(300, Math.floor(fills / 200)), DAYS, nowMs);
  }

  /** Pages of at most `mostRows` fills, oldest page first; rows newest first, as in the provider's pages. */
  *pages(mostRows: number): Generator<GeneratedPage> {
    const startMs = this.#nowMs - DAYS * DAY_MS;
    let takers: ProviderTrade[] = [];
    let makers: ProviderTrade[] = [];
    let open: readonly GeneratedMarket[] = [];
    for (let generated = 0, execution = 0; generated < this.#fills; execution++) {
      const atMs = Math.floor((startMs + (this.#nowMs - startMs) * (generated / this.#fills)) / 1000) * 1000;
      if (execution % MARKETS_FOR === 0)
        open = this.markets.filter((market) => market.startMs <= atMs && market.endMs > atMs);
      const market = open[Math.floor(open.length * this.#random.next() ** 4)];
      if (market === undefined) throw new Error("no market is open");
      const [taker, ...others] = this.#execute(market, execution, atMs);
      if (taker === undefined) continue;
      takers.push(taker);
      makers.push(...others);
      generated += 1 + others.length;
      if (takers.length + makers.length < mostRows) continue;
      yield this.#close(takers, makers);
      [takers, makers] = [[], []];
    }
    yield this.#close(takers, makers);
  }

  /** The newest page so far. */
  get newest(): GeneratedPage {
    return this.#newest;
  }

  /** The last traded price of YES; null if the market was never traded. */
  lastPrice(market: GeneratedMarket): number | null {
    const logit = this.#logits.get(market.n);
    return logit === undefined ? null : priceAt(logit);
  }

  /** The holders of an outcome, most shares first. */
  holders(market: GeneratedMarket, outcome: number): readonly { address: string; sharesMicro: bigint }[] {
    return [...(this.#shareCounts.get(outcomeToken(market.n, outcome)) ?? [])]
      .filter(([, shares]) => shares > 100_000)
      .toSorted((a, b) => b[1] - a[1])
      .map(([wallet, shares]) => ({ address: addressOf(wallet), sharesMicro: BigInt(shares) }));
  }

  /** The numbers of the combos that a wallet has traded, by its address. */
  combosByAddress(): ReadonlyMap<string, readonly number[]> {
    const combos = new Map<string, number[]>();
    for (const { n } of this.markets.filter((market) => isCombinationNumber(market.n))) {
      const wallets = [0, 1].flatMap((index) => [...(this.#shareCounts.get(outcomeToken(n, index))?.keys() ?? [])]);
      for (const wallet of new Set(wallets)) {
        const address = addressOf(wallet);
        combos.set(address, [...(combos.get(address) ?? []), n]);
      }
    }
    return combos;
  }

  #close(takers: readonly ProviderTrade[], makers: readonly ProviderTrade[]): GeneratedPage {
    if (takers.length > 0) this.#newest = { takers: takers.toReversed(), makers: makers.toReversed() };
    return { takers: takers.toReversed(), makers: makers.toReversed() };
  }

  #execute(market: GeneratedMarket, execution: number, atMs: number): ProviderTrade[] {
    const random = this.#random;
    const drift = market.winner === 0 ? 0.001 : -0.001;
    const logit = (this.#logits.get(market.n) ?? market.startLogit) + drift + 0.04 * random.normal();
    this.#logits.set(market.n, Math.max(-3.5, Math.min(3.5, logit)));
    const taker = Math.floor(this.#wallets * random.next() ** 3);
    const knows = random.chance(skillOf(taker));
    const outcome = knows ? market.winner : random.chance(0.5) ? 0 : 1;
    const price = outcomePrice(priceAt(logit), outcome);
    const held = this.#sharesOf(market, outcome, taker);
    const wanted = Math.round((drawUsd(random, taker) / Number(price)) * 1e6);
    const sells = !knows && held > 0 && random.chance(0.6);
    const shares = sells ? Math.min(held, wanted) : wanted;
    const record = (wallet: number, side: "BUY" | "SELL", of: number, micro: number): ProviderTrade => {
      this.#move(market, of, wallet, side === "BUY" ? micro : -micro);
      return this.#trade(
        market,
        { wallet, side, outcome: of, micro, price: of === outcome ? price : complement(price) },
        execution,
        atMs,
      );
    };
    const rows = [record(taker, sells ? "SELL" : "BUY", outcome, shares)];
    const makers = random.integer(1, MOST_MAKERS);
    for (let index = 0; index < makers; index++) {
      const part = index === makers - 1 ? shares - Math.floor(shares / makers) * index : Math.floor(shares / makers);
      const maker = random.chance(BUSIEST_SHARE) ? 0 : Math.floor(this.#wallets * 0.2 * random.next() ** 2);
      if (part <= 0 || maker === taker) continue;
      // The other side of a purchase is a sale, or a purchase of the other outcome.
      const of = sells ? outcome : 1 - outcome;
      const isSale = !sells && this.#sharesOf(market, outcome, maker) >= part;
      rows.push(isSale ? record(maker, "SELL", outcome, part) : record(maker, "BUY", of, part));
    }
    return rows;
  }

  #trade(
    market: GeneratedMarket,
    fill: { wallet: number; side: "BUY" | "SELL"; outcome: number; micro: number; price: string },
    execution: number,
    atMs: number,
  ): ProviderTrade {
    const sharesMicro = BigInt(fill.micro);
    return {
      trader: { address: addressOf(fill.wallet), username: `generated-${fill.wallet}`, profileImage: null },
      market: hintOf(market),
      tokenId: outcomeToken(market.n, fill.outcome),
      outcomeIndex: fill.outcome,
      outcomeLabel: fill.outcome === 0 ? "Yes" : "No",
      side: fill.side,
      sharesMicro,
      usdMicro: multiplyMicro(sharesMicro, fill.price) ?? 0n,
      feeMicro: 0n,
      price: fill.price,
      tradedAt: new Date(atMs),
      txHash: `0x${"be".repeat(4)}${hex(execution + 1, 56).slice(2)}`,
    };
  }

  #sharesOf(market: GeneratedMarket, outcome: number, wallet: number): number {
    return this.#shareCounts.get(outcomeToken(market.n, outcome))?.get(wallet) ?? 0;
  }

  #move(market: GeneratedMarket, outcome: number, wallet: number, shares: number): void {
    const token = outcomeToken(market.n, outcome);
    const held = this.#shareCounts.get(token) ?? new Map<number, number>();
    held.set(wallet, (held.get(wallet) ?? 0) + shares);
    this.#shareCounts.set(token, held);
  }
}

const priceAt = (logit: number): number => Math.round(1000 / (1 + Math.exp(-logit))) / 1000;
const outcomePrice = (ofYes: number, outcome: number): string => (outcome === 0 ? ofYes : 1 - ofYes).toFixed(3);
const complement = (price: string): string => (1 - Number(price)).toFixed(3);

/** How often a trader knows the winner: one of ten mostly, three of ten sometimes, the others never. */
const skillOf = (wallet: number): number => (wallet % 10 === 7 ? 0.7 : wallet % 10 < 3 ? 0.15 : 0);

/** One trader of six trades in hundreds of dollars, the others in tens; the tail reaches thousands. */
function drawUsd(random: Random, wallet: number): number {
  const isRich = wallet % 6 === 0;
  return Math.min(400_000, Math.max(1, (isRich ? 500 : 12) * Math.exp((isRich ? 2 : 1.1) * random.normal())));
}
