import { everybodysForm } from "./everybodys.ts";
import type { PositionFilters } from "./filters.ts";
import type { ListForm } from "./list-form.ts";
import { walletsForm } from "./named-wallets.ts";
import { marketForm } from "./one-market.ts";

export function formOf(filters: PositionFilters): ListForm {
  if (filters.wallets !== null) return walletsForm(filters, filters.wallets);
  return filters.market === null ? everybodysForm(filters) : marketForm(filters, filters.market);
}
