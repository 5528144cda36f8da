/** A fraction in lowest terms. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

export function rational(n: bigint, d: bigint): Rational {
  const by = gcd(n < 0n ? -n : n, d);
  return by === 0n ? { n: 0n, d: 1n } : { n: n / by, d: d / by };
}

/** What is known of a leg: what a share of it pays, or nothing yet. */
export type OracleLeg = Rational | "open" | "unknown";

export type OracleCombo =
  | { readonly status: "lost" | "won" | "partial"; readonly yes: Rational }
  | { readonly status: "open" | "unknown" };

/**
 * The conjunction as a bet that is rolled over: one dollar is put on the first leg and what it pays on the next.
 * It is over as soon as nothing is left, whatever the other legs do.
 */
export function settleConjunction(legs: readonly OracleLeg[]): OracleCombo {
  if (legs.some((leg) => typeof leg !== "string" && leg.n === 0n)) return { status: "lost", yes: rational(0n, 1n) };
  if (legs.includes("unknown")) return { status: "unknown" };
  if (legs.includes("open")) return { status: "open" };
  let stake = rational(1n, 1n);
  for (const leg of legs) if (typeof leg !== "string") stake = rational(stake.n * leg.n, stake.d * leg.d);
  return { status: stake.n === stake.d ? "won" : "partial", yes: stake };
}
