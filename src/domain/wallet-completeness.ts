import { z } from "zod";
import { formatUsd } from "./money.ts";

/** The gap of a wallet that trades combinations of markets. Their results are not known; whatever it does in ordinary markets is. */
export const COMBINATION_GAP = "combination";

/** What the profit and win rates of a wallet leave out. Amounts are micro-dollars. */
export const LeftOut = z.object({
  /** Positions with shares that left without a recorded acquisition, and what those shares brought. */
  unmatched_positions: z.number().int(),
  unmatched_usd_micro: z.coerce.bigint(),
  /** Combinations of markets it ever held shares in, and what it bought and sold of them for. */
  combination_markets: z.number().int(),
  combination_volume_micro: z.coerce.bigint(),
});

export type LeftOut = z.output<typeof LeftOut>;

/** What is recorded of how far a wallet's activity was read. */
export interface HistoryFacts {
  readonly followed: boolean;
  /** When its activity was last read to its end; null while it never was. */
  readonly synced_at: string | null;
  readonly gaps: readonly string[] | null;
  readonly left_out: LeftOut;
}

/**
 * - `complete`: every figure is exact.
 * - `partial`: figures are served, and profit and win rates leave out what the detail says.
 * - `pending`, `gaps`, `untracked`: what it holds and made is not known, and no figure that rests on its whole history is served.
 */
export type WalletCompleteness =
  | { readonly status: "complete" }
  | { readonly status: "partial" | "pending" | "gaps" | "untracked"; readonly detail: string };

/** Why figures that rest on the whole history are withheld. */
export const WITHHELD = {
  pending: "the wallet's history is still being read",
  gaps: "the wallet has activity that positions do not follow, such as conversions, migrations, or splits of markets that are not described yet",
  untracked: "the wallet's history is not captured",
} as const;

/** How far a wallet's figures are known. src/db/completeness.ts has the same definition as SQL. */
export function walletCompleteness({ followed, synced_at: syncedAt, gaps, left_out: left }: HistoryFacts): WalletCompleteness {
  if (!followed) return { status: "untracked", detail: WITHHELD.untracked };
  if (syncedAt === null) return { status: "pending", detail: WITHHELD.pending };
  if (gaps?.some((gap) => gap !== COMBINATION_GAP) === true) return { status: "gaps", detail: WITHHELD.gaps };
  const detail = describeLeftOut(left) ?? (gaps?.includes(COMBINATION_GAP) === true ? `${LEAVES_OUT} combinations of markets` : null);
  return detail === null ? { status: "complete" } : { status: "partial", detail };
}

const LEAVES_OUT = "profit and win rates leave out";

/** What profit and win rates leave out, and which figures are exact all the same. @returns null when they leave out nothing */
export function describeLeftOut(left: LeftOut): string | null {
  const parts = [
    ...(left.unmatched_positions === 0
      ? []
      : [
          `${formatUsd(left.unmatched_usd_micro)} received for shares that the wallet was never seen to acquire, in ${count(left.unmatched_positions, "position")}`,
        ]),
    ...(left.combination_markets === 0
      ? []
      : [
          `${count(left.combination_markets, "combination")} of markets (${formatUsd(left.combination_volume_micro)} bought and sold), whose results are not known`,
        ]),
  ];
  if (parts.length === 0) return null;
  return `${LEAVES_OUT} ${parts.join(", and ")}; volume, trades and counts of markets are exact, and so is the profit of the other positions`;
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;
