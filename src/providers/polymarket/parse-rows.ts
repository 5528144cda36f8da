import type { z } from "zod";
import type { Misfit } from "../../ports/provider.ts";

/** Parses records one by one: one that does not fit is set aside whole, with the reason, and the others stay. */
export function parseRows<S extends z.ZodType, Row>(
  records: readonly unknown[],
  schemaFor: (record: unknown) => S,
  map: (parsed: z.output<S>) => Row,
): { rows: Row[]; misfits: Misfit[] } {
  const rows: Row[] = [];
  const misfits: Misfit[] = [];
  for (const record of records) {
    const parsed = schemaFor(record).safeParse(record);
    if (parsed.success) rows.push(map(parsed.data));
    else misfits.push({ record, reason: describe(parsed.error) });
  }
  return { rows, misfits };
}

function describe(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`)
    .join("; ");
}
