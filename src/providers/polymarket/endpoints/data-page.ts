import type { z } from "zod";
import type { ProviderPage } from "../../../platform/provider.ts";
import { buildUrl, type QueryValue } from "../http/build-url.ts";
import type { RouteClass } from "../http/provider-request-budget.ts";
import { DataPage } from "../payloads/data-page.ts";
import { parseProviderRecords } from "../payloads/parse-provider-records.ts";
import type { Source } from "./source.ts";

export interface PageRequest<Payload, Row> {
  readonly route: RouteClass;
  readonly path: string;
  /**
   * Sent with every page of a walk: the provider's cursor holds only an offset, and a changed filter silently
   * shifts it.
   */
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly cursor: string | null;
  readonly schema: z.ZodType<Payload>;
  /** Returns null for a valid record without data for us. */
  readonly map: (payload: Payload) => Row | null;
}

/** Reads one page of a Data API walk. */
export async function readDataPage<Payload, Row>(
  source: Source,
  request: PageRequest<Payload, Row>,
): Promise<ProviderPage<Row>> {
  const { route, path, query, cursor } = request;
  const { data, pagination } = await source.http.read({
    route,
    call: () => ({ url: buildUrl(source.urls.dataUrl, path, { ...query, cursor, _: source.cacheBuster() }) }),
    schema: DataPage,
    findFault: (page) =>
      cursor !== null && page.pagination.next_cursor === cursor ? "the next cursor equals the requested one" : null,
  });
  return { ...parseProviderRecords(data, request.schema, request.map), nextCursor: pagination.next_cursor };
}
