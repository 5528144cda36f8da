import type { Source, SourcePage } from "./source.ts";

/**
 * The pages of a source in order. While the caller works on a page, the source reads the next one: the database and the
 * consumer work at the same time. An error of a page is thrown in its turn, after all earlier pages. A caller that stops
 * early waits for the page that is under way, so that its session is free.
 *
 * @param from position of the row before the first page; null to start with the first row
 */
export async function* pagesAhead(source: Source, from: unknown): AsyncGenerator<SourcePage, void> {
  let next = source.readPage(from);
  try {
    for (;;) {
      const page = await next;
      if (!page.isLast) {
        next = source.readPage(page.position);
        // Reported by the `await` above, or unimportant because the caller stopped.
        next.catch(() => undefined);
      }
      yield page;
      if (page.isLast) return;
    }
  } finally {
    await next.catch(() => undefined);
  }
}
