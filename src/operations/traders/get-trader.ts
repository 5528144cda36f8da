import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { expandParam, numberParam } from "../../api/params.ts";
import { findTrader } from "../../queries/traders.ts";
import { EXPANSIONS, needsProfile } from "./present-profile.ts";
import { presentTrader, presentUnknownWallet } from "./present-trader.ts";
import { Trader } from "./schemas.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./trader-ref.ts";

export const getTrader = defineOperation({
  kind: "single",
  id: "getTrader",
  method: "get",
  path: "/api/v1/trader/{address}",
  tag: "Traders",
  summary: "Read one wallet.",
  description:
    "Takes a wallet address, a trd_ id or a known username. A wallet that nobody tracks answers with sync_status unknown. With max_age_s it answers only when data_quality is fresh and no older; nothing is refreshed.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    expand: expandParam(EXPANSIONS).meta({
      description: "What to add to the wallet. Nothing when left out.",
      example: ["strategy", "trust"],
    }),
    max_age_s: numberParam({ min: 0, integer: true }).meta({
      description:
        "Oldest acceptable answer in seconds, by data_quality.as_of. An older or incomplete one is 409 `freshness_ceiling_unsatisfied`. Any age when left out.",
      example: 3600,
    }),
  },
  reasons: ["bad_request", "not_found", "freshness_ceiling_unsatisfied"],
  conditional: true,
  cacheSeconds: 2,
  notCachedWith: "max_age_s",
  mcpTool: "get_trader",
  object: "trader",
  data: Trader,
  async handle({ params, query }, { db, now }) {
    const ref = parseTraderRef(params.address);
    const row = await findTrader(db, ref, needsProfile(query.expand), now);
    const data =
      row !== null ? presentTrader(row, query.expand, now) : "address" in ref ? presentUnknownWallet(ref.address, query.expand) : null;
    if (data === null) throw unknownTrader();
    if (query.max_age_s !== null) requireFresh(data.data_quality, query.max_age_s, now);
    return { data };
  },
});

/** The caller takes nothing older than `maxAgeSeconds`; nothing is refreshed for it. */
function requireFresh(quality: z.input<typeof Trader>["data_quality"], maxAgeSeconds: number, now: Date): void {
  const ageSeconds = quality.as_of === undefined ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(quality.as_of)) / 1000));
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
