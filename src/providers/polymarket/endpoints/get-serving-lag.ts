import { buildUrl } from "../http/build-url.ts";
import { StatusResponse } from "../payloads/status.ts";
import type { Source } from "./source.ts";

/** How far the Data API lags behind the chain, in seconds. */
export async function getServingLag(source: Source): Promise<number> {
  const { data } = await source.http.read({
    route: "data.other",
    call: () => ({ url: buildUrl(source.urls.dataUrl, "/v2/status", { _: source.cacheBuster() }) }),
    schema: StatusResponse,
  });
  return data.serving.lag_seconds;
}
