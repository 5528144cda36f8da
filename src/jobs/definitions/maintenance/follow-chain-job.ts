import { followChain } from "../../../ingest/chain/follow-chain.ts";
import { defineJob } from "../../define-job.ts";

/** Records fills that the provider's feeds do not show, from a node of the chain, where one is configured. */
export const followChainJob = defineJob({
  name: "follow_chain",
  lane: "maintenance",
  every: 30_000,
  onlyWith: "chain",
  publishes: ["large_trades"],
  commitsEvents: true,
  run: async (context) => context.chain !== null && followChain(context.pool, context.chain, context.provider, context),
});
