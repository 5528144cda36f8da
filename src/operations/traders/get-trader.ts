import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { expandParam, numberParam } from "../../api/params.ts";
import { hasIdPrefix, parseId, parseWallet } from "../../domain/ids.ts";
import { findTrader, type TraderRef } from "../../queries/traders.ts";
import { EXPANSIONS } from "./present-profile.ts";
import { presentTrader, presentUnknownWallet } from "./present-trader.ts";
import { Trader } from "./schemas.ts";

export const getTrader = defineOperation({
  kind: "single",
  id: "getTrader",
  method: "get",
  path: "/api/v1/trader/{address}",
  tag: "Traders",
  summary: "Read one wallet.",
  description: "Takes a wallet address, a trd_ id or a known username. A wallet that nobody tracks answers with sync_status unknown.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: z.string().min(1).max(100) },
  query: {
    expand: expandParam(EXPANSIONS),
    max_age_s: numberParam({ min: 0, integer: true }),
  },
  reasons: ["bad_request", "not_found", "freshness_ceiling_unsatisfied"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "get_trader",
  object: "trader",
  data: Trader,
  async handle({ params, query }, { db, now }) {
    const ref = parseRef(params.address);
    const row = await findTrader(db, ref, now);
    const data =
      row !== null ? presentTrader(row, query.expand) : "address" in ref ? presentUnknownWallet(ref.address, query.expand) : null;
    if (data === null) throw new ApiError("not_found", { param: "address", message: "No wallet has this id or name." });
    if (query.max_age_s !== null) requireFresh(data.data_quality, query.max_age_s, now);
    return { data };
  },
});

/** @throws ApiError bad_request for the id of another kind of thing */
function parseRef(text: string): TraderRef {
  const address = parseWallet(text.startsWith("trd_0x") ? text.slice("trd_".length) : text);
  if (address !== null) return { address };
  const id = parseId("trader", text);
  if (id !== null) return { id };
  if (hasIdPrefix(text)) throw new ApiError("bad_request", { param: "address", message: "This id does not belong to a trader." });
  return { username: text.toLowerCase() };
}

/** The caller takes nothing older than `maxAgeSeconds`; nothing is refreshed for it. */
function requireFresh(quality: z.input<typeof Trader>["data_quality"], maxAgeSeconds: number, now: Date): void {
  const ageSeconds = quality.as_of === undefined ? null : Math.floor((now.getTime() - Date.parse(quality.as_of)) / 1000);
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
