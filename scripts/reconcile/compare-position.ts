import { parseMicro } from "../../src/domain/money.ts";
import { applyEntry, EMPTY_POSITION, settledMicro, type FoldEntry } from "../../src/scoring/position-fold.ts";
import { halfFourthDecimal } from "../../src/scoring/provider-rounding.ts";
import { walletTokenKey, walletMarketKey, type BookedLedger } from "./book-entries.ts";
import {
  CENT_MICRO,
  magnitude,
  type ComparedFigure,
  type ComparedHistory,
  type ComparedPosition,
} from "./compared-position.ts";
import { decideReason } from "./decide-reason.ts";
import type { ProviderPosition } from "./recording-facts.ts";
import { gainAtPrice, maxRoundingMicro, replayProviderLedger, sumShares } from "./provider-ledger.ts";

/** Compares one of the provider's positions with the fold of the recorded entries. */
export function comparePosition(position: ProviderPosition, books: BookedLedger): ComparedPosition {
  const movements = books.positions.get(walletTokenKey(position.wallet, position.tokenId)) ?? [];
  const isSettled = position.status === "closed" && (isPayout(position.price) || isRedeemed(position, books));
  const history = compareHistory(position, movements, isSettled);
  const figures = movements.length === 0 ? [] : compareFigures(position, movements, isSettled);
  const places = [position.conditionId, position.eventSlug].map((place) => walletMarketKey(position.wallet, place));
  const isUnbooked = places.some((place) => books.unbooked.has(place));
  const isConverted = places.some((place) => books.converted.has(place));
  const soldMicro = foldEntries(movements).realizedMicro;
  return {
    position,
    history,
    figures,
    replayedAverageMicro: movements.length === 0 ? null : replayProviderLedger(movements).averageMicro,
    ...decideReason({ position, history, figures, isUnbooked, isConverted, soldMicro }),
  };
}

export const foldEntries = (movements: readonly FoldEntry[]) =>
  movements.reduce((state, movement) => applyEntry(state, movement).state, EMPTY_POSITION);

/** @param isSettled whether the remaining shares were redeemed, which a closed row does not state itself */
function compareHistory(
  position: ProviderPosition,
  movements: readonly FoldEntry[],
  isSettled: boolean,
): ComparedHistory {
  // The provider counts shares from a split as bought.
  const boughtMicro = sumShares(movements.filter(({ kind }) => kind === "buy" || kind === "split"));
  const heldMicro = isSettled ? 0n : foldEntries(movements).sharesMicro;
  const fits = (ours: bigint, theirs: bigint) => magnitude(ours - theirs) <= position.stepMicro;
  return {
    movements: movements.length,
    boughtMicro,
    theirBoughtMicro: position.boughtSharesMicro,
    openSharesMicro: heldMicro,
    theirOpenSharesMicro: position.openSharesMicro,
    isComplete: fits(boughtMicro, position.boughtSharesMicro) && fits(heldMicro, position.openSharesMicro),
  };
}

function compareFigures(
  position: ProviderPosition,
  movements: readonly FoldEntry[],
  isSettled: boolean,
): ComparedFigure[] {
  const state = foldEntries(movements);
  const replayed = replayProviderLedger(movements);
  const priceMicro = parseMicro(position.price) ?? 0n;
  const atPrice = settledMicro(state, Number(priceMicro));
  const replayedAtPrice = gainAtPrice(replayed, priceMicro);
  const allowedMicro = allowedDifference(position, movements);
  const compare = (
    name: ComparedFigure["name"],
    oursMicro: bigint,
    theirsMicro: bigint,
    replayedMicro: bigint,
  ): ComparedFigure => ({
    name,
    oursMicro,
    theirsMicro,
    differenceMicro: oursMicro - theirsMicro,
    allowedMicro,
    unexplainedMicro: theirsMicro - replayedMicro,
  });
  const settledOurs = isSettled ? atPrice : 0n;
  const settledReplayed = isSettled ? replayedAtPrice : 0n;
  const realized = compare(
    "realized",
    state.realizedMicro + settledOurs,
    position.realizedMicro,
    replayed.realizedMicro + settledReplayed,
  );
  return position.open === null
    ? [realized]
    : [realized, compare("unrealized", atPrice, position.open.cashPnlMicro, replayedAtPrice)];
}

/**
 * A cent or, if larger, the smaller of two bounds on the provider's rounding: what its arithmetic can lose on
 * these entries, and half a unit of its average price's fourth decimal on the shares bought.
 */
function allowedDifference(position: ProviderPosition, movements: readonly FoldEntry[]): bigint {
  const halfDecimal = halfFourthDecimal(position.boughtSharesMicro);
  const lost = maxRoundingMicro(movements) + position.stepMicro;
  const explained = halfDecimal < lost ? halfDecimal : lost;
  return explained > CENT_MICRO ? explained : CENT_MICRO;
}

const isPayout = (price: string): boolean => Number(price) === 0 || Number(price) === 1;

/** A market that paid each side a part is recognised by its redemption only. */
const isRedeemed = ({ wallet, conditionId }: ProviderPosition, books: BookedLedger): boolean =>
  books.redeemed.has(walletMarketKey(wallet, conditionId));
