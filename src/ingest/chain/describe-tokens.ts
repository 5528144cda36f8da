import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { array, selectRows } from "../../db/sql.ts";
import { decodePositionId, isComboPosition } from "../../domain/combos/position-id.ts";
import type { Provider, ProviderMarket } from "../../platform/provider.ts";
import { applyMarkets } from "../markets/apply-markets.ts";

/** The outcome of a token, as the database has it. */
export interface KnownToken {
  readonly conditionId: string;
  /** Null while the provider has not assigned it. */
  readonly outcomeIndex: number | null;
  readonly label: string | null;
}

/** The tokens whose market is known. */
export async function listKnownTokens(
  session: Session,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, KnownToken>> {
  const rows = await selectRows(
    session,
    sql`select ${o.tokenId}, ${o.outcomeIndex}, ${o.label}, ${m.conditionId}
      from ${o} join ${m} on ${m.id} = ${o.marketId} where ${o.tokenId} = any(${array(tokenIds, "text")})`,
    z.object({
      token_id: z.string(),
      outcome_index: z.number().int().nullable(),
      label: z.string().nullable(),
      condition_id: z.string(),
    }),
  );
  return new Map(
    rows.map((row) => [
      row.token_id,
      { conditionId: row.condition_id, outcomeIndex: row.outcome_index, label: row.label },
    ]),
  );
}

export type TokenProvider = Pick<Provider, "findTokenMarkets" | "findLegMarkets">;

/**
 * Hydrates the markets of tokens, as far as the provider knows them. An event of the chain names no market, and a
 * first-protocol token is a hash of its condition. Combos have no market object.
 *
 * @throws ProviderUnavailable
 */
export async function describeTokens(
  pool: Pool,
  provider: TokenProvider,
  tokenIds: readonly string[],
  now: () => Date,
): Promise<void> {
  const positions = tokenIds.filter((id) => isMarketPosition(id));
  const apply = (rows: readonly ProviderMarket[], quarantined: Parameters<typeof applyMarkets>[2]) =>
    applyMarkets(pool, rows, quarantined, now());
  const byToken = await provider.findTokenMarkets(tokenIds);
  await apply(byToken.rows, byToken.quarantined);
  if (positions.length === 0) return;
  const byPosition = await provider.findLegMarkets(positions);
  await apply(
    byPosition.rows.map(({ market }) => market),
    byPosition.quarantined,
  );
}

/** Of a second-protocol market, or of a first-protocol token that looks like one. */
function isMarketPosition(tokenId: string): boolean {
  const position = decodePositionId(tokenId);
  return position !== null && !isComboPosition(position);
}
