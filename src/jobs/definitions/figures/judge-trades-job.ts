import { judgeTrades } from "../../../ingest/signals/judge-trades.ts";
import { defineJob } from "../../define-job.ts";

/** Scores large trades for suspicion, each once. */
export const judgeTradesJob = defineJob({
  name: "judge_trades",
  lane: "figures",
  every: 5_000,
  startsAfterPause: true,
  publishes: ["suspicious_trades"],
  commitsEvents: true,
  run: ({ pool, largeTradeMinUsd, now }) => judgeTrades(pool, largeTradeMinUsd, new Date(now())),
});
