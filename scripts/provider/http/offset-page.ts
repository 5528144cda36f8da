import { formatCursor, parseCursor } from "./cursor.ts";
import type { ProviderRequest } from "./request.ts";

/**
 * One page of a list with an offset cursor: a refresh between two pages can skip or repeat rows, as at the
 * provider.
 */
export function offsetPage<Row>(
  request: ProviderRequest,
  type: string,
  rows: readonly Row[],
  limit: number,
  present: (row: Row, index: number) => unknown,
): { data: unknown[]; pagination: unknown } {
  const text = request.query.text("cursor");
  const params = text === null ? null : parseCursor(type, text);
  const size = params === null ? limit : Number(params["l"]);
  const offset = params === null ? 0 : Number(params["o"]);
  const most = request.shortPage ? Math.ceil(size / 2) : size;
  const page = rows.slice(offset, offset + most);
  const hasMore = offset + page.length < rows.length;
  return {
    data: page.map((row, index) => present(row, offset + index)),
    pagination: {
      limit: size,
      offset,
      has_more: hasMore,
      next_cursor: hasMore ? formatCursor(type, { l: size, o: offset + page.length }) : null,
    },
  };
}
