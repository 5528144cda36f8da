import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { expandParam, numberParam } from "../../api/request/query-params.ts";
import { findTrader } from "../../queries/traders/traders.ts";
import { TRADER_EXPANSIONS, needsProfile } from "./present/present-profile.ts";
import { presentTrader, presentUnknownTrader } from "./present/present-trader.ts";
import { Trader } from "./schemas/schemas.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./parse-trader-ref.ts";

export const getTrader = defineOperation({
  kind: "single",
  id: "getTrader",
  method: "get",
  path: "/api/v1/trader/{address}",
  tag: "Traders",
  summary: "Get one trader.",
  description:
    "Accepts a wallet address, a trd_ id or a known username. An untracked address returns sync_status " +
    "unknown. With `max_age_s`, data that is not fresh or is too old returns 409; the request does not " +
    "trigger a refresh.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    expand: expandParam(TRADER_EXPANSIONS).meta({
      description: "Optional parts of the trader. None when omitted.",
      example: ["strategy", "trust"],
    }),
    max_age_s: numberParam({ min: 0, integer: true }).meta({
      description:
        "Maximum age of the data in seconds, measured from `data_quality.as_of`. Older or incomplete data " +
        "is 409 `freshness_ceiling_unsatisfied`. Any age when omitted.",
      example: 3600,
    }),
  },
  reasons: ["bad_request", "not_found", "freshness_ceiling_unsatisfied"],
  conditional: true,
  cacheSeconds: 2,
  bypassCacheParam: "max_age_s",
  mcpTool: "get_trader",
  object: "trader",
  data: Trader,
  async handle({ params, query }, { db, now }) {
    const ref = parseTraderRef(params.address);
    const row = await findTrader(db, ref, needsProfile(query.expand), now);
    const data =
      row !== null
        ? presentTrader(row, query.expand, now)
        : "address" in ref
          ? presentUnknownTrader(ref.address, query.expand)
          : null;
    if (data === null) throw unknownTrader();
    if (query.max_age_s !== null) requireFresh(data.data_quality, query.max_age_s, now);
    return { data };
  },
});

/**
 * @throws ApiError freshness_ceiling_unsatisfied when the data is not fresh or is older than
 * `maxAgeSeconds`
 */
function requireFresh(quality: z.input<typeof Trader>["data_quality"], maxAgeSeconds: number, now: Date): void {
  const ageSeconds =
    quality.as_of === undefined ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(quality.as_of)) / 1000));
  if (quality.status === "fresh" && ageSeconds !== null && ageSeconds <= maxAgeSeconds) return;
  throw new ApiError("freshness_ceiling_unsatisfied", {
    param: "max_age_s",
    freshness: {
      max_age_s: maxAgeSeconds,
      data_quality_status: quality.status,
      ...(ageSeconds === null ? {} : { actual_age_s: ageSeconds }),
      ...(quality.as_of === undefined ? {} : { as_of: quality.as_of }),
    },
  });
}
