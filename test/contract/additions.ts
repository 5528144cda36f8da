/** Operations of ours that the contract does not have: what it says of operations does not hold for them. */
export const ADDITIONS: readonly string[] = ["testWebhook"];

/**
 * Fields of ours in schemas of the contract, by the schema's place in an answer. Its `executions` requires a log index that is not known, so what
 * is known of an execution has no place of its own there.
 */
export const ADDED_FIELDS: readonly RegExp[] = [/^\/data(\/counterparty_analysis)?\/unavailable_executions is not in the contract$/];
