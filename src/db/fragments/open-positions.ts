import { sql, type SQL } from "drizzle-orm";
import type { positions } from "../schema.ts";
import type { Columns } from "../sql.ts";

/**
 * The position is open: its market has not resolved, and shares are left. Repeats the predicate of indexes.
 */
export const isOpen = (position: Columns<typeof positions, "settledMicro" | "sharesMicro">): SQL =>
  sql`${position.settledMicro} is null and ${position.sharesMicro} > 0`;
