import { z } from "zod";
import type { ProviderPage, ProviderAllTimeStats } from "../../../../platform/provider.ts";
import { buildUrl } from "../../http/build-url.ts";
import { toStanding } from "../../mapping/traders/position.ts";
import { parseProviderRecords } from "../../payloads/parse-provider-records.ts";
import { StandingRow } from "../../payloads/traders/position.ts";
import type { Source } from "../source.ts";

/** One row, or null if the provider does not know the address. */
const StandingResponse = z.object({ data: z.unknown() });

export async function findLeaderboardStanding(
  source: Source,
  address: string,
): Promise<ProviderPage<ProviderAllTimeStats>> {
  const query = { user: address, time_period: "all", category: "overall" };
  const { data } = await source.http.read({
    route: "data.other",
    call: () => ({ url: buildUrl(source.urls.dataUrl, "/v2/leaderboard", { ...query, _: source.cacheBuster() }) }),
    schema: StandingResponse,
    // A response without the field is invalid; null is valid.
    findFault: (response) => (response.data === undefined ? "no data" : null),
  });
  return {
    ...parseProviderRecords(data === null ? [] : [data].flat(), StandingRow, (row) => toStanding(row, address)),
    nextCursor: null,
  };
}
