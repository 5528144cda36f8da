import { combineSums, type ClusterSums } from "../../src/scoring/skill/cluster-sums.ts";
import { evidenceOfClusters, type SkillEvidence, type StoryCluster } from "../../src/scoring/skill/evidence.ts";
import { RECENT_DAYS } from "../../src/scoring/skill/parameters.ts";

const DAY = 86_400;

/** The day of a time in seconds. */
export const dayOf = (at: number): number => Math.floor(at / DAY);

/** What one settlement changed in the sums of a trader's cluster. */
export interface SettledSums {
  readonly day: number;
  readonly cluster: number;
  /** -1 where the cluster has none. */
  readonly story: number;
  readonly sums: ClusterSums;
}

export interface RecentEvidence {
  readonly evidence: SkillEvidence;
  /** When the first settlement stops being recent, seconds; Infinity without any. */
  readonly until: number;
}

/** The evidence of one trader that settled on the last RECENT_DAYS days or today. @param settled newest first */
export function recentEvidence(settled: Iterable<SettledSums>, at: number): RecentEvidence {
  const clusters = new Map<number, StoryCluster>();
  let first = Number.POSITIVE_INFINITY;
  for (const { day, cluster, story, sums } of settled) {
    if (day < dayOf(at) - RECENT_DAYS) break;
    const known = clusters.get(cluster);
    clusters.set(cluster, {
      sums: known === undefined ? sums : combineSums(known.sums, sums, 1),
      story: story === -1 ? null : story,
    });
    first = day;
  }
  return { evidence: evidenceOfClusters(clusters.values()), until: (first + RECENT_DAYS + 1) * DAY };
}
