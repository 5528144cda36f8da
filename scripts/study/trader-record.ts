import { addBet, EMPTY_CLUSTER, type ClusterSums } from "../../src/scoring/skill/cluster-sums.ts";
import { NO_EVIDENCE, replaceCluster, type SkillEvidence } from "../../src/scoring/skill/evidence.ts";
import type { SettledBet } from "../../src/scoring/skill/settled-bet.ts";

/** The compared ways of gathering evidence; `published` is the product's. */
export const VARIANTS = ["published", "with_sales", "by_market", "by_bet"] as const;
export type Variant = (typeof VARIANTS)[number];

/** A trader's record for all estimators: sums over settled bets. */
export class TraderRecord {
  readonly evidence: Record<Variant, SkillEvidence> = {
    published: NO_EVIDENCE,
    with_sales: NO_EVIDENCE,
    by_market: NO_EVIDENCE,
    by_bet: NO_EVIDENCE,
  };
  readonly #clusters: Record<Variant, Map<number, ClusterSums>> = {
    published: new Map(),
    with_sales: new Map(),
    by_market: new Map(),
    by_bet: new Map(),
  };
  bets = 0;
  wins = 0;
  /** Sum of payout - price over purchases, each counted once. */
  edge = 0;
  purchases = 0;
  /** Of purchases and sales. */
  profitUsd = 0;
  volumeUsd = 0;
  lastSettledAt = Number.NEGATIVE_INFINITY;

  settle(cluster: number, market: number, bet: SettledBet, isSale: boolean, at: number): void {
    this.#settleInto("with_sales", cluster, bet);
    this.bets += 1;
    this.profitUsd += bet.price > 0 ? (bet.usd / bet.price) * (bet.payout - bet.price) : 0;
    this.volumeUsd += bet.usd;
    this.lastSettledAt = at;
    if (isSale) return;
    this.#settleInto("published", cluster, bet);
    this.#settleInto("by_market", market, bet);
    this.#settleInto("by_bet", this.purchases, bet);
    this.purchases += 1;
    this.wins += bet.payout > 0.5 ? 1 : 0;
    this.edge += bet.payout - bet.price;
  }

  #settleInto(variant: Variant, cluster: number, bet: SettledBet): void {
    const before = this.#clusters[variant].get(cluster) ?? EMPTY_CLUSTER;
    const after = addBet(before, bet);
    if (variant !== "by_bet") this.#clusters[variant].set(cluster, after);
    this.evidence[variant] = replaceCluster(this.evidence[variant], before, after);
  }
}
