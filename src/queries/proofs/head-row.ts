import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { archiveDays } from "../../db/schema.ts";
import { isoText, type Columns } from "../../db/sql.ts";

/** The signed head of an archived day. */
export const HeadRow = z.object({
  sequence: z.number().int(),
  head: z.string(),
  manifest: z.string(),
  signature: z.string(),
  public_key: z.string(),
  signed_at: z.string(),
});

export type HeadRow = z.output<typeof HeadRow>;

type Day = Columns<typeof archiveDays, "sequence" | "head" | "manifest" | "signature" | "publicKey" | "signedAt">;

/** A day's `HeadRow` as a JSON object. */
export const headJson = (day: Day): SQL =>
  sql`json_build_object('sequence', ${day.sequence}, 'head', ${day.head}, 'manifest', ${day.manifest},
    'signature', ${day.signature}, 'public_key', ${day.publicKey}, 'signed_at', ${isoText(day.signedAt)})`;
