import type { z } from "zod";
import type { QuarantinedRecord } from "../../../platform/provider.ts";

/** Thrown by a mapping when a record's fields are valid one by one but not together. */
export class InvalidRecord extends Error {
  override name = "UnfitRecord";
}

const MAX_ISSUES = 5;

/**
 * Parses and maps each record separately, so that an invalid one does not affect the rest of the page.
 *
 * @param map returns null for a valid record without data for us
 */
export function parseProviderRecords<Payload, Row>(
  records: readonly unknown[],
  schema: z.ZodType<Payload>,
  map: (payload: Payload) => Row | null,
): { rows: Row[]; quarantined: QuarantinedRecord[] } {
  const rows: Row[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const record of records) {
    const fitted = parseProviderRecord(record, schema, map);
    if ("invalid" in fitted) quarantined.push(fitted.invalid);
    else if (fitted.row !== null) rows.push(fitted.row);
  }
  return { rows, quarantined };
}

/** Parses and maps one record, or returns it as quarantined. */
export function parseProviderRecord<Payload, Row>(
  record: unknown,
  schema: z.ZodType<Payload>,
  map: (payload: Payload) => Row | null,
): { row: Row | null } | { invalid: QuarantinedRecord } {
  const payload = schema.safeParse(record);
  if (!payload.success) return { invalid: { record, reason: describeIssues(payload.error) } };
  try {
    return { row: map(payload.data) };
  } catch (error) {
    if (error instanceof InvalidRecord) return { invalid: { record, reason: error.message } };
    throw error;
  }
}

/** Paths and messages, never values. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`)
    .join("; ");
}
