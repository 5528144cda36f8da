import { allTradersQuery } from "./all-traders.ts";
import type { PositionFilters } from "./filters.ts";
import type { ListQuery } from "./list-query.ts";
import { namedTradersQuery } from "./named-traders.ts";
import { marketHoldersQuery } from "./one-market.ts";

export function listQueryOf(filters: PositionFilters): ListQuery {
  if (filters.traders !== null) return namedTradersQuery(filters, filters.traders);
  return filters.market === null ? allTradersQuery(filters) : marketHoldersQuery(filters, filters.market);
}
