import type { Misfit, Page, ProviderBook } from "../../../ports/provider.ts";
import { toBook } from "../mapping/book.ts";
import { Book, BookList } from "../payloads/book.ts";
import { fitRecords } from "../payloads/fit-records.ts";
import type { Source } from "./source.ts";

/** The most tokens the provider takes in one call. */
const TOKENS_AT_ONCE = 500;

/** Tokens without a book are left out by the provider. */
export async function findBooks(source: Source, tokenIds: readonly string[]): Promise<Page<ProviderBook>> {
  const rows: ProviderBook[] = [];
  const misfits: Misfit[] = [];
  for (let start = 0; start < tokenIds.length; start += TOKENS_AT_ONCE) {
    // A flat array: the provider answers any wrapper object with an empty list.
    const body = tokenIds.slice(start, start + TOKENS_AT_ONCE).map((token_id) => ({ token_id }));
    const books = await source.http.read({
      route: "clob.books",
      call: () => ({ url: `${source.urls.clobUrl}/books`, body }),
      schema: BookList,
    });
    const fitted = fitRecords(books, Book, toBook);
    rows.push(...fitted.rows);
    misfits.push(...fitted.misfits);
  }
  return { rows, nextCursor: null, misfits };
}
