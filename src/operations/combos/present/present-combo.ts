import type { z } from "zod";
import { formatMicro } from "../../../domain/money.ts";
import type { ComboFillRow, ComboRow } from "../../../queries/combos/combo-rows.ts";
import type { ComboFillSums, ComboLifecycleRow } from "../../../queries/combos/find-combo.ts";
import type { ComboDetail } from "../schemas/combo-schemas.ts";
import { presentComboFill } from "./present-combo-fill.ts";
import { presentTradedCombo } from "./present-traded-combo.ts";

type PublicDetail = z.input<typeof ComboDetail>;
type PublicCombo = PublicDetail["combo"];
type PublicFill = PublicDetail["fills"][number];

interface FoundCombo {
  readonly combo: ComboRow;
  readonly day: ComboFillSums;
  readonly all: ComboFillSums;
  /** Newest first. */
  readonly fills: readonly ComboFillRow[];
}

/** The combo and its fills, which have the same legs. */
export function presentCombo(
  { combo, day, all, fills }: FoundCombo,
  now: Date,
): { readonly combo: PublicCombo; readonly fills: PublicFill[] } {
  const traded = presentTradedCombo(combo, now);
  const publicFills = fills.map((fill) => presentComboFill(fill, traded));
  return {
    combo: {
      condition_id: combo.condition_id,
      leg_count: combo.leg_count,
      prepared_at: null,
      legs_known: combo.are_legs_known,
      legs: traded.legs,
      window: presentWindow(day),
      totals: presentTotals(all, publicFills[0]),
      status: combo.status,
      status_reason: combo.status_reason,
    },
    fills: publicFills,
  };
}

const presentWindow = ({ fills, usd_micro: usd, largest_micro: largest, traders }: ComboFillSums) =>
  usd === null || largest === null
    ? null
    : {
        fills,
        volume_usdc: formatMicro(usd),
        distinct_traders: traders,
        largest_fill_usdc: formatMicro(largest),
      };

function presentTotals(
  { fills, usd_micro: usd, largest_micro: largest, first_at: firstAt }: ComboFillSums,
  last: PublicFill | undefined,
): PublicCombo["totals"] {
  if (usd === null || largest === null || firstAt === null || last === undefined) return null;
  return {
    fills,
    volume_usdc: formatMicro(usd),
    largest_fill_usdc: formatMicro(largest),
    first_fill_at: firstAt,
    last_fill_at: last.block_timestamp,
    last_fill_price_yes: last.price_yes,
    last_fill_outcome_index: last.outcome_index,
    last_fill_action: last.action,
  };
}

/** Null while no event is recorded. */
export function presentLifecycle(row: ComboLifecycleRow): PublicDetail["lifecycle"] {
  const exact = (micro: bigint | null) => (micro === null ? null : formatMicro(micro));
  return row.last_event_at === null
    ? null
    : {
        splits: row.splits,
        merges: row.merges,
        redeems: row.redeems,
        compresses: row.compresses,
        split_usdc: exact(row.split_micro),
        merge_usdc: exact(row.merge_micro),
        redeemed_shares: exact(row.redeemed_shares_micro),
        redeemed_usdc: exact(row.redeemed_micro),
        compressed_usdc: exact(row.compressed_micro),
        last_event_at: row.last_event_at,
      };
}
