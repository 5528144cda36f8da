import { combineSums, type ClusterSums } from "../../../src/scoring/skill/cluster-sums.ts";
import { replaceCluster, replaceInStory, type SkillEvidence } from "../../../src/scoring/skill/evidence.ts";
import {
  addBet,
  addClose,
  netMarket,
  type MarketBet,
  type MarketBets,
} from "../../../src/scoring/skill/market-bets.ts";
import { EMPTY_STORY, type StorySums } from "../../../src/scoring/skill/story-sums.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";

/** What a settlement changes: a trader's evidence, the sums of the bet's story and cluster, and its bets in the market. */
export interface SkillRecord {
  readonly evidence: SkillEvidence;
  readonly cluster: ClusterSums;
  readonly story: StorySums;
  readonly market: MarketBets;
  /** Those from before the close, with closing prices as payouts. */
  readonly early: MarketBets;
}

/** Adds a settled bet. */
export const settleBet = (record: SkillRecord, bet: SettledBet): SkillRecord => withBet(record, bet, 1);

/** Removes a bet whose settlement was reversed. Exactly undoes `settleBet`. */
export const reverseBet = (record: SkillRecord, bet: SettledBet): SkillRecord => withBet(record, bet, -1);

function withBet(record: SkillRecord, bet: SettledBet, sign: 1 | -1): SkillRecord {
  const market = change(record.market, bet, bet.payout, sign);
  const early = bet.close === undefined ? record.early : change(record.early, bet, bet.close, sign);
  const before = addClose(netMarket(record.market), record.early);
  const after = combineSums(combineSums(record.cluster, before, -1), addClose(netMarket(market), early), 1);
  const next =
    bet.story === undefined
      ? { evidence: replaceCluster(record.evidence, record.cluster, after), story: EMPTY_STORY }
      : replaceInStory(record.evidence, record.story, record.cluster, after);
  return { ...next, cluster: after, market, early };
}

function change(bets: MarketBets, bet: SettledBet, payout: number, sign: 1 | -1): MarketBets {
  const changed = addBet(bets, marketBet({ ...bet, payout }, sign));
  return sign === 1 || bet.isMaker ? changed : { ...changed, bets: bets.bets - 1 };
}

const marketBet = ({ outcome, shares, usd, payout, isMaker = false }: SettledBet, sign: 1 | -1): MarketBet => ({
  outcome,
  sharesMicro: sign * Math.round(shares * 1e6),
  usdMicro: sign * Math.round(usd * 1e6),
  payout,
  isMaker,
});
