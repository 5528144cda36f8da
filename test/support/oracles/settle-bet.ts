import { combineSums, type ClusterSums } from "../../../src/scoring/skill/cluster-sums.ts";
import { replaceCluster, type SkillEvidence } from "../../../src/scoring/skill/evidence.ts";
import { addBet, netMarket, type MarketBet, type MarketBets } from "../../../src/scoring/skill/market-bets.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";

/** What a settlement changes: a trader's evidence, the sums of the bet's cluster, and its bets in the market. */
export interface SkillRecord {
  readonly evidence: SkillEvidence;
  readonly cluster: ClusterSums;
  readonly market: MarketBets;
}

/** Adds a settled bet. */
export const settleBet = (record: SkillRecord, bet: SettledBet): SkillRecord =>
  withMarket(record, addBet(record.market, marketBet(bet, 1)));

/** Removes a bet whose settlement was reversed. Exactly undoes `settleBet`. */
export function reverseBet(record: SkillRecord, bet: SettledBet): SkillRecord {
  const { bets } = record.market;
  return withMarket(record, { ...addBet(record.market, marketBet(bet, -1)), bets: bet.isMaker ? bets : bets - 1 });
}

function withMarket({ evidence, cluster, market: before }: SkillRecord, market: MarketBets): SkillRecord {
  const after = combineSums(combineSums(cluster, netMarket(before), -1), netMarket(market), 1);
  return { evidence: replaceCluster(evidence, cluster, after), cluster: after, market };
}

const marketBet = ({ outcome, shares, usd, payout, isMaker = false }: SettledBet, sign: 1 | -1): MarketBet => ({
  outcome,
  sharesMicro: sign * Math.round(shares * 1e6),
  usdMicro: sign * Math.round(usd * 1e6),
  payout,
  isMaker,
});
