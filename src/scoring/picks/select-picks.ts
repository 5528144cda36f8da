import {
  HOLDER_WEIGHT,
  MAX_PICKS_A_DAY,
  MAX_PRICE_PPM,
  MIN_BACKED_MICRO,
  MIN_HOLDERS,
  MIN_PRICE_PPM,
  MIN_SHARE_PERCENT,
  type PICK_MARKET_KINDS,
} from "./parameters.ts";

/** A holder graded S or A, with its shares of both outcomes in millionths. */
export interface CandidateHolder {
  readonly grade: keyof typeof HOLDER_WEIGHT;
  readonly sharesMicro: readonly [bigint, bigint];
}

/** A market of one game before its kickoff. */
export interface PickCandidate<Holder extends CandidateHolder = CandidateHolder> {
  readonly conditionId: string;
  readonly game: string;
  readonly kind: (typeof PICK_MARKET_KINDS)[number];
  /** Seconds since the epoch. */
  readonly kickoff: number;
  /** Prices of both outcomes in millionths. */
  readonly pricesPpm: readonly [bigint, bigint];
  readonly holders: readonly Holder[];
}

export interface BackedSide<Holder extends CandidateHolder = CandidateHolder> {
  readonly outcomeIndex: 0 | 1;
  readonly pricePpm: bigint;
  /** Those on the backed side: most shares first. */
  readonly holders: readonly Holder[];
  readonly topGrade: keyof typeof HOLDER_WEIGHT;
  /** Net shares at the price, in micro-dollars: on this side and on the other. */
  readonly backedMicro: bigint;
  readonly opposedMicro: bigint;
  /** Weights of holders on this side less those on the other. */
  readonly lead: number;
}

export type RefusedSide = "no_holders" | "price" | "few_holders" | "few_dollars" | "even_sides";

export type SideDecision<Holder extends CandidateHolder = CandidateHolder> =
  | { readonly side: BackedSide<Holder> }
  | { readonly refused: RefusedSide };

const PPM = 1_000_000n;

/**
 * The side that holders graded S and A back, if they agree. A holder counts on the outcome of which it holds more
 * shares, with the difference.
 */
export function decideSide<Holder extends CandidateHolder>(candidate: PickCandidate<Holder>): SideDecision<Holder> {
  const sides = [sideOf(candidate, 0), sideOf(candidate, 1)] as const;
  const outcomeIndex = sides[1].dollars > sides[0].dollars ? 1 : 0;
  const [own, other] = outcomeIndex === 1 ? [sides[1], sides[0]] : sides;
  const total = own.dollars + other.dollars;
  const top = own.holders.find(({ grade }) => grade === "S") ?? own.holders[0];
  if (top === undefined) return { refused: "no_holders" };
  const pricePpm = candidate.pricesPpm[outcomeIndex];
  if (pricePpm < MIN_PRICE_PPM || pricePpm > MAX_PRICE_PPM) return { refused: "price" };
  if (own.holders.length < MIN_HOLDERS) return { refused: "few_holders" };
  if (own.dollars < MIN_BACKED_MICRO) return { refused: "few_dollars" };
  if (own.dollars * 100n < total * MIN_SHARE_PERCENT || own.weight <= other.weight) return { refused: "even_sides" };
  return {
    side: {
      outcomeIndex,
      pricePpm,
      holders: own.holders,
      topGrade: top.grade,
      backedMicro: own.dollars,
      opposedMicro: other.dollars,
      lead: own.weight - other.weight,
    },
  };
}

function sideOf<Holder extends CandidateHolder>({ holders, pricesPpm }: PickCandidate<Holder>, index: 0 | 1) {
  const net = ({ sharesMicro }: Holder) => sharesMicro[index] - sharesMicro[index === 0 ? 1 : 0];
  const own = holders.filter((holder) => net(holder) > 0n).toSorted((a, b) => compare(net(b), net(a)));
  return {
    holders: own,
    dollars: own.reduce((sum, holder) => sum + (net(holder) * pricesPpm[index]) / PPM, 0n),
    weight: own.reduce((sum, { grade }) => sum + HOLDER_WEIGHT[grade], 0),
  };
}

/** What earlier passes selected for the same product day, withdrawn or not. */
export interface EarlierPick {
  readonly game: string;
  readonly kind: string;
}

export interface SelectedPick<Candidate extends PickCandidate> {
  readonly candidate: Candidate;
  readonly side: BackedSide<Candidate["holders"][number]>;
}

/**
 * The picks that a pass adds to a product day, best first: the largest lead in weight, then the most dollars on the
 * backed side, then the earliest kickoff, then the smallest condition id. A day has at most 15 picks, and a game at
 * most one of each kind of market. The same input gives the same picks.
 */
export function selectPicks<Candidate extends PickCandidate>(
  candidates: readonly Candidate[],
  earlier: readonly EarlierPick[],
): readonly SelectedPick<Candidate>[] {
  const admitted = candidates.flatMap((candidate): SelectedPick<Candidate>[] => {
    const decision = decideSide<Candidate["holders"][number]>(candidate);
    return "side" in decision ? [{ candidate, side: decision.side }] : [];
  });
  const taken = new Set(earlier.map(keyOf));
  const selected: SelectedPick<Candidate>[] = [];
  for (const pick of admitted.toSorted(compareSelected)) {
    if (earlier.length + selected.length >= MAX_PICKS_A_DAY) break;
    if (taken.has(keyOf(pick.candidate))) continue;
    taken.add(keyOf(pick.candidate));
    selected.push(pick);
  }
  return selected;
}

const keyOf = ({ game, kind }: EarlierPick): string => JSON.stringify([game, kind]);

const compareSelected = (a: SelectedPick<PickCandidate>, b: SelectedPick<PickCandidate>): number =>
  b.side.lead - a.side.lead ||
  compare(b.side.backedMicro, a.side.backedMicro) ||
  a.candidate.kickoff - b.candidate.kickoff ||
  compare(a.candidate.conditionId, b.candidate.conditionId);

const compare = <Value extends bigint | string>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);
