import { decideSide, type BackedSide } from "../../scoring/picks/select-picks.ts";
import type { GameMarket, StoredHolder } from "./read-candidates.ts";
import type { WithdrawalReason } from "./withdraw-pick.ts";

export type PublicationDecision =
  | {
      readonly kind: "seal";
      readonly side: BackedSide<StoredHolder>;
      /** As they are now: the provider renames games and sides. The label is null where it gives none any more. */
      readonly names: { readonly matchup: string; readonly outcomeLabel: string | null };
    }
  /** It reached its kickoff unsealed: it is published without a commitment, with the values of its selection. */
  | { readonly kind: "uncommitted" }
  | { readonly kind: "withdraw"; readonly reason: WithdrawalReason }
  /** Its holders or its price cannot be read. */
  | { readonly kind: "wait" };

/**
 * What happens to a slot whose release has come. The rule is applied again to the market as it is now.
 *
 * @param slot its kickoff equals the game's schedule
 * @param market null when the game or the market cannot be read
 */
export function decidePublication(
  slot: { readonly kickoff: Date; readonly outcomeIndex: number },
  market: GameMarket | null,
  now: Date,
): PublicationDecision {
  if (market?.isOff === true) return { kind: "withdraw", reason: "game_off" };
  if (now.getTime() >= slot.kickoff.getTime()) return { kind: "uncommitted" };
  if (market === null) return { kind: "wait" };
  if (!market.isOpen) return { kind: "withdraw", reason: "market_closed" };
  if (market.hasStarted) return { kind: "withdraw", reason: "game_started" };
  if (market.candidate === null) return { kind: "wait" };
  const decision = decideSide(market.candidate);
  if (!("side" in decision) || decision.side.outcomeIndex !== slot.outcomeIndex)
    return { kind: "withdraw", reason: "not_admitted" };
  const names = { matchup: market.matchup, outcomeLabel: market.labels[slot.outcomeIndex] ?? null };
  return { kind: "seal", side: decision.side, names };
}
