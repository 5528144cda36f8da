import { formatUsd, presentMicro } from "../../../domain/money.ts";
import type { ClosingState } from "../../../domain/picks/pick-record.ts";
import type { PickOutcome } from "../../../domain/picks/pick-outcome.ts";

const OUTCOME_TEXTS = { pending: "Pending", win: "Win", loss: "Loss", void: "Void" } as const;

export const presentOutcome = (outcome: PickOutcome | null) => ({
  outcome: outcome ?? ("pending" as const),
  outcome_display: OUTCOME_TEXTS[outcome ?? "pending"],
});

export const CLOSING_TEXTS: Readonly<Record<ClosingState, string>> = {
  pending: "The closing price is known after the kickoff.",
  measured: "The last price in the ten minutes before the kickoff is compared with the entry price.",
  unavailable: "No price was read in the ten minutes before the kickoff.",
  not_applicable: "The pick was published at the kickoff or later.",
};

/** Signed, with a fixed number of decimals, truncated toward zero: `+2.7`, `-0.5`; zero is `0.0`. */
export function signed(micro: bigint, decimals: number): string {
  const value = presentMicro(micro, decimals);
  return `${value > 0 ? "+" : ""}${value.toFixed(decimals)}`;
}

/** Signed whole dollars, truncated toward zero: `+$669`, `-$50`; zero is `+$0`. */
export function signedDollars(micro: bigint): string {
  const dollars = formatUsd(micro < 0n ? -micro : micro).split(".")[0] ?? "";
  return `${micro <= -1_000_000n ? "-" : "+"}${dollars}`;
}

/** A fraction in millionths as percent in micro-units. */
export const percentMicro = (ppm: bigint): bigint => ppm * 100n;
