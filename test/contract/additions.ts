/** Operations of ours that the contract does not have: what it says of operations does not hold for them. */
export const ADDITIONS: readonly string[] = ["testWebhook"];
