import type { StoredPile } from "../../../domain/edge/edge-snapshot.ts";
import { presentUsd } from "../../../domain/money.ts";
import { presentFloat } from "../../../domain/present-float.ts";

/** Shares are fractions of four decimals. */
const DECIMALS = 4;

/** The fields that signals and observations share. */
export function presentPile(pile: StoredPile) {
  const backing = presentUsd(pile.backing_micro);
  const sideShare = presentFloat(pile.side_share, DECIMALS);
  const { one_way: oneWay } = pile;
  return {
    side: pile.outcome_label,
    backing_score: backing,
    side_share: sideShare,
    token_id: pile.token_id,
    raw_category: pile.raw_category,
    event_slug: pile.event_slug,
    piled_side: pile.outcome_label,
    piled_outcome_index: pile.outcome_index,
    sharp_pct: presentFloat(pile.pile_share, DECIMALS),
    backed_sharp_usd: presentUsd(pile.backed_micro),
    s_count: pile.s_count,
    a_count: pile.a_count,
    b_count: pile.b_count,
    graded_holders: pile.s_count + pile.a_count + pile.b_count,
    top_grade: pile.top_grade,
    smart_score: sideShare,
    conviction_score: backing,
    one_way_holder_count: oneWay?.holders ?? null,
    hedged_holder_count: oneWay?.hedged_holders ?? null,
    one_way_graded_usd: oneWay === null ? null : presentUsd(oneWay.micro),
    // A pile is worth more than the other side, so its dollars are above 0.
    directional_confidence:
      oneWay === null ? null : presentFloat(Number(oneWay.micro) / Number(pile.backed_micro), DECIMALS),
    directional_rank_score: pile.rank_score,
  };
}
