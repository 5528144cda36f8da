/**
 * Operations that the contract does not have. The contract's rules for operations do not apply to them.
 *
 * - regenerateApiKeyUnderApiPath: the second path of regenerateApiKey, which the contract has in a remark.
 * - listProofHeads, getRowProof: the public proofs of the archive.
 */
export const ADDITIONS: readonly string[] = [
  "testWebhook",
  "regenerateApiKeyUnderApiPath",
  "listProofHeads",
  "getRowProof",
];

/**
 * Paths of optional response fields that the contract's schemas do not name. The specification allows a
 * version to add optional fields.
 *
 * - completeness: whether the profit beside it is complete, and what it leaves out.
 * - suspicion_status: which of its two reasons a null suspicion_score has.
 * - unavailable_executions: the known facts of executions without a known log index. The contract's
 * `executions` require one.
 * - database_schema: whether the database has every migration of the release.
 * - has_more, next_cursor: paging of the pick archive, whose contract has the parameters only.
 */
export const ADDED_FIELDS: readonly RegExp[] = [
  /^\/data(\/\d+)?(\/trader)?\/completeness$/,
  /^\/data(\/\d+)?(\/trade)?\/suspicion_status$/,
  /^\/data(\/counterparty_analysis)?\/unavailable_executions$/,
  /^\/data\/subsystems\/database_schema$/,
  /^\/(has_more|next_cursor)$/,
];
