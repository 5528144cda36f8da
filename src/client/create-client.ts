import { factsOf } from "./build-request.ts";
import { call } from "./call.ts";
import { settingsOf, type ClientOptions } from "./client-settings.ts";
import { streamEvents } from "./stream/event-stream.ts";
import { openFiles, type Files } from "./files.ts";
import { OPERATIONS } from "./generated/operation-table.ts";
import type { CallOptions, Methods, OperationId, PageWalks, RowWalks, WalkOptions } from "./operation-types.ts";
import { rowsOf, walkPages } from "./walk-pages.ts";

export type Client = Methods & {
  readonly pages: PageWalks;
  readonly rows: RowWalks;
  readonly files: Files;
};

type Params = Readonly<Record<string, unknown>>;

/** A client of one deployment: one method for each operation, with `pages` and `rows` of the lists. */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const methods: Record<string, unknown> = {};
  const pages: Record<string, unknown> = {};
  const rows: Record<string, unknown> = {};
  // Object.keys loses the type of the keys.
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const operation = factsOf(id);
    if (operation.has("e")) {
      methods[id] = (params?: Params, own?: object) => streamEvents(settings, operation, params, own);
      continue;
    }
    methods[id] = (params?: Params, own?: CallOptions) => call(settings, operation, params, own);
    if (!operation.has("c")) continue;
    const walk = (params?: Params, own?: WalkOptions) =>
      walkPages((page) => call(settings, operation, page, own), params, own);
    pages[id] = walk;
    rows[id] = (params?: Params, own?: WalkOptions) => rowsOf(walk(params, own));
  }
  // The casts hold because the types derive from the same table.
  return { ...methods, pages, rows, files: openFiles(settings, methods as unknown as Methods) } as unknown as Client;
}
