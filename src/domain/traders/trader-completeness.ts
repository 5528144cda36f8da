import { z } from "zod";
import { formatUsd } from "../money.ts";

/**
 * The gap of a trader of combinations of markets of which a leg is not known, or whose combo activity is not read
 * or not proven in full. Everything in ordinary markets is known.
 */
export const COMBINATION_GAP = "combination";

/** What the profit and win rates of a trader exclude. Amounts are micro-dollars. */
export const ExcludedActivity = z.object({
  /** Positions with shares removed without a recorded acquisition, and the proceeds of those shares. */
  unmatched_positions: z.number().int(),
  unmatched_usd_micro: z.coerce.bigint(),
  /** Combinations with unknown legs in which the trader ever held shares, and its buys and sells of them. */
  combination_markets: z.number().int(),
  combination_volume_micro: z.coerce.bigint(),
  /** The trader has the gap COMBINATION_GAP. */
  has_combination_gap: z.boolean(),
});

export type ExcludedActivity = z.output<typeof ExcludedActivity>;

/** How far a trader's activity has been read: fields of a row, as `selectHistoryFacts` of src/db selects them. */
export const HISTORY_FACTS = {
  followed: z.boolean(),
  /** When its activity was last read to its end; null before the first time. */
  synced_at: z.string().nullable(),
  gaps: z.array(z.string()).nullable(),
  left_out: ExcludedActivity,
};

export type HistoryFacts = z.output<z.ZodObject<typeof HISTORY_FACTS>>;

/**
 * - `complete`: every figure is exact.
 * - `partial`: figures are served; profit and win rates exclude what the detail says.
 * - `pending`, `gaps`, `untracked`: positions and profit are unknown, and no figure that needs the whole
 *   history is served.
 */
export type TraderCompleteness =
  | { readonly status: "complete" }
  | { readonly status: "partial" | "pending" | "gaps" | "untracked"; readonly detail: string };

/** Why figures that need the whole history are withheld. */
export const WITHHELD_REASONS = {
  pending: "the trader's history is still being read",
  gaps:
    "the trader has activity that positions do not include, such as conversions, migrations, or splits of markets " +
    "without a description",
  untracked: "the trader's history is not captured",
} as const;

/** The completeness of a trader's figures. src/db/fragments/completeness.ts has the same rules as SQL. */
export function traderCompleteness({
  followed,
  synced_at: syncedAt,
  gaps,
  left_out: left,
}: HistoryFacts): TraderCompleteness {
  if (!followed) return { status: "untracked", detail: WITHHELD_REASONS.untracked };
  if (syncedAt === null) return { status: "pending", detail: WITHHELD_REASONS.pending };
  if (gaps?.some((gap) => gap !== COMBINATION_GAP) === true) return { status: "gaps", detail: WITHHELD_REASONS.gaps };
  const detail = describeExcludedActivity(left);
  return detail === null ? { status: "complete" } : { status: "partial", detail };
}

/**
 * Describes what profit and win rates exclude, and which figures are exact nevertheless.
 *
 * @returns null when they exclude nothing
 */
export function describeExcludedActivity(left: ExcludedActivity): string | null {
  // Of a known combination, activity other than trades may be missing.
  const isUnproven = left.has_combination_gap && left.combination_markets === 0;
  const parts = [
    ...(left.unmatched_positions === 0
      ? []
      : [
          `${formatUsd(left.unmatched_usd_micro)} received for shares without a recorded acquisition, ` +
            `in ${count(left.unmatched_positions, "position")}`,
        ]),
    ...(left.combination_markets === 0
      ? []
      : [
          `${count(left.combination_markets, "combination")} of markets ` +
            `(${formatUsd(left.combination_volume_micro)} bought and sold), whose legs are not known`,
        ]),
    ...(isUnproven ? ["activity in combinations of markets that is not read or not proven"] : []),
  ];
  if (parts.length === 0) return null;
  const exact = isUnproven ? "" : "; volume, trades, market counts and the profit of the other positions are exact";
  return `profit and win rates exclude ${parts.join(", and ")}${exact}`;
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;
