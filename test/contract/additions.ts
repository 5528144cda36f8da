/**
 * Operations that the contract does not have. The contract's rules for operations do not apply to them.
 *
 * - regenerateApiKeyUnderApiPath: the second path of regenerateApiKey, which the contract has in a remark.
 * - getRecord: the public record of our own claims.
 * - listProofHeads, getRowProof: the public proofs of the archive.
 * - listWatchlists, createWatchlist, getWatchlist, replaceWatchlist, deleteWatchlist: stored lists of wallets.
 * - listOAuthGrants, revokeOAuthGrant: the website's own list of applications that have access.
 */
export const ADDITIONS: readonly string[] = [
  "testWebhook",
  "regenerateApiKeyUnderApiPath",
  "getRecord",
  "listProofHeads",
  "getRowProof",
  "listWatchlists",
  "createWatchlist",
  "getWatchlist",
  "replaceWatchlist",
  "deleteWatchlist",
  "listOAuthGrants",
  "revokeOAuthGrant",
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
 * - all_time_pnl_as_of: the time at which the open shares in the profit beside it were valued.
 * - has_more, next_cursor: paging of the pick archive, whose contract has the parameters only.
 * - chain_position_known: whether the block number and log index of a combo's fill are those of the chain.
 * - proof, proof_unavailable_reason, merkle_root: the signed manifest of a file.
 * - added_formats: the formats of exports that the contract does not have.
 * - sandbox_base_url, agent_registration_url, agent_guide_url, llms_txt_url: where an agent starts that has only the
 * base URL.
 * - wallets, watchlist: filters of a webhook endpoint by several wallets, and by a stored list of them.
 * - sources: what is read about combos in place of the chain, whose cursors the contract has.
 */
export const ADDED_FIELDS: readonly RegExp[] = [
  /^\/data(\/\d+)?(\/trader)?\/completeness$/,
  /^\/data(\/\d+)?(\/trade)?\/suspicion_status$/,
  /^\/data(\/counterparty_analysis)?\/unavailable_executions$/,
  /^\/data(\/\d+)?\/trade_filters\/(wallets|watchlist)$/,
  /^\/data\/subsystems\/database_schema$/,
  /^\/data\/\d+\/all_time_pnl_as_of$/,
  /^\/(has_more|next_cursor)$/,
  /^\/data(\/fills)?\/\d+\/chain_position_known$/,
  /^(\/data)?\/coverage\/sources$/,
  /^\/data\/artifact\/(proof|proof_unavailable_reason|manifest\/merkle_root)$/,
  /^\/data\/(sandbox_base_url|agent_registration_url|agent_guide_url|llms_txt_url)$/,
  /^\/data\/large_export_policy\/v1_async\/added_formats$/,
];

/** Values of query parameters that the contract does not have, behind its own, by operation and name. */
export const ADDED_VALUES: Readonly<Record<string, readonly string[]>> = { "submitTraderExport format": ["parquet"] };

/**
 * Query parameters that the contract does not have, by operation: several wallets, and a stored list of them. The
 * stream's `wallet` is the contract's; it may be repeated.
 */
export const ADDED_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  getStream: ["watchlist"],
  getEventReplaySince: ["wallet", "watchlist"],
};

/** Query parameters of the contract that may be repeated, though the contract has one value. */
export const REPEATABLE_PARAMETERS: readonly string[] = ["getStream wallet"];

/**
 * Paths of response fields that are null while they are unknown, though the contract requires a value. The
 * specification does not allow a made-up value, and leaving the field out would break a client too.
 *
 * - fee_usdc: the fee of a combo's fill, which the provider's trade feed does not have.
 * - won_legs: the won legs of a combo whose legs are not known.
 * - outcome_index: the side of a fill of which the provider gave none.
 */
export const NULLED_FIELDS: readonly RegExp[] = [/^\/data(\/fills)?\/\d+\/(fee_usdc|won_legs|outcome_index)$/];
