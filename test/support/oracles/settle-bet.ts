import { addBet, EMPTY_CLUSTER, type ClusterSums } from "../../../src/scoring/skill/cluster-sums.ts";
import { replaceCluster, type SkillEvidence } from "../../../src/scoring/skill/evidence.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";

/** What a settlement changes: a trader's evidence, and the sums of the bet's cluster. */
export interface SkillRecord {
  readonly evidence: SkillEvidence;
  readonly cluster: ClusterSums;
}

/** Adds a settled bet. */
export function settleBet({ evidence, cluster }: SkillRecord, bet: SettledBet): SkillRecord {
  const after = addBet(cluster, bet);
  return { evidence: replaceCluster(evidence, cluster, after), cluster: after };
}

/** Removes a bet whose settlement was reversed. Exactly undoes `settleBet`. */
export function reverseBet({ evidence, cluster }: SkillRecord, bet: SettledBet): SkillRecord {
  const after = removeBet(cluster, bet);
  return { evidence: replaceCluster(evidence, cluster, after), cluster: after };
}

/** Undoes `addBet`: the sums are integers, so that a bet is subtracted exactly. */
export function removeBet(sums: ClusterSums, bet: SettledBet): ClusterSums {
  const one = addBet(EMPTY_CLUSTER, bet);
  return {
    bets: sums.bets - one.bets,
    usdMicro: sums.usdMicro - one.usdMicro,
    edgeMicro: sums.edgeMicro - one.edgeMicro,
    varianceMicro: sums.varianceMicro - one.varianceMicro,
  };
}
