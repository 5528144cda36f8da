import { divideRounded } from "../../scoring/divide-rounded.ts";
import { uniformValues } from "../../scoring/uniform-values.ts";

/** A CONVERSION row of a wallet's activity. */
export interface ConversionRow {
  /** Empty when the row names none. */
  readonly conditionId: string;
  /** Empty when the row names none. */
  readonly tokenId: string;
  readonly sharesMicro: bigint;
  readonly usdMicro: bigint;
  readonly happenedAtMs: number;
}

/** One question of a neg-risk event whose questions are all known. */
export interface Question {
  readonly conditionId: string;
  readonly marketId: number;
  readonly yesOutcomeId: number;
  readonly noOutcomeId: number;
  readonly noTokenId: string;
  /** From when the market can be traded; its question exists from then at the latest. */
  readonly startAtMs: number;
}

/** Shares that a conversion took (NO) or gave (YES), with what they are booked at. */
export interface ConversionLeg {
  readonly kind: "convert_in" | "convert_out";
  readonly marketId: number;
  readonly outcomeId: number;
  readonly sharesMicro: bigint;
  readonly usdMicro: bigint;
  /** The uniform price, 1/Q or (Q - 1)/Q, to ten decimals. */
  readonly price: string;
}

/**
 * Whether one transaction's rows may name the questions it converted, as far as the rows alone tell: at least two of them, each naming
 * another condition, equal sizes, and dollars that sum to exactly (n - 1) * size, which is what a conversion of n questions pays.
 *
 * The provider's feed has no index set, and no row of it was ever recorded, so a row's meaning is not assumed but has to follow:
 * - Rows could name the n questions whose NO shares left, the Q - n whose YES shares came, all Q of the event, or, one row for all of it,
 *   any of them or the event itself. Only the dollars tell these apart: with k rows they are (k - 1) * size in the first reading, (Q - k - 1) *
 *   size in the second, and in the third (k - 1) * size only if all were converted, which is the first reading. First and second agree
 *   where Q = 2k: `readConversion` then asks for the tokens.
 * - The dollars also tell that the rows are whole: rows of a transaction that landed in part sum to something else.
 * - One row proves nothing. The conversion of a single question pays 0, and 0 is also what a row says that does not tell its dollars.
 * - Rows without dollars prove nothing for the same reason, however many they are.
 * What is refused costs a wallet its rank until it is understood; what is read wrongly costs a reader money.
 */
export function mayNameConverted(rows: readonly ConversionRow[]): boolean {
  const [first] = rows;
  if (first === undefined || rows.length < 2 || first.sharesMicro <= 0n) return false;
  const conditions = new Set(rows.map((row) => row.conditionId));
  const paidMicro = rows.reduce((sum, row) => sum + row.usdMicro, 0n);
  return (
    conditions.size === rows.length &&
    !conditions.has("") &&
    rows.every((row) => row.sharesMicro === first.sharesMicro && row.happenedAtMs === first.happenedAtMs) &&
    paidMicro === BigInt(rows.length - 1) * first.sharesMicro
  );
}

/**
 * What a transaction converted: NO shares of the named questions into YES shares of all others and dollars.
 *
 * Refused unless `mayNameConverted`; every row names a question of the event; every question existed by then (the contract gives YES shares
 * of the questions there are, so a later one would make Q too large); tokens, where rows name them, are the NO tokens; and all
 * rows name theirs where half of the questions are named, because the other half would fit the dollars as well.
 *
 * @param rows all CONVERSION rows of one transaction and wallet
 * @param questions all questions of one event by their index; null when they are not known in full
 * @returns the legs by question index: NO legs less YES legs are exactly the dollars paid. Null when the rows do not prove it
 */
export function readConversion(rows: readonly ConversionRow[], questions: readonly Question[] | null): ConversionLeg[] | null {
  const [first] = rows;
  if (first === undefined || questions === null || !mayNameConverted(rows)) return null;
  const named = new Map(rows.map((row) => [row.conditionId, row]));
  const converted = questions.filter(({ conditionId }) => named.has(conditionId));
  const needsTokens = 2 * converted.length === questions.length;
  const fits = converted.every(({ conditionId, noTokenId }) => {
    const tokenId = named.get(conditionId)?.tokenId ?? "";
    return tokenId === noTokenId || (tokenId === "" && !needsTokens);
  });
  if (converted.length !== rows.length || !fits || questions.some((question) => question.startAtMs > first.happenedAtMs)) return null;

  const values = uniformValues(first.sharesMicro, questions.length);
  return questions.map((question, index): ConversionLeg => {
    const valueMicro = values[index] ?? 0n;
    const { marketId, yesOutcomeId, noOutcomeId } = question;
    const { sharesMicro } = first;
    return named.has(question.conditionId)
      ? {
          kind: "convert_out",
          marketId,
          outcomeId: noOutcomeId,
          sharesMicro,
          usdMicro: sharesMicro - valueMicro,
          price: fraction(questions.length - 1, questions.length),
        }
      : { kind: "convert_in", marketId, outcomeId: yesOutcomeId, sharesMicro, usdMicro: valueMicro, price: fraction(1, questions.length) };
  });
}

const PRICE_DECIMALS = 10;

/** part / whole as a decimal below 1. */
function fraction(part: number, whole: number): string {
  const digits = divideRounded(BigInt(part) * 10n ** BigInt(PRICE_DECIMALS), BigInt(whole));
  return `0.${String(digits).padStart(PRICE_DECIMALS, "0")}`.replace(/0+$/, "");
}
