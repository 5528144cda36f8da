import { ProviderUnavailable, type QuarantinedRecord, type ProviderPage } from "../../../platform/provider.ts";

/** Rows and quarantined records of a whole walk. */
export type PageCollection<Row> = Omit<ProviderPage<Row>, "nextCursor">;

/**
 * Walks all pages, or as many as contain `limit` records.
 *
 * @throws ProviderUnavailable when the cursors of the pages form a cycle
 */
export async function collectPages<Row>(
  readPage: (cursor: string | null) => Promise<ProviderPage<Row>>,
  limit = Infinity,
): Promise<PageCollection<Row>> {
  const rows: Row[] = [];
  const quarantined: QuarantinedRecord[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | null = null; ;) {
    const page = await readPage(cursor);
    rows.push(...page.rows);
    quarantined.push(...page.quarantined);
    cursor = page.nextCursor;
    if (cursor === null || rows.length + quarantined.length >= limit) return { rows, quarantined: quarantined };
    if (cursors.has(cursor)) throw new ProviderUnavailable("the cursors of the pages form a cycle", null);
    cursors.add(cursor);
  }
}
