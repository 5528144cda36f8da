import type { z } from "zod";
import { presentDecimal, presentMicro } from "../../../domain/money.ts";
import type { EdgeEntryRow, EdgeSnapshot, ObservationCohort } from "../../../queries/edge/edge-entries.ts";
import type { PreGameSideObservation } from "../schemas/observation-schemas.ts";
import { presentPile } from "./present-pile.ts";

export function presentObservation(
  row: EdgeEntryRow,
  cohort: ObservationCohort,
  { builtAt }: EdgeSnapshot,
): z.input<typeof PreGameSideObservation> {
  const { pile } = row;
  // The build emits an observation only with a title and a volume of at least one cent.
  if (pile.title === null || pile.volume_usd === null)
    throw new Error(`observation ${row.condition_id} is stored without a title or a volume`);
  return {
    ...presentPile(pile),
    condition_id: row.condition_id,
    category: row.sport,
    title: pile.title,
    event_id: pile.event_id,
    parent_event_id: pile.parent_event_id,
    game_start_time: row.kickoff_at,
    observed_at: builtAt,
    cohort,
    observation_only: true,
    backed_price: presentMicro(pile.price_micro, 4),
    volume: presentDecimal(pile.volume_usd, 2),
    provider_read_source: "cached",
    holder_scan_complete: pile.is_scan_complete,
    holder_snapshot_at: pile.scanned_at,
    directional_status: pile.one_way === null ? "unknown_stale" : "available",
    rank: row.rank,
  };
}
