import { ClientError, InvalidResponseError } from "./api-error.ts";
import { CursorExpiredError } from "./generated/error-classes.ts";
import type { WalkOptions } from "./operation-types.ts";
import { objectOf } from "./read-error.ts";

type Page = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, unknown>>;
/** The parameters of the next page: a cursor, or an offset in ranked orders. */
type Next = { readonly cursor: string } | { readonly offset: number };

/**
 * The pages of a list. The same filters are sent with each page.
 *
 * @throws CursorExpiredError when the list was rebuilt and no restart is left
 * @throws InvalidResponseError when a cursor comes twice, which would never end
 */
export async function* walkPages(
  read: (params: Params) => Promise<unknown>,
  params: Params = {},
  { restarts = 0 }: WalkOptions = {},
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let next: Next | null = null;
  for (let left = restarts; ;) {
    let page: Page;
    try {
      page = objectOf(await read({ ...params, ...next }));
    } catch (error) {
      if (!(error instanceof CursorExpiredError) || next === null || left === 0) throw error;
      left -= 1;
      next = null;
      seen.clear();
      continue;
    }
    next = nextOf(page);
    const key = JSON.stringify(next);
    if (seen.has(key)) throw new InvalidResponseError(`the list returned ${key} twice`);
    seen.add(key);
    yield page;
    if (next === null) return;
  }
}

/** @returns null on the last page */
function nextOf(page: Page): Next | null {
  const { has_more: hasMore, next_cursor: cursor, next_offset: offset } = page;
  if (hasMore === true) {
    if (typeof cursor === "string" && cursor !== "") return { cursor };
    if (typeof offset === "number") return { offset };
    throw new InvalidResponseError("the list has more rows and no cursor for them");
  }
  // Counterparties page inside their data, one cursor for the pages of one list.
  const inner = Object.entries(objectOf(page["data"])).find(([name]) => name.endsWith("_next_cursor"))?.[1];
  return hasMore === undefined && typeof inner === "string" && inner !== "" ? { cursor: inner } : null;
}

export async function* rowsOf(pages: AsyncIterable<Page>): AsyncGenerator<unknown> {
  for await (const { data } of pages) {
    if (!Array.isArray(data)) throw new ClientError("this operation pages, but not as a list of rows");
    yield* data;
  }
}
