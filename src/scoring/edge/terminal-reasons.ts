/** Where a market of the board can end in a snapshot. A market has exactly one of these. */
export const TERMINAL_REASONS = [
  "outside_horizon",
  "resolved",
  "provider_closed",
  "provider_excluded",
  "invalid_market",
  "missing_token",
  "missing_stored_market",
  "not_provider_live",
  "board_source_unavailable",
  "board_deadline_unavailable",
  "primary_slate_candidate",
  "zero_indexed_holder_research",
  "capacity_limited",
  "provider_unavailable",
  "holder_deadline_unavailable",
  "holder_computation_unavailable",
  "holder_scan_incomplete",
  "no_current_graded_holder",
  "split_holder_pile",
  "price_unavailable",
  "wider_holder_emitted",
  "in_play_emitted",
  "in_play_stale_observed",
  "in_play_directional_unavailable",
  "internal_unclassified",
] as const;

export type TerminalReason = (typeof TERMINAL_REASONS)[number];

/** The reasons that leave the verdict on a market open, because data is missing or too old. */
const DEGRADING: ReadonlySet<TerminalReason> = new Set([
  "missing_stored_market",
  "board_source_unavailable",
  "board_deadline_unavailable",
  "provider_unavailable",
  "holder_deadline_unavailable",
  "holder_computation_unavailable",
  "holder_scan_incomplete",
  "price_unavailable",
  "in_play_stale_observed",
  "in_play_directional_unavailable",
  "internal_unclassified",
]);

/** Whether a snapshot with a market that ended so is partial. A market beyond the scan capacity does not make it so. */
export const isDegrading = (reason: TerminalReason): boolean => DEGRADING.has(reason);
