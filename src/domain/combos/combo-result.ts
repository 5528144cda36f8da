/** Payouts are in millionths of a dollar a share. */
const FULL_PPM = 1_000_000;

export type LegState = "pending" | "won" | "lost" | "void" | "unknown";

export interface Leg {
  readonly state: LegState;
  /** Null while it is pending or unknown. */
  readonly payoutPpm: number | null;
}

/** What is known of a leg's result. */
export interface LegFacts {
  /** Our own market of the leg; null while it is not known. */
  readonly market: {
    /** By outcome index, millionths; null until it is resolved. */
    readonly payoutsPpm: readonly number[] | null;
  } | null;
  readonly outcomeIndex: number;
  /** The provider's word for the leg's state, verbatim; null when it gave none. */
  readonly providerStatus: string | null;
}

const PROVIDER_STATES: Readonly<Record<string, Leg>> = {
  RESOLVED_WIN: { state: "won", payoutPpm: FULL_PPM },
  RESOLVED_LOSS: { state: "lost", payoutPpm: 0 },
};

/**
 * The state of a leg: won pays 1, lost pays 0, void pays in between (a refund, or a split result). It follows
 * from our own market. Only while that is not known, the provider's status decides, as far as it is clear.
 */
export function legOf({ market, outcomeIndex, providerStatus }: LegFacts): Leg {
  if (market === null) return PROVIDER_STATES[providerStatus ?? ""] ?? { state: "unknown", payoutPpm: null };
  if (market.payoutsPpm === null) return { state: "pending", payoutPpm: null };
  const payoutPpm = market.payoutsPpm[outcomeIndex];
  // A result without a payout for this outcome is of another market than the leg's.
  if (payoutPpm === undefined) return { state: "unknown", payoutPpm: null };
  return { state: payoutPpm === FULL_PPM ? "won" : payoutPpm === 0 ? "lost" : "void", payoutPpm };
}

/** Why the status of a combo is unknown. */
export type ComboStatusReason = "legs_not_indexed" | "leg_result_unknown" | "partial_payout";

export type ComboStatus =
  | { readonly status: "pending" | "won" | "lost"; readonly reason: null }
  | { readonly status: "unknown"; readonly reason: ComboStatusReason };

/**
 * The status of the YES conjunction. One lost leg decides. With a void leg and no lost one the conjunction pays
 * a part: it is neither won nor lost, and the status `unknown` says so by its reason.
 */
export function comboStatus(legs: readonly Leg[]): ComboStatus {
  if (legs.length === 0) return { status: "unknown", reason: "legs_not_indexed" };
  const has = (state: LegState) => legs.some((leg) => leg.state === state);
  if (has("lost")) return { status: "lost", reason: null };
  if (has("unknown")) return { status: "unknown", reason: "leg_result_unknown" };
  if (has("pending")) return { status: "pending", reason: null };
  return has("void") ? { status: "unknown", reason: "partial_payout" } : { status: "won", reason: null };
}

/**
 * The payouts of a combo by outcome index, millionths: YES pays the product of its legs' payouts, NO the rest
 * of the dollar. The product is exact in integers and truncated once, to the chain's millionths, so that YES is
 * never overstated.
 *
 * @returns null while they are not decided: without a lost leg, every leg must have a payout
 */
export function comboPayoutsPpm(legs: readonly Pick<Leg, "payoutPpm">[]): readonly [number, number] | null {
  if (legs.length === 0) return null;
  if (legs.some(({ payoutPpm }) => payoutPpm === 0)) return [0, FULL_PPM];
  let product = 1n;
  for (const { payoutPpm } of legs) {
    if (payoutPpm === null) return null;
    product *= BigInt(payoutPpm);
  }
  const yes = Number(product / BigInt(FULL_PPM) ** BigInt(legs.length - 1));
  return [yes, FULL_PPM - yes];
}
