/** Operations of ours that the contract does not have: what it says of operations does not hold for them. */
export const ADDITIONS: readonly string[] = ["testWebhook"];

/**
 * Paths of optional fields of ours that the contract's schemas do not name. The specification lets a version grow by optional fields.
 *
 * - completeness: whether the profit beside it is whole, and what it leaves out.
 * - suspicion_status: which of its two reasons a null suspicion_score has.
 * - unavailable_executions: what is known of executions whose log index, which the contract's `executions` require, is not known.
 */
export const ADDED_FIELDS: readonly RegExp[] = [
  /^\/data(\/\d+)?(\/trader)?\/completeness$/,
  /^\/data(\/\d+)?(\/trade)?\/suspicion_status$/,
  /^\/data(\/counterparty_analysis)?\/unavailable_executions$/,
];
