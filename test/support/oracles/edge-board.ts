/*
 * An independent computation of the edge rules: floating-point dollars, one pass over plain facts, and a list of
 * questions in the order of docs/edge.md. It shares nothing with src/scoring/edge.
 */

export interface PlainMarket {
  /** Null: the game has no stored market. */
  readonly stored: {
    readonly resolved: boolean;
    readonly closed: boolean;
    readonly binary: boolean;
    readonly tokens: boolean;
    readonly presentable: boolean;
    readonly yesPrice: number | null;
    readonly noPrice: number | null;
    readonly scanAgeSeconds: number | null;
    readonly scanFailed: boolean;
    readonly scanned: boolean;
  } | null;
  readonly live: boolean;
  readonly off: boolean;
  readonly kickoffInSeconds: number;
  readonly sourceAgeSeconds: number;
  readonly frameAgeSeconds: number | null;
  readonly holders: readonly { readonly grade: string | null; readonly yes: number; readonly no: number }[];
}

export interface PlainPile {
  readonly side: 0 | 1;
  readonly share: number;
  readonly usd: number;
  readonly backing: number;
  readonly graded: readonly [s: number, a: number, b: number];
  readonly hedged: number;
}

export interface PlainVerdict {
  readonly reason: string;
  readonly pile: PlainPile | null;
  readonly emerging: boolean;
}

const RANKED = ["S", "A", "B"];
const WEIGHTS = [1, 0.5, 0.25];

/** The pile of the holders at these prices; null when a needed price is missing. */
function plainPile({ holders, stored }: PlainMarket): (PlainPile & { even: boolean }) | null {
  const net = holders
    .filter(({ grade }) => grade !== null && RANKED.includes(grade))
    .map(({ grade, yes, no }) => ({ rank: RANKED.indexOf(grade ?? ""), net: yes - no, both: yes > 0 && no > 0 }))
    .filter((one) => one.net !== 0);
  const prices = [stored?.yesPrice ?? null, stored?.noPrice ?? null] as const;
  if (net.some((one) => prices[one.net > 0 ? 0 : 1] === null)) return null;
  const usdOf = (one: { net: number }) => Math.abs(one.net) * (prices[one.net > 0 ? 0 : 1] ?? 0);
  const sum = (list: typeof net) => list.reduce((total, one) => total + usdOf(one), 0);
  const yes = net.filter((one) => one.net > 0);
  const no = net.filter((one) => one.net < 0);
  const side = sum(yes) > sum(no) ? 0 : 1;
  const pile = side === 0 ? yes : no;
  const total = sum(yes) + sum(no);
  return {
    side,
    even: sum(yes) === sum(no),
    share: sum(pile) / total,
    usd: sum(pile),
    backing: pile.reduce((weighted, one) => weighted + usdOf(one) * (WEIGHTS[one.rank] ?? 0), 0),
    graded: [0, 1, 2].map((rank) => pile.filter((one) => one.rank === rank).length) as [number, number, number],
    hedged: pile.filter((one) => one.both).length,
  };
}

/** Where a market ends. The first question that is answered with yes decides. */
export function plainVerdict(kind: "pre_game" | "in_play", market: PlainMarket): PlainVerdict {
  const { stored, live, kickoffInSeconds: kickoff, frameAgeSeconds: frame } = market;
  const scanAge = stored?.scanAgeSeconds ?? null;
  const isRecent = scanAge !== null && scanAge <= 900;
  const ranked = market.holders.filter(({ grade }) => grade !== null && RANKED.includes(grade));
  const pile = plainPile(market);
  const isPre = kind === "pre_game";
  const isSignal = pile !== null && pile.share >= 0.85 && pile.usd >= 1_000;
  const questions: [boolean, string][] = [
    [stored === null, "missing_stored_market"],
    [stored?.resolved === true, "resolved"],
    [stored?.closed === true, "provider_closed"],
    [market.off, "provider_excluded"],
    [stored?.binary === false, "invalid_market"],
    [stored?.tokens === false, "missing_token"],
    [market.sourceAgeSeconds > 1_800, "board_source_unavailable"],
    [isPre && (live || kickoff <= 0 || kickoff > 172_800), "outside_horizon"],
    [!isPre && !live, "not_provider_live"],
    [!isPre && (frame === null || frame > 30), "in_play_stale_observed"],
    [!isRecent && stored?.scanFailed === true, "holder_scan_incomplete"],
    [!isRecent && stored?.scanned === false, "capacity_limited"],
    [!isRecent && scanAge === null, "holder_deadline_unavailable"],
    [!isRecent, "provider_unavailable"],
    [market.holders.length === 0, "zero_indexed_holder_research"],
    [ranked.length === 0, "no_current_graded_holder"],
    [pile === null, "price_unavailable"],
    [pile !== null && (pile.even || pile.share < 0.6), "split_holder_pile"],
    [!isPre && (scanAge ?? Infinity) > 180, "in_play_directional_unavailable"],
    [isPre && isSignal, "primary_slate_candidate"],
    [stored?.presentable === false, "invalid_market"],
    [isPre, "wider_holder_emitted"],
    [true, "in_play_emitted"],
  ];
  const reason = questions.find(([isSo]) => isSo)?.[1] ?? "";
  const isEmitted = /emitted$|candidate$/.test(reason);
  const share = pile?.share ?? 0;
  return {
    reason,
    pile: isEmitted ? pile : null,
    emerging:
      reason === "wider_holder_emitted" &&
      share >= 0.75 &&
      share < 0.85 &&
      stored?.scanFailed === false &&
      kickoff >= 3_600,
  };
}
