import type { z } from "zod";
import type { Misfit } from "../../../ports/provider.ts";

/** Thrown by a mapping when a record's fields fit one by one but not together. */
export class UnfitRecord extends Error {
  override name = "UnfitRecord";
}

const ISSUES_TOLD = 5;

/**
 * Parses and maps each record on its own, so that a broken one costs the page nothing but itself.
 *
 * @param map null where a sound record holds nothing for us
 */
export function fitRecords<Payload, Row>(
  records: readonly unknown[],
  schema: z.ZodType<Payload>,
  map: (payload: Payload) => Row | null,
): { rows: Row[]; misfits: Misfit[] } {
  const rows: Row[] = [];
  const misfits: Misfit[] = [];
  for (const record of records) {
    const fitted = fitRecord(record, schema, map);
    if ("misfit" in fitted) misfits.push(fitted.misfit);
    else if (fitted.row !== null) rows.push(fitted.row);
  }
  return { rows, misfits };
}

/** One record, mapped or found unfit. */
export function fitRecord<Payload, Row>(
  record: unknown,
  schema: z.ZodType<Payload>,
  map: (payload: Payload) => Row | null,
): { row: Row | null } | { misfit: Misfit } {
  const payload = schema.safeParse(record);
  if (!payload.success) return { misfit: { record, reason: describeIssues(payload.error) } };
  try {
    return { row: map(payload.data) };
  } catch (error) {
    if (error instanceof UnfitRecord) return { misfit: { record, reason: error.message } };
    throw error;
  }
}

/** Paths and messages; never a value. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, ISSUES_TOLD)
    .map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`)
    .join("; ");
}
