import { addressOf } from "../http/query.ts";
import { StatusAnswer } from "../payloads/status.ts";
import type { Source } from "./source.ts";

/** How far the Data API trails the chain, in seconds. */
export async function getServingLag(source: Source): Promise<number> {
  const { data } = await source.http.read({
    route: "data.other",
    call: () => ({ url: addressOf(source.urls.dataUrl, "/v2/status", { _: source.nonce() }) }),
    schema: StatusAnswer,
  });
  return data.serving.lag_seconds;
}
