/**
 * One ledger entry as a test knows it. Amounts are in micro-units. `expectedPositions` folds entries by
 * weighted average cost, independently of the product's code.
 */
export interface ExpectedEntry {
  readonly kind: "buy" | "sell" | "split" | "merge";
  readonly n: number;
  readonly wallet: number;
  readonly market: number;
  readonly outcome: 0 | 1;
  readonly shares: bigint;
  readonly usd: bigint;
  /** Null while the provider has not reported it. */
  readonly fee: bigint | null;
  readonly atSeconds: number;
}

export interface ExpectedPosition {
  wallet: number;
  market: number;
  outcome: 0 | 1;
  shares: bigint;
  cost: bigint;
  realized: bigint;
  bought: bigint;
  boughtUsd: bigint;
  sold: bigint;
  soldUsd: bigint;
  fees: bigint;
  unmatched: bigint;
  /** Proceeds of the unmatched shares. */
  unmatchedUsd: bigint;
  entries: number;
  first: number;
  last: number;
  /** What each sale and merge realized, with its second. */
  sales: { atSeconds: number; realized: bigint }[];
}

/** a / b rounded to the nearest integer, halves up. Both are non-negative. */
export const nearest = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);

const ORDER_IN_A_SECOND = ["split", "buy", "merge", "sell"];

export function expectedPositions(moves: readonly ExpectedEntry[]): ExpectedPosition[] {
  const inOrder = moves.toSorted(
    (a, b) =>
      a.atSeconds - b.atSeconds || ORDER_IN_A_SECOND.indexOf(a.kind) - ORDER_IN_A_SECOND.indexOf(b.kind) || a.n - b.n,
  );
  const groups = Map.groupBy(inOrder, (move) => `${move.wallet} ${move.market} ${move.outcome}`);
  return [...groups.values()].map(foldOne);
}

function foldOne(moves: readonly ExpectedEntry[]): ExpectedPosition {
  const [first] = moves;
  if (first === undefined) throw new Error("a group has at least one move");
  const { wallet, market, outcome, atSeconds } = first;
  const p = {
    wallet,
    market,
    outcome,
    shares: 0n,
    cost: 0n,
    realized: 0n,
    bought: 0n,
    boughtUsd: 0n,
    sold: 0n,
    soldUsd: 0n,
  };
  const times = { first: atSeconds, last: moves.at(-1)?.atSeconds ?? atSeconds };
  const position: ExpectedPosition = {
    ...p,
    fees: 0n,
    unmatched: 0n,
    unmatchedUsd: 0n,
    entries: moves.length,
    ...times,
    sales: [],
  };
  for (const move of moves) {
    position.fees += move.fee ?? 0n;
    if (move.kind === "buy") {
      position.bought += move.shares;
      position.boughtUsd += move.usd;
    }
    if (move.kind === "sell") {
      position.sold += move.shares;
      position.soldUsd += move.usd;
    }
    if (move.kind === "buy" || move.kind === "split") {
      position.shares += move.shares;
      position.cost += move.usd;
      continue;
    }
    const matched = move.shares > position.shares ? position.shares : move.shares;
    position.unmatched += move.shares - matched;
    const proceeds = nearest(move.usd * matched, move.shares);
    position.unmatchedUsd += move.usd - proceeds;
    if (matched === 0n) continue;
    const costOfMatched = nearest(position.cost * matched, position.shares);
    const realized = proceeds - costOfMatched;
    position.realized += realized;
    position.sales.push({ atSeconds: move.atSeconds, realized });
    position.cost -= costOfMatched;
    position.shares -= matched;
  }
  return position;
}
