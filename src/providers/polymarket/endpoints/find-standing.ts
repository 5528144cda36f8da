import { z } from "zod";
import type { Page, ProviderStanding } from "../../../ports/provider.ts";
import { addressOf } from "../http/query.ts";
import { toStanding } from "../mapping/position.ts";
import { fitRecords } from "../payloads/fit-records.ts";
import { StandingRow } from "../payloads/position.ts";
import type { Source } from "./source.ts";

/** One row, or null where the provider knows no such wallet. */
const Standing = z.object({ data: z.unknown() });

export async function findStanding(source: Source, address: string): Promise<Page<ProviderStanding>> {
  const query = { user: address, time_period: "all", category: "overall" };
  const { data } = await source.http.read({
    route: "data.other",
    call: () => ({ url: addressOf(source.urls.dataUrl, "/v2/leaderboard", { ...query, _: source.nonce() }) }),
    schema: Standing,
    // An answer without the field is no answer; null is one.
    findFault: (answer) => (answer.data === undefined ? "no data" : null),
  });
  return { ...fitRecords(data === null ? [] : [data].flat(), StandingRow, (row) => toStanding(row, address)), nextCursor: null };
}
