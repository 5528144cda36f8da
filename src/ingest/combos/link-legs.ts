import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { comboLegs } from "../../db/schema.ts";
import { array, integer, selectRows } from "../../db/sql.ts";
import { decodePositionId } from "../../domain/combos/position-id.ts";
import { chunk } from "../../lib/chunk.ts";
import type { Provider, ProviderCombo } from "../../platform/provider.ts";
import { applyMarkets } from "../markets/apply-markets.ts";
import type { LegLinks } from "./write-combos.ts";

const POSITIONS_AT_ONCE = 50;

/**
 * Finds the markets of the legs of combos. Known are the position ids of second-protocol markets, which are their
 * tokens, and the legs of other combos; all others are requested by position id and hydrated. A market counts
 * only when its position ids have the leg's at the leg's own outcome.
 *
 * @returns the links that are known; a leg without one has a market that the provider does not show
 */
export async function findLegLinks(
  pool: Pool,
  provider: Pick<Provider, "findLegMarkets">,
  combos: readonly ProviderCombo[],
  now: () => Date,
): Promise<LegLinks> {
  const positionIds = [...new Set(combos.flatMap(({ legs }) => legs.map(({ positionId }) => positionId)))];
  if (positionIds.length === 0) return new Map();
  const links = new Map(await listStoredLinks(pool, positionIds));
  const missing = positionIds.filter((id) => !links.has(id));
  for (const group of chunk(missing, POSITIONS_AT_ONCE)) {
    const page = await provider.findLegMarkets(group);
    await applyMarkets(
      pool,
      page.rows.map(({ market }) => market),
      page.quarantined,
      now(),
    );
    const conditionOf = new Map(
      page.rows.flatMap((row) =>
        row.positionIds.flatMap((id, index) =>
          decodePositionId(id)?.outcomeIndex === index ? [[id, row.market.conditionId] as const] : [],
        ),
      ),
    );
    const rows = await selectRows(
      sessionOf(pool),
      sql`select ${m.id}, ${m.conditionId} from ${m}
        where ${m.conditionId} = any(${array([...conditionOf.values()], "text")}) and ${m.hydratedAt} is not null`,
      z.object({ id: integer, condition_id: z.string() }),
    );
    const idOf = new Map(rows.map((row) => [row.condition_id, row.id]));
    for (const positionId of group) {
      const marketId = idOf.get(conditionOf.get(positionId) ?? "");
      if (marketId !== undefined) links.set(positionId, marketId);
    }
  }
  return links;
}

/** Two selects, because each has its own index. */
async function listStoredLinks(
  pool: Pool,
  positionIds: readonly string[],
): Promise<readonly (readonly [string, number])[]> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${o.tokenId} as position_id, ${o.marketId} as market_id
     from ${o} join ${m} on ${m.id} = ${o.marketId}
     where ${o.tokenId} = any(${array(positionIds, "text")}) and ${m.hydratedAt} is not null
       and ${o.outcomeIndex} is not null
     union
     select ${comboLegs.positionId}::text, ${comboLegs.legMarketId} from ${comboLegs}
     where ${comboLegs.positionId} = any(${array(positionIds, "numeric")}) and ${comboLegs.legMarketId} is not null`,
    z.object({ position_id: z.string(), market_id: integer }),
  );
  return rows.map((row) => [row.position_id, row.market_id] as const);
}
