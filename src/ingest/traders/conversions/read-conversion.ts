import { divideRounded } from "../../../scoring/divide-rounded.ts";
import { uniformValues } from "../../../scoring/uniform-values.ts";

/** A CONVERSION row of a trader's activity. */
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
  /** When the market becomes tradable, ms. Its question exists at that time at the latest. */
  readonly startAtMs: number;
}

/** Shares that a conversion took (NO) or gave (YES), with the dollars they are booked at. */
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
 * Whether the rows of one transaction can list the questions that it converted, judged by the rows alone: at
 * least two rows, each with a different condition, equal sizes, and dollars that sum to exactly (n - 1) *
 * size, which is what a conversion of n questions pays.
 *
 * The provider's feed has no index set, and no CONVERSION row was ever recorded. The meaning of a row must
 * therefore follow from its numbers:
 * - Rows could name the n questions whose NO shares left, the Q - n whose YES shares came, all Q of the
 *   event, or, as one row for everything, any of them or the event itself. Only the dollars distinguish these
 *   readings. With k rows they are (k - 1) * size in the first reading and (Q - k - 1) * size in the second.
 *   In the third they are (k - 1) * size only if all questions were converted, which is the first reading.
 *   The first and the second agree where Q = 2k: `readConversion` then requires the tokens.
 * - The dollars also show that no row is missing: an incomplete set of rows sums to a different amount.
 * - One row proves nothing. The conversion of a single question pays 0, and a row without dollars also shows
 *   0.
 * - For the same reason rows without dollars prove nothing, however many there are.
 * A refused conversion costs a trader its rank until it can be booked; a misread one would show wrong money
 * to clients.
 */
export function mayListConvertedQuestions(rows: readonly ConversionRow[]): boolean {
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
 * Reads what a transaction converted: NO shares of the named questions into YES shares of all others and
 * dollars.
 *
 * Returns null unless all of these hold: `mayListConvertedQuestions`; every row names a question of the
 * event; every question existed at that time (the contract gives YES shares only of existing questions, so a
 * later one would make Q too large); token ids in the rows are NO tokens; and all rows have a token id where
 * half of the questions are named, because the other half would fit the dollars equally well.
 *
 * @param rows all CONVERSION rows of one transaction and trader
 * @param questions all questions of one event by their index; null when they are not known in full
 * @returns the legs by question index (NO legs minus YES legs equal exactly the dollars paid), or null when
 *   the rows do not prove it
 */
export function readConversion(
  rows: readonly ConversionRow[],
  questions: readonly Question[] | null,
): ConversionLeg[] | null {
  const [first] = rows;
  if (first === undefined || questions === null || !mayListConvertedQuestions(rows)) return null;
  const named = new Map(rows.map((row) => [row.conditionId, row]));
  const converted = questions.filter(({ conditionId }) => named.has(conditionId));
  const needsTokens = 2 * converted.length === questions.length;
  const fits = converted.every(({ conditionId, noTokenId }) => {
    const tokenId = named.get(conditionId)?.tokenId ?? "";
    return tokenId === noTokenId || (tokenId === "" && !needsTokens);
  });
  if (
    converted.length !== rows.length ||
    !fits ||
    questions.some((question) => question.startAtMs > first.happenedAtMs)
  )
    return null;

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
      : {
          kind: "convert_in",
          marketId,
          outcomeId: yesOutcomeId,
          sharesMicro,
          usdMicro: valueMicro,
          price: fraction(1, questions.length),
        };
  });
}

const PRICE_DECIMALS = 10;

/** part / whole as a decimal below 1. */
function fraction(part: number, whole: number): string {
  const digits = divideRounded(BigInt(part) * 10n ** BigInt(PRICE_DECIMALS), BigInt(whole));
  return `0.${String(digits).padStart(PRICE_DECIMALS, "0")}`.replace(/0+$/, "");
}
