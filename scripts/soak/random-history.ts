import { multiplyMicro } from "../../src/domain/money.ts";
import type {
  ActivityType,
  OtherActivity,
  ProviderMarket,
  ProviderResolution,
  ProviderTrade,
} from "../../src/platform/provider.ts";
import { createRandom, type Random } from "../provider/simulate/random.ts";
import {
  addressOf,
  aMarket,
  conditionOf,
  FIVE,
  hex,
  isCombinationNumber,
  isKnownAtFirst,
  marketHint,
  negRiskEventOf,
  questionsOf,
  tokenOf,
  walletHint,
} from "./named-objects.ts";

/** One transaction. Its trades are adjacent in every feed. */
export interface Transaction {
  readonly atSeconds: number;
  readonly trades: readonly { readonly trade: ProviderTrade; readonly taker: boolean }[];
  /** Rows that only the trader's own activity contains. */
  readonly others: readonly OtherActivity[];
}

export interface Round {
  readonly transactions: readonly Transaction[];
  readonly rulings: readonly ProviderResolution[];
}

export interface RandomHistory {
  readonly rounds: number;
  round(index: number): Round;
  /** The provider's market objects: those read before the first trade, and all of them. */
  readonly marketsAtFirst: readonly ProviderMarket[];
  readonly markets: readonly ProviderMarket[];
  /** Whether the trader's activity is read. */
  isFollowed(address: string): boolean;
}

const MOST_ROUND_FILLS = 10_000;
const ROUND_SECONDS = 6 * 3_600;
/** Two hours before the end of a UTC day. */
const START_SECONDS = 1_760_047_200;
/** Few distinct times a round, so that many rows share one. */
const MOMENTS = 600;
const FOLLOWED = 100;
const RECEIPTS: readonly ActivityType[] = [
  "MAKER_REBATE",
  "TAKER_REBATE",
  "REWARD",
  "YIELD",
  "REFERRAL_REWARD",
  "REDEEM",
];
const PAYOUTS = [[1_000_000, 0], [0, 1_000_000], [500_000, 500_000], [333_333, 666_667], null];

/**
 * `fills` fills of traders and markets of very unequal size, combinations included: purchases, sales beyond
 * the position, splits, merges, conversions with and without proof in their rows, equal rows, rows of the
 * same second, prices of 0 and 1, sizes of a millionth; and resolutions that arrive, change, move to another
 * day, reverse and are withdrawn. Determined by the seed alone, one round at a time.
 */
export function randomHistory(fills: number, seed: number): RandomHistory {
  const wallets = Math.max(50, Math.floor(fills / 50));
  const markets = Array.from({ length: FIVE * Math.max(4, Math.floor(fills / 2_500)) }, (_, n) => aMarket(n));
  const followed = new Set(Array.from({ length: FOLLOWED }, (_, n) => addressOf(n)));
  const roundFills = Math.min(MOST_ROUND_FILLS, Math.ceil(fills / 10));
  const rounds = Math.ceil(fills / roundFills);
  return {
    rounds,
    markets: markets.filter((_, n) => !isCombinationNumber(n)),
    marketsAtFirst: markets.filter((_, n) => isKnownAtFirst(n)),
    isFollowed: (address) => followed.has(address),
    round(index) {
      const random = createRandom(seed, "round", index);
      const transactions: Transaction[] = [];
      for (let left = Math.min(roundFills, fills - index * roundFills); left > 0;) {
        const at = START_SECONDS + index * ROUND_SECONDS + random.integer(0, MOMENTS - 1) * (ROUND_SECONDS / MOMENTS);
        const transaction = random.chance(0.05)
          ? anOther(random, at, markets.length)
          : trades(random, at, { wallets, markets: markets.length, most: left });
        left -= transaction.trades.length;
        transactions.push(transaction);
      }
      transactions.sort((a, b) => a.atSeconds - b.atSeconds);
      const rulings = Array.from({ length: Math.max(4, Math.ceil(markets.length / 100)) }, () =>
        aResolution(random, index, anyMarket(random, markets.length)),
      );
      return { transactions, rulings };
    },
  };
}

const txHash = (random: Random) =>
  `0x${Array.from({ length: 8 }, () => hex(random.integer(0, 2 ** 32 - 1), 8).slice(2)).join("")}`;
/** Low numbers are far more frequent: the first of 20,000 traders has 3.7 %, of 2,000 markets 2.2 %. */
const aWallet = (random: Random, count: number) => Math.floor(count * random.next() ** 3);
const anyMarket = (random: Random, count: number) => Math.floor(count * random.next() ** 2);
/** A taker against makers of the other side; any of their fills may occur several times. */
function trades(
  random: Random,
  atSeconds: number,
  world: { wallets: number; markets: number; most: number },
): Transaction {
  const hash = txHash(random);
  // Sometimes the one position with far more fills than any other.
  const isBot = random.chance(0.005);
  const market = isBot ? 0 : anyMarket(random, world.markets);
  const outcome = random.chance(0.7) ? 0 : 1;
  const takerBuys = random.chance(0.6);
  const rows: Transaction["trades"][number][] = [];
  const named = new Set<string>();
  for (let left = random.integer(1, 4); left > 0 && rows.length < world.most; left--) {
    const taker = rows.length === 0;
    const [wallet, sharesMicro] = [isBot ? 0 : aWallet(random, world.wallets), aSize(random)];
    // Rows with equal identity must be equal in everything, because nothing else distinguishes them.
    const name = `${wallet} ${sharesMicro} ${taker}`;
    if (named.has(name)) continue;
    named.add(name);
    const price = aPrice(random);
    const trade: ProviderTrade = {
      trader: walletHint(wallet),
      market: marketHint(market),
      tokenId: tokenOf(market, outcome),
      outcomeIndex: outcome,
      outcomeLabel: outcome === 0 ? "Yes" : "No",
      side: taker === takerBuys ? "BUY" : "SELL",
      sharesMicro,
      usdMicro: multiplyMicro(sharesMicro, price) ?? 0n,
      feeMicro: random.chance(0.5) ? BigInt(random.integer(0, 1_000_000)) : 0n,
      price,
      tradedAt: new Date(atSeconds * 1000),
      txHash: hash,
    };
    const copies = Math.min(random.chance(0.05) ? random.integer(2, 3) : 1, world.most - rows.length);
    for (let copy = 0; copy < copies; copy++) rows.push({ trade, taker });
  }
  return { atSeconds, trades: rows, others: [] };
}

function anOther(random: Random, atSeconds: number, markets: number): Transaction {
  const inMarket = random.chance(0.5);
  const market = anyMarket(random, markets);
  const event = inMarket && random.chance(0.6) ? negRiskEventOf(market) : null;
  if (event !== null) return aConversion(random, atSeconds, event);
  // The legs of a split can be booked only in a market with known outcomes.
  const type = !inMarket ? random.pick(RECEIPTS) : isKnownAtFirst(market) && random.chance(0.6) ? "SPLIT" : "MERGE";
  if (inMarket && !isKnownAtFirst(market)) return { atSeconds, trades: [], others: [] };
  const sharesMicro = aSize(random);
  const other: OtherActivity = {
    trader: walletHint(aWallet(random, FOLLOWED)),
    type,
    market: inMarket ? marketHint(market) : null,
    tokenId: null,
    sharesMicro,
    usdMicro: sharesMicro,
    happenedAt: new Date(atSeconds * 1000),
    txHash: txHash(random),
  };
  return { atSeconds, trades: [], others: [other] };
}

/**
 * A conversion of all questions of an event, some of them, or one, which proves nothing; with or without its
 * dollars and tokens.
 */
function aConversion(random: Random, atSeconds: number, event: number): Transaction {
  const named = questionsOf(event).filter(() => random.chance(0.7));
  const [wallet, sharesMicro, hash] = [walletHint(aWallet(random, FOLLOWED)), aSize(random), txHash(random)];
  const [hasDollars, hasTokens] = [random.chance(0.9), random.chance(0.5)];
  const paidMicro = hasDollars ? sharesMicro * BigInt(named.length - 1) : 0n;
  const others = named.map((market, index): OtherActivity => ({
    trader: wallet,
    type: "CONVERSION",
    market: marketHint(market),
    tokenId: hasTokens ? tokenOf(market, 1) : null,
    sharesMicro,
    usdMicro: index === 0 ? paidMicro : 0n,
    happenedAt: new Date(atSeconds * 1000),
    txHash: hash,
  }));
  return { atSeconds, trades: [], others };
}

function aSize(random: Random): bigint {
  if (random.chance(0.05)) return 1n;
  return BigInt(Math.floor(10 ** random.between(0.5, 10.5)));
}

function aPrice(random: Random): string {
  const draw = random.next();
  if (draw < 0.03) return "0";
  if (draw < 0.06) return "1";
  if (draw < 0.5) return `0.${String(random.integer(1, 99)).padStart(2, "0")}`;
  return `0.${String(random.integer(1, 9_999_999_999)).padStart(10, "0")}`;
}

function aResolution(random: Random, round: number, market: number): ProviderResolution {
  const payoutsPpm = random.pick(PAYOUTS);
  const at = START_SECONDS + (round + random.integer(-8, 8)) * ROUND_SECONDS;
  return {
    conditionId: conditionOf(market),
    status: payoutsPpm === null ? "disputed" : "resolved",
    payoutsPpm,
    resolvedAt: payoutsPpm === null ? null : new Date(at * 1000),
    expectedAt: null,
  };
}
