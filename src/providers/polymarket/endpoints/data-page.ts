import type { z } from "zod";
import type { Page } from "../../../ports/provider.ts";
import { addressOf, type QueryValue } from "../http/query.ts";
import type { RouteClass } from "../http/request-budget.ts";
import { DataPage } from "../payloads/data-page.ts";
import { fitRecords } from "../payloads/fit-records.ts";
import type { Source } from "./source.ts";

export interface PageRequest<Payload, Row> {
  readonly route: RouteClass;
  readonly path: string;
  /** Sent with every page of a walk: the provider's cursor holds only a place, and a changed filter moves it in silence. */
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly cursor: string | null;
  readonly schema: z.ZodType<Payload>;
  /** Null where a sound record holds nothing for us. */
  readonly map: (payload: Payload) => Row | null;
}

/** One page of a Data API walk. */
export async function readDataPage<Payload, Row>(source: Source, request: PageRequest<Payload, Row>): Promise<Page<Row>> {
  const { route, path, query, cursor } = request;
  const { data, pagination } = await source.http.read({
    route,
    call: () => ({ url: addressOf(source.urls.dataUrl, path, { ...query, cursor, _: source.nonce() }) }),
    schema: DataPage,
    findFault: (page) => (cursor !== null && page.pagination.next_cursor === cursor ? "the cursor leads to itself" : null),
  });
  return { ...fitRecords(data, request.schema, request.map), nextCursor: pagination.next_cursor };
}
