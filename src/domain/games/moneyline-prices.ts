import { bindLabels, type BindingProvenance, type NamedSide } from "./bind-labels.ts";

/** Where both prices of a market were read. */
export type PriceProvenance = "gamma_outcome_prices" | "clob_display";

export interface MoneylineOutcome {
  readonly label: string;
  /** The provider's decimal; null when it gave none. */
  readonly price: string | null;
}

export interface MoneylineInput {
  /** By outcome index. */
  readonly outcomes: readonly MoneylineOutcome[];
  readonly provenance: PriceProvenance;
  /** In the order of the game, home first. */
  readonly competitors: readonly (NamedSide & { readonly providerId: string | null })[];
  /** The end of the game: null while it is not over. `winner` is null where the final score does not say. */
  readonly final: { readonly isScoreKnown: boolean; readonly winner: number | null } | null;
}

export interface PricedSide {
  readonly providerId: number | null;
  readonly label: string;
  readonly price: number;
  readonly provenance: PriceProvenance;
}

export interface SideBinding {
  /** Whether the first outcome pays on the first competitor. */
  readonly firstIsYes: boolean;
  readonly providerIds: readonly [number | null, number | null];
  readonly provenance: BindingProvenance;
}

export type IncompleteReason =
  | "outcome_prices_missing"
  | "outcome_price_leg_missing"
  | "zero_price_sentinel"
  | "display_price_pair_unavailable"
  | "outcome_identity_unavailable"
  | "final_score_unavailable";

export type InvalidReason =
  | "team_cardinality"
  | "outcome_cardinality"
  | "non_finite_price"
  | "out_of_range_price"
  | "non_complementary_prices"
  | "ambiguous_identity"
  | "final_identity_mismatch";

/** The prices of both sides of a game, or why there are none. `binding` is null while the sides are unknown. */
export type MoneylinePrices =
  | { readonly state: "paired"; readonly sides: readonly [PricedSide, PricedSide]; readonly binding: SideBinding }
  | { readonly state: "incomplete"; readonly reason: IncompleteReason; readonly binding: SideBinding | null }
  | { readonly state: "invalid"; readonly reason: InvalidReason; readonly binding: SideBinding | null };

/** The most by which two prices of one market may miss one dollar: midpoints of two books differ a little. */
const COMPLEMENT_TOLERANCE = 0.05;
/** From this price on a market says who won. */
const DECIDED_PRICE = 0.99;

/** Pairs the prices of a two-way moneyline with the competitors of its game. */
export function priceMoneyline({ outcomes, provenance, competitors, final }: MoneylineInput): MoneylinePrices {
  const [first, second, ...more] = outcomes;
  if (first === undefined || second === undefined || more.length > 0) return invalid("outcome_cardinality");
  if (competitors.length === 0) return incomplete("outcome_identity_unavailable");
  const [a, b, ...others] = competitors;
  if (a === undefined || b === undefined || others.length > 0) return invalid("team_cardinality");
  const bound = bindLabels([first.label, second.label], [a, b]);
  if (bound.kind === "ambiguous") return invalid("ambiguous_identity");
  if (bound.kind === "unavailable") return incomplete("outcome_identity_unavailable");
  const firstIsYes = bound.sides[0] === 0;
  const providerIds = [integerOf(a.providerId), integerOf(b.providerId)] as const;
  const binding: SideBinding = { firstIsYes, providerIds, provenance: bound.provenance };

  const prices = [first.price, second.price];
  if (prices.every((price) => price === null)) return incomplete("outcome_prices_missing", binding);
  if (prices.some((price) => price === null))
    return incomplete(
      provenance === "clob_display" ? "display_price_pair_unavailable" : "outcome_price_leg_missing",
      binding,
    );
  const [yes, no] = prices.map(Number);
  if (yes === undefined || no === undefined || !Number.isFinite(yes) || !Number.isFinite(no))
    return invalid("non_finite_price", binding);
  if (Math.min(yes, no) < 0 || Math.max(yes, no) > 1) return invalid("out_of_range_price", binding);
  if (yes === 0 && no === 0) return incomplete("zero_price_sentinel", binding);
  if (Math.abs(yes + no - 1) > COMPLEMENT_TOLERANCE) return invalid("non_complementary_prices", binding);
  if (final !== null && Math.max(yes, no) >= DECIDED_PRICE) {
    // The score proves which outcome belongs to which side; a wrong pair of names would show the loser as the winner.
    if (!final.isScoreKnown) return incomplete("final_score_unavailable", binding);
    const priced = yes > no ? bound.sides[0] : bound.sides[1];
    if (final.winner !== null && final.winner !== priced) return invalid("final_identity_mismatch", binding);
  }
  const sideOf = (index: 0 | 1): PricedSide => {
    const isFirst = bound.sides[0] === index;
    return {
      providerId: providerIds[index],
      label: isFirst ? first.label : second.label,
      price: isFirst ? yes : no,
      provenance,
    };
  };
  return { state: "paired", sides: [sideOf(0), sideOf(1)], binding };
}

const incomplete = (reason: IncompleteReason, binding: SideBinding | null = null): MoneylinePrices => ({
  state: "incomplete",
  reason,
  binding,
});

const invalid = (reason: InvalidReason, binding: SideBinding | null = null): MoneylinePrices => ({
  state: "invalid",
  reason,
  binding,
});

const integerOf = (id: string | null): number | null => (id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null);
