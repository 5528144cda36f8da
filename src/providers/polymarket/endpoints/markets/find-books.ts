import { chunk } from "../../../../lib/chunk.ts";
import type { QuarantinedRecord, ProviderPage, ProviderBook } from "../../../../platform/provider.ts";
import { toBook } from "../../mapping/markets/book.ts";
import { Book, BookList } from "../../payloads/markets/book.ts";
import { parseProviderRecords } from "../../payloads/parse-provider-records.ts";
import type { Source } from "../source.ts";

/** Maximum number of tokens that the provider accepts in one call. */
const TOKENS_AT_ONCE = 500;

/** Reads the order books of tokens. The provider leaves out tokens without a book. */
export async function findBooks(source: Source, tokenIds: readonly string[]): Promise<ProviderPage<ProviderBook>> {
  const rows: ProviderBook[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const ids of chunk(tokenIds, TOKENS_AT_ONCE)) {
    // A flat array: the provider returns an empty list for any wrapper object.
    const body = ids.map((token_id) => ({ token_id }));
    const books = await source.http.read({
      route: "clob.books",
      call: () => ({ url: `${source.urls.clobUrl}/books`, body }),
      schema: BookList,
    });
    const fitted = parseProviderRecords(books, Book, toBook);
    rows.push(...fitted.rows);
    quarantined.push(...fitted.quarantined);
  }
  return { rows, nextCursor: null, quarantined: quarantined };
}
