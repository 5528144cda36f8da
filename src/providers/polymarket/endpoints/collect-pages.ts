import { ProviderUnavailable, type Misfit, type Page } from "../../../ports/provider.ts";

/** Rows and misfits of a whole walk. */
export type Collected<Row> = Omit<Page<Row>, "nextCursor">;

/**
 * Walks all pages, or as many as hold `limit` records.
 *
 * @throws ProviderUnavailable when the cursors lead in a circle
 */
export async function collectPages<Row>(
  readPage: (cursor: string | null) => Promise<Page<Row>>,
  limit = Infinity,
): Promise<Collected<Row>> {
  const rows: Row[] = [];
  const misfits: Misfit[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | null = null; ;) {
    const page = await readPage(cursor);
    rows.push(...page.rows);
    misfits.push(...page.misfits);
    cursor = page.nextCursor;
    if (cursor === null || rows.length + misfits.length >= limit) return { rows, misfits };
    if (cursors.has(cursor)) throw new ProviderUnavailable("the cursors of a walk lead in a circle", null);
    cursors.add(cursor);
  }
}
