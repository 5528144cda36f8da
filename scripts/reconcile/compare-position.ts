import { parseMicro } from "../../src/domain/money.ts";
import { applyMovement, EMPTY_POSITION, settledMicro, type Movement } from "../../src/scoring/position.ts";
import { halfFourthDecimal } from "../../src/scoring/provider-rounding.ts";
import { bookKey, placeKey, type Books } from "./book-movements.ts";
import { CENT_MICRO, magnitude, type ComparedFigure, type ComparedHistory, type ComparedPosition } from "./compared-position.ts";
import { decideReason } from "./decide-reason.ts";
import type { ProviderPosition } from "./facts.ts";
import { gainAtPrice, mostRoundingMicro, replayProviderLedger, sumShares } from "./provider-ledger.ts";

/** Compares one of the provider's positions with what the product makes of the recorded movements. */
export function comparePosition(position: ProviderPosition, books: Books): ComparedPosition {
  const movements = books.positions.get(bookKey(position.wallet, position.tokenId)) ?? [];
  const isSettled = position.status === "closed" && (isPayout(position.price) || isRedeemed(position, books));
  const history = compareHistory(position, movements, isSettled);
  const figures = movements.length === 0 ? [] : compareFigures(position, movements, isSettled);
  const places = [position.conditionId, position.eventSlug].map((place) => placeKey(position.wallet, place));
  const isUnbooked = places.some((place) => books.unbooked.has(place));
  const isConverted = places.some((place) => books.converted.has(place));
  const soldMicro = foldMovements(movements).realizedMicro;
  return {
    position,
    history,
    figures,
    replayedAverageMicro: movements.length === 0 ? null : replayProviderLedger(movements).averageMicro,
    ...decideReason({ position, history, figures, isUnbooked, isConverted, soldMicro }),
  };
}

export const foldMovements = (movements: readonly Movement[]) =>
  movements.reduce((state, movement) => applyMovement(state, movement).state, EMPTY_POSITION);

/** @param isSettled whether what no sale took has been redeemed, which a closed row does not tell by itself */
function compareHistory(position: ProviderPosition, movements: readonly Movement[], isSettled: boolean): ComparedHistory {
  // The provider counts what a split gives as bought.
  const boughtMicro = sumShares(movements.filter(({ kind }) => kind === "buy" || kind === "split"));
  const heldMicro = isSettled ? 0n : foldMovements(movements).sharesMicro;
  const fits = (ours: bigint, theirs: bigint) => magnitude(ours - theirs) <= position.stepMicro;
  return {
    movements: movements.length,
    boughtMicro,
    theirBoughtMicro: position.boughtSharesMicro,
    heldMicro,
    theirHeldMicro: position.heldSharesMicro,
    isComplete: fits(boughtMicro, position.boughtSharesMicro) && fits(heldMicro, position.heldSharesMicro),
  };
}

function compareFigures(position: ProviderPosition, movements: readonly Movement[], isSettled: boolean): ComparedFigure[] {
  const state = foldMovements(movements);
  const replayed = replayProviderLedger(movements);
  const priceMicro = parseMicro(position.price) ?? 0n;
  const atPrice = settledMicro(state, Number(priceMicro));
  const replayedAtPrice = gainAtPrice(replayed, priceMicro);
  const allowedMicro = allowedDifference(position, movements);
  const compare = (name: ComparedFigure["name"], oursMicro: bigint, theirsMicro: bigint, replayedMicro: bigint): ComparedFigure => ({
    name,
    oursMicro,
    theirsMicro,
    differenceMicro: oursMicro - theirsMicro,
    allowedMicro,
    unexplainedMicro: theirsMicro - replayedMicro,
  });
  const settledOurs = isSettled ? atPrice : 0n;
  const settledReplayed = isSettled ? replayedAtPrice : 0n;
  const realized = compare("realized", state.realizedMicro + settledOurs, position.realizedMicro, replayed.realizedMicro + settledReplayed);
  return position.open === null ? [realized] : [realized, compare("unrealized", atPrice, position.open.cashPnlMicro, replayedAtPrice)];
}

/**
 * A cent, or where it is more the least of two bounds on the provider's rounding: what its arithmetic can lose on these movements, and
 * half a unit of its average price's fourth decimal on the shares bought.
 */
function allowedDifference(position: ProviderPosition, movements: readonly Movement[]): bigint {
  const halfDecimal = halfFourthDecimal(position.boughtSharesMicro);
  const lost = mostRoundingMicro(movements) + position.stepMicro;
  const explained = halfDecimal < lost ? halfDecimal : lost;
  return explained > CENT_MICRO ? explained : CENT_MICRO;
}

const isPayout = (price: string): boolean => Number(price) === 0 || Number(price) === 1;

/** A market that paid each side a part is known by its redemption only. */
const isRedeemed = ({ wallet, conditionId }: ProviderPosition, books: Books): boolean => books.redeemed.has(placeKey(wallet, conditionId));
