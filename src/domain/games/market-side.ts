import { findNamedSide, type NamedSide } from "./bind-labels.ts";

/** What the first outcome of a market pays on. */
export type MarketSide = "home" | "away" | "draw" | "other";

export interface SidedMarket {
  readonly marketType: string | null;
  readonly slug: string | null;
  readonly title: string | null;
  /** The label of the first outcome. */
  readonly label: string | null;
}

/** Market types that pay on the result of the whole game for one side. */
const SIDED_TYPES = new Set(["moneyline", "spreads", "spread"]);

/**
 * Classifies a market of a game: by the label of its first outcome, and a yes-or-no market by the end of its
 * slug (`…-don` for the abbreviation, `…-draw`) or by the one side that its question names.
 *
 * @param competitors home first
 *
 * @returns null when nothing says what the market pays on
 */
export function marketSideOf(market: SidedMarket, competitors: readonly NamedSide[]): MarketSide | null {
  const label = market.label?.toLowerCase() ?? null;
  if (label === null) return null;
  if (label === "draw" || label === "tie") return "draw";
  if (market.marketType === null || !SIDED_TYPES.has(market.marketType)) return label === "yes" ? null : "other";
  if (label !== "yes") return sideAt(findNamedSide(label, competitors));
  const ending = market.slug?.split("-").at(-1)?.toLowerCase() ?? "";
  if (ending === "draw" || /\bdraw\b/i.test(market.title ?? "")) return "draw";
  const byEnding = competitors.findIndex(({ abbreviation }) => abbreviation?.toLowerCase() === ending);
  return sideAt(byEnding === -1 ? findNamedSide(market.title ?? "", competitors) : byEnding);
}

function sideAt(index: number | null): MarketSide | null {
  if (index === null) return null;
  return index === 0 ? "home" : "away";
}
