import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { selectRow } from "../../db/sql.ts";
import { isMarket, type MarketRef } from "./is-market.ts";

/** The condition id of a market, or null when the market does not exist. */
export async function findConditionId(db: Database, ref: MarketRef): Promise<string | null> {
  const market = await selectRow(
    db,
    sql`select ${m.conditionId} from ${m} where ${isMarket(ref)}`,
    z.object({ condition_id: z.string() }),
  );
  return market?.condition_id ?? null;
}
