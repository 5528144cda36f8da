import type { z } from "zod";
import type { EdgeCohort, EdgeSport, StoredPile, StoredPileSkill } from "../../domain/edge/edge-snapshot.ts";
import { measurePile, type HolderPile, type PileFigures, type PileHolder } from "../../scoring/edge/holder-pile.ts";
import type { EmittedReason, MarketVerdict } from "../../scoring/edge/judge-market.ts";
import { measurePileSkill } from "../../scoring/edge/pile-skill.ts";
import type { BoardRow, BoardRowMarket } from "./load-board.ts";
import { skillKey, type CategorySkillOfHolder } from "./load-holders.ts";

/** A market that a snapshot emits. */
export interface EmittedSignal {
  readonly row: BoardRow;
  readonly market: BoardRowMarket;
  readonly verdict: Extract<MarketVerdict, { readonly pile: HolderPile }>;
}

/** A row of `edge_entries` without its generation. */
export interface RankedEntry {
  readonly cohort: EdgeCohort;
  readonly rank: number;
  readonly conditionId: string;
  readonly sport: EdgeSport;
  readonly kickoffAt: string;
  readonly isEmerging: boolean;
  readonly pile: z.input<typeof StoredPile>;
}

type SkillOfHolders = ReadonlyMap<string, CategorySkillOfHolder>;

const COHORT_OF: Readonly<Record<EmittedReason, EdgeCohort>> = {
  primary_slate_candidate: "signal",
  wider_holder_emitted: "wider_holder",
  in_play_emitted: "in_play",
};

/** Ranks the markets of each cohort: by the rank score, then by exact dollars, then by condition id. */
export function rankEntries(emitted: readonly EmittedSignal[], skill: SkillOfHolders): RankedEntry[] {
  const measured = emitted.map((one) => ({ ...one, figures: measurePile(one.verdict.pile) }));
  const byCohort = Map.groupBy(measured, ({ verdict }) => COHORT_OF[verdict.reason]);
  return [...byCohort].flatMap(([cohort, members]) =>
    members.toSorted(strongestFirst).map(({ row, market, verdict, figures }, index) => ({
      cohort,
      rank: index + 1,
      conditionId: market.condition_id,
      sport: row.sport,
      kickoffAt: isoOf(row.kickoff_ms),
      isEmerging: verdict.isEmerging,
      pile: {
        ...describeMarket(row, market, verdict.pile),
        ...describeFigures(figures, verdict.isDirectional),
        skill: cohort === "signal" ? describeSkill(verdict.pile.holders, row, skill) : null,
      },
    })),
  );
}

interface SignalStrength {
  readonly market: BoardRowMarket;
  readonly figures: PileFigures;
}

function strongestFirst(a: SignalStrength, b: SignalStrength): number {
  if (a.figures.rankScore !== b.figures.rankScore) return b.figures.rankScore - a.figures.rankScore;
  if (a.figures.backedMicro !== b.figures.backedMicro) return a.figures.backedMicro > b.figures.backedMicro ? -1 : 1;
  return a.market.condition_id < b.market.condition_id ? -1 : 1;
}

function describeMarket(row: BoardRow, market: BoardRowMarket, { outcomeIndex }: HolderPile) {
  const outcome = market.outcomes.find(({ index }) => index === outcomeIndex);
  // `judgeMarket` emits a market only with both tokens, a price of the piled outcome and a scan.
  if (outcome?.price_micro == null || market.scanned_at_ms === null)
    throw new Error(`market ${market.condition_id} was emitted without a token, a price or a scan`);
  const { main_event_id: mainId } = row;
  return {
    outcome_index: outcomeIndex,
    outcome_label: outcome.label,
    token_id: outcome.token_id,
    title: market.title,
    raw_category: row.league,
    event_slug: row.main_slug,
    event_id: market.event_id,
    parent_event_id: mainId === market.event_id ? null : mainId,
    price_micro: String(outcome.price_micro),
    volume_usd: market.volume_usd,
    scanned_at: isoOf(market.scanned_at_ms),
    is_scan_complete: !market.has_scan_failed,
    net_side: netSideOf(market.sharp_net_micro, outcomeIndex),
  };
}

function netSideOf(netMicro: bigint | null, outcomeIndex: 0 | 1): "BUY" | "SELL" | null {
  if (netMicro === null || netMicro === 0n) return null;
  return netMicro > 0n === (outcomeIndex === 0) ? "BUY" : "SELL";
}

function describeFigures(figures: PileFigures, isDirectional: boolean) {
  const { oneWayHolders, hedgedHolders, oneWayMicro } = figures;
  return {
    side_share: figures.sideShare,
    pile_share: figures.pileShare,
    backed_micro: String(figures.backedMicro),
    backing_micro: String(figures.backingMicro),
    s_count: figures.counts.S,
    a_count: figures.counts.A,
    b_count: figures.counts.B,
    top_grade: figures.topGrade,
    rank_score: figures.rankScore,
    one_way: isDirectional
      ? { holders: oneWayHolders, hedged_holders: hedgedHolders, micro: String(oneWayMicro) }
      : null,
  };
}

function describeSkill(
  holders: readonly PileHolder[],
  { sport }: BoardRow,
  skillOf: SkillOfHolders,
): z.input<typeof StoredPileSkill> {
  const known = holders.map(({ traderId, usdMicro }) => {
    const found = skillOf.get(skillKey(traderId, sport));
    if (found === undefined) throw new Error(`the category skill of trader ${traderId} was not loaded`);
    return { ...found, usdMicro };
  });
  const skill = measurePileSkill(known);
  return {
    status: skill.status,
    observation_started_at: firstOf(known.map(({ firstAt }) => firstAt)),
    as_of: firstOf(known.map(({ computedAt }) => computedAt)),
    eligible_holders: skill.eligibleHolders,
    covered_holders: skill.coveredHolders,
    covered_micro: String(skill.coveredMicro),
    coverage: skill.coverage,
    edge_mean: skill.edgeMean,
    lower_mean: skill.lowerMean,
    specialist_micro: String(skill.specialistMicro),
    specialist_share: skill.specialistShare,
    largest_share: skill.largestShare,
    minimum_events: skill.minimumEvents,
  };
}

/** The earliest of these ISO times; null when none is known. */
const firstOf = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).toSorted()[0] ?? null;

const isoOf = (ms: number): string => new Date(ms).toISOString();
