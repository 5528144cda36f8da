import type { z } from "zod";
import { TAXONOMY_VERSION } from "../../../domain/categories/categories.ts";
import type { StoredPileSkill } from "../../../domain/edge/edge-snapshot.ts";
import { presentDecimal, presentUsd } from "../../../domain/money.ts";
import { presentFloat } from "../../../domain/present-float.ts";
import { sha256, toHex } from "../../../lib/crypto/hmac.ts";
import type { EdgeEntryRow, EdgeSnapshot } from "../../../queries/edge/edge-entries.ts";
import { CATEGORY_SKILL_VERSION } from "../../../scoring/skill/category-skill.ts";
import type { PreGameSide, PreGameSideCategorySkill } from "../schemas/signal-schemas.ts";
import { presentPile } from "./present-pile.ts";

const DECIMALS = 4;

type Signal = z.input<typeof PreGameSide>;
type BareSignal = Omit<Signal, "category_skill">;

export interface PresentedSignals {
  readonly data: Signal[];
  /** SHA-256 of the rows before category skill was added, and of the rows as sent without it. */
  readonly baseHash: string;
  readonly enrichedBaseHash: string;
}

export async function presentSignals(rows: readonly EdgeEntryRow[], snapshot: EdgeSnapshot): Promise<PresentedSignals> {
  const bare = rows.map((row) => presentBareSignal(row, snapshot));
  const baseHash = await hashOf(bare);
  const data = rows.map((row, index) => addSkill(bare[index], row, snapshot));
  const enrichedBaseHash = await hashOf(data.map(({ category_skill: _, ...rest }) => rest));
  return { data, baseHash, enrichedBaseHash };
}

const hashOf = async (rows: readonly BareSignal[]): Promise<string> => toHex(await sha256(JSON.stringify(rows)));

function presentBareSignal(row: EdgeEntryRow, { builtAt }: EdgeSnapshot): BareSignal {
  const { pile } = row;
  return {
    ...presentPile(pile),
    ranked_at: builtAt,
    condition_id: row.condition_id,
    signal_created_at: builtAt,
    category: row.sport,
    title: pile.title,
    game_start_time: row.kickoff_at,
    volume: presentDecimal(pile.volume_usd, 2),
    net_side: pile.net_side,
    rank: row.rank,
  };
}

function addSkill(bare: BareSignal | undefined, { pile, sport }: EdgeEntryRow, { builtAt }: EdgeSnapshot): Signal {
  if (bare === undefined || pile.skill === null) throw new Error("a signal is stored without its category skill");
  return { ...bare, category_skill: presentSkill(pile.skill, presentUsd(pile.backed_micro), sport, builtAt) };
}

function presentSkill(
  skill: StoredPileSkill,
  backedUsd: number,
  sport: string,
  builtAt: string,
): z.input<typeof PreGameSideCategorySkill> {
  const isCovered = skill.covered_holders > 0;
  return {
    status: skill.status,
    model_version: CATEGORY_SKILL_VERSION,
    taxonomy_version: TAXONOMY_VERSION,
    platform: "polymarket",
    scope: "observed_goldsky_primary_taker_fill",
    source_coverage: "graded_wallet_fills",
    observation_started_at: skill.observation_started_at ?? builtAt,
    as_of: skill.as_of ?? builtAt,
    canonical_category: sport,
    eligible_holders: skill.eligible_holders,
    covered_holders: skill.covered_holders,
    backed_sharp_usd: backedUsd,
    covered_backed_usd: isCovered ? presentUsd(skill.covered_micro) : null,
    coverage_pct: presentFloat(skill.coverage, DECIMALS),
    weighted_edge_mean: presentFloat(skill.edge_mean, DECIMALS),
    weighted_holder_lower_mean: presentFloat(skill.lower_mean, DECIMALS),
    specialist_backed_usd: isCovered ? presentUsd(skill.specialist_micro) : null,
    specialist_backed_usd_pct: isCovered ? presentFloat(skill.specialist_share, DECIMALS) : null,
    largest_holder_backed_usd_pct: presentFloat(skill.largest_share, DECIMALS),
    minimum_holder_event_count: skill.minimum_events,
  };
}
