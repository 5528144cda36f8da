import { inTransaction } from "../../../db/client.ts";
import { refreshSkillPopulation } from "../../../ingest/skill/refresh-skill-population.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Estimates the population that grades are measured against. */
export const estimatePopulationJob = defineJob({
  name: "estimate_population",
  lane: "figures",
  every: 60_000,
  healthySeconds: 120,
  firstFill: "figures",
  run: finished(({ pool }) => inTransaction(pool, refreshSkillPopulation)),
});
