import type { Session } from "../../db/client.ts";
import type { Population } from "./compute-profile.ts";

/** The measures of all stored profiles, each ascending; wallets without one are left out of it. */
export async function loadPopulation(session: Session): Promise<Population> {
  const { rows } = await session.query<Record<keyof Population, number[]>>(
    `select ${column("sharpe_30d", "sharpe30d")}, ${column("profit_factor", "profitFactor")}, ${column("edge_consistency", "edgeConsistency")},
       ${column("form", "forms")}
     from trader_profiles`,
  );
  return rows[0] ?? { sharpe30d: [], profitFactor: [], edgeConsistency: [], forms: [] };
}

const column = (name: string, as: string): string =>
  `coalesce(array_agg(${name} order by ${name}) filter (where ${name} is not null), '{}') as "${as}"`;
