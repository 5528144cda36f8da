import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { instantParam } from "../../api/request/query-params.ts";
import { formatId } from "../../domain/ids.ts";
import { findGradeAt, type GradeAt } from "../../queries/traders/grade-history.ts";
import { TraderGradeAt } from "./schemas/grade-at-schemas.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./parse-trader-ref.ts";

export const getTraderGradeAt = defineOperation({
  kind: "single",
  id: "getTraderGradeAt",
  method: "get",
  path: "/api/v1/trader/{address}/grade-at",
  tag: "Traders",
  summary: "Get the grade of one trader at a past time.",
  description:
    "Uses only published grades, never a later computation. The grade is unknown before the first " +
    "published grade, and between the computation and the publication of a grade.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    as_of: instantParam({ required: true }).meta({
      description: "The requested time. A time in the future is 400.",
      example: "2026-11-20T12:00:00Z",
    }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_trader_grade_at",
  object: "trader_grade_at",
  data: TraderGradeAt,
  async handle({ params, query }, { db, now }) {
    const futureError = () => new ApiError("invalid_query", { param: "as_of", message: "as_of is in the future." });
    if (query.as_of.getTime() > now.getTime()) throw futureError();
    const found = await findGradeAt(db, parseTraderRef(params.address), query.as_of);
    if (found === null) throw unknownTrader();
    // The database clock can be behind ours. A grade that it publishes in between would change the response.
    if (found.reason === "in_the_future") throw futureError();
    return { data: present(found, query.as_of) };
  },
});

function present(
  { id, address, status, availableFrom, observation }: GradeAt,
  asOf: Date,
): z.input<typeof TraderGradeAt> {
  return {
    id: formatId("trader", id),
    address,
    as_of: asOf.toISOString(),
    status,
    grade: observation?.grade ?? null,
    available_from: availableFrom,
    observation:
      observation === null
        ? null
        : {
            id: observation.id,
            previous_observation_id: observation.previous_id,
            observed_at: observation.observed_at,
            published_by: observation.published_by,
            model_version: observation.method_version,
            model_build_sha: null,
            // A grade uses the data that is stored when its computation starts.
            source_observed_by: observation.observed_at,
          },
  };
}
