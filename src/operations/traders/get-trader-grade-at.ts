import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { instantParam } from "../../api/params.ts";
import { formatId } from "../../domain/ids.ts";
import { findGradeAt, type GradeAt } from "../../queries/grades.ts";
import { TraderGradeAt } from "./grade-at-schemas.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./trader-ref.ts";

export const getTraderGradeAt = defineOperation({
  kind: "single",
  id: "getTraderGradeAt",
  method: "get",
  path: "/api/v1/trader/{address}/grade-at",
  tag: "Traders",
  summary: "Read the grade one wallet had at a time.",
  description:
    "Answers only from grades as they were published, never from a computation made later. Before the first one, and in the moment between computing and publishing one, the grade is unknown.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    as_of: instantParam({ required: true }).meta({
      description: "The time to look at; one in the future is refused with 400.",
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
    const future = () => new ApiError("invalid_query", { param: "as_of", message: "as_of is in the future." });
    if (query.as_of.getTime() > now.getTime()) throw future();
    const found = await findGradeAt(db, parseTraderRef(params.address), query.as_of);
    if (found === null) throw unknownTrader();
    // The database's clock may be behind ours, and what it publishes until then would change the answer.
    if (found.reason === "in_the_future") throw future();
    return { data: present(found, query.as_of) };
  },
});

function present({ id, address, status, availableFrom, observation }: GradeAt, asOf: Date): z.input<typeof TraderGradeAt> {
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
            // A grade is computed from what is stored when its computation begins.
            source_observed_by: observation.observed_at,
          },
  };
}
