import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";

/** The condition id of a market, or null when there is no such market. */
export async function findConditionId(db: Database, ref: MarketRef): Promise<string | null> {
  const { rows } = await db.execute(sql`select m.condition_id from markets m where ${isMarket(ref)}`);
  return rows[0] === undefined ? null : z.string().parse(rows[0]["condition_id"]);
}
