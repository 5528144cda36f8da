import { combineSums, EMPTY_CLUSTER, type ClusterSums } from "../../src/scoring/skill/cluster-sums.ts";
import { NO_EVIDENCE, replaceCluster, replaceInStory, type SkillEvidence } from "../../src/scoring/skill/evidence.ts";
import {
  addBet,
  addClose,
  NO_BETS,
  netMarket,
  type MarketBet,
  type MarketBets,
} from "../../src/scoring/skill/market-bets.ts";
import { EMPTY_STORY, type StorySums } from "../../src/scoring/skill/story-sums.ts";
import { nth } from "./nth.ts";
import { dayOf, recentEvidence, type RecentEvidence, type SettledSums } from "./recent-evidence.ts";

/** The compared ways of gathering evidence; `published` is the product's. */
const VARIANTS = ["published", "with_sales", "by_market", "by_bet"] as const;
export type Variant = (typeof VARIANTS)[number];

/** A bet of the study. A sale is a purchase of the other side. */
export interface StudyBet {
  readonly cluster: number;
  /** -1 where the cluster has none. */
  readonly story: number;
  readonly market: number;
  readonly outcome: number;
  readonly price: number;
  readonly usd: number;
  readonly payout: number;
  readonly isSale: boolean;
  readonly isMaker: boolean;
  /** The closing price of the outcome for its trader; null where none is known, or after the close. */
  readonly close: number | null;
}

/** A trader's record for all estimators: sums over settled bets. */
export class TraderRecord {
  readonly evidence: Record<Variant, SkillEvidence> = {
    published: NO_EVIDENCE,
    with_sales: NO_EVIDENCE,
    by_market: NO_EVIDENCE,
    by_bet: NO_EVIDENCE,
  };
  /** Not kept for bets that are clusters of their own: none of them changes. */
  readonly #books: Record<Exclude<Variant, "by_bet">, Book> = {
    published: new Book(),
    with_sales: new Book(),
    by_market: new Book(),
  };
  readonly #variants: ReadonlySet<Variant>;
  /** Of the published variant, in the order of their times. */
  readonly #settled: SettledSums[] = [];
  bets = 0;
  wins = 0;
  /** Sum of payout - price over purchases, each counted once. */
  edge = 0;
  purchases = 0;
  /** Of purchases and sales. */
  profitUsd = 0;
  volumeUsd = 0;
  lastSettledAt = Number.NEGATIVE_INFINITY;

  /** @param variants that are needed: each costs time and memory */
  constructor(variants: readonly Variant[] = VARIANTS) {
    this.#variants = new Set(variants);
  }

  /** @param bets of one market, in the order of their times */
  settle(bets: readonly StudyBet[], at: number): void {
    const all = bets.map(({ outcome, price, usd, payout, isSale, isMaker, close }) => ({
      outcome,
      sharesMicro: Math.round((usd / Math.max(price, 1e-6)) * 1e6),
      usdMicro: Math.round(usd * 1e6),
      payout,
      isSale,
      isMaker,
      close,
    }));
    const purchases = all.filter(({ isSale }) => !isSale);
    const { cluster, story, market } = nth(bets, 0);
    this.#settleInto("with_sales", { cluster, story, market }, all);
    const sums = this.#settleInto("published", { cluster, story, market }, purchases);
    if (sums !== null) this.#settled.push({ day: dayOf(at), cluster, story, sums });
    this.#settleInto("by_market", { cluster: market, story: -1, market }, purchases);
    if (this.#variants.has("by_bet"))
      for (const bet of purchases)
        this.evidence.by_bet = replaceCluster(this.evidence.by_bet, EMPTY_CLUSTER, singleBet(bet));
    for (const bet of bets) this.#count(bet);
    this.lastSettledAt = at;
  }

  #count({ price, usd, payout, isSale }: StudyBet): void {
    this.bets += 1;
    this.profitUsd += price > 0 ? (usd / price) * (payout - price) : 0;
    this.volumeUsd += usd;
    if (isSale) return;
    this.purchases += 1;
    this.wins += payout > 0.5 ? 1 : 0;
    this.edge += payout - price;
  }

  /** The published variant's evidence of the last days before a time. */
  recentEvidence(at: number): RecentEvidence {
    return recentEvidence(newestFirst(this.#settled), at);
  }

  /** @returns what was added to the sums of the cluster; null without bets */
  #settleInto(
    variant: Exclude<Variant, "by_bet">,
    { cluster, story, market }: Pick<StudyBet, "cluster" | "story" | "market">,
    bets: readonly ClosingBet[],
  ): ClusterSums | null {
    if (!this.#variants.has(variant) || bets.length === 0) return null;
    const book = this.#books[variant];
    const { before, after } = book.add(cluster, market, bets);
    const evidence = this.evidence[variant];
    this.evidence[variant] =
      story === -1 ? replaceCluster(evidence, before, after) : book.replaceInStory(evidence, story, before, after);
    return combineSums(after, before, -1);
  }
}

function* newestFirst<Item>(items: readonly Item[]): Generator<Item> {
  for (let index = items.length - 1; index >= 0; index -= 1) yield nth(items, index);
}

const singleBet = (bet: MarketBet): ClusterSums => addClose(netMarket(addBet(NO_BETS, bet)), NO_BETS);

type ClosingBet = MarketBet & Pick<StudyBet, "close">;

/** A trader's bets by market, and their sums by cluster. */
class Book {
  readonly #markets = new Map<number, MarketBets>();
  /** Those from before the market's close, with closing prices as payouts. */
  readonly #early = new Map<number, MarketBets>();
  readonly #clusters = new Map<number, ClusterSums>();
  readonly #stories = new Map<number, StorySums>();

  /** @returns the sums of the cluster before and after */
  add(cluster: number, market: number, bets: readonly ClosingBet[]): { before: ClusterSums; after: ClusterSums } {
    const known = this.#markets.get(market) ?? NO_BETS;
    const next = bets.reduce(addBet, known);
    this.#markets.set(market, next);
    const knownEarly = this.#early.get(market) ?? NO_BETS;
    const early = bets.reduce(
      (sum, bet) => (bet.close === null ? sum : addBet(sum, { ...bet, payout: bet.close })),
      knownEarly,
    );
    if (early !== knownEarly) this.#early.set(market, early);
    const before = this.#clusters.get(cluster) ?? EMPTY_CLUSTER;
    const after = combineSums(
      combineSums(before, addClose(netMarket(known), knownEarly), -1),
      addClose(netMarket(next), early),
      1,
    );
    this.#clusters.set(cluster, after);
    return { before, after };
  }

  replaceInStory(evidence: SkillEvidence, story: number, before: ClusterSums, after: ClusterSums): SkillEvidence {
    const next = replaceInStory(evidence, this.#stories.get(story) ?? EMPTY_STORY, before, after);
    this.#stories.set(story, next.story);
    return next.evidence;
  }
}
