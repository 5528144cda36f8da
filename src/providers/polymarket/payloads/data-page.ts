import { z } from "zod";

const Rows = z
  .array(z.unknown())
  .nullable()
  .transform((rows) => rows ?? []);

/** The Data API's envelope. An empty result is `data: null` or `[]`. */
export const DataList = z.object({ data: Rows });

/**
 * The envelope of a paged route. A null cursor ends the walk. A page that announces more rows without a
 * cursor is invalid, because ending the walk there would silently lose rows.
 */
export const DataPage = z
  .object({
    data: Rows,
    pagination: z.object({
      has_more: z.boolean().nullish(),
      next_cursor: z
        .string()
        .nullish()
        .transform((cursor) => cursor || null),
    }),
  })
  .refine(
    ({ pagination }) => pagination.has_more !== true || pagination.next_cursor !== null,
    "more rows but no cursor to them",
  );
