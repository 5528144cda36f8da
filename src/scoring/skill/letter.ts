import { LETTER_FLOORS, PROOF_MARGIN, SCORE_MARGIN, SIGNIFICANCE_FLOOR, SIGNIFICANCE_MARGIN } from "./parameters.ts";

export type Letter = (typeof LETTER_FLOORS)[number][0] | "F";

const LETTERS: readonly Letter[] = [...LETTER_FLOORS.map(([letter]) => letter), "F"];

/** The published (rounded) figures that decide a letter. */
export interface LetterFigures {
  readonly score: number;
  readonly forecastScore: number;
  /** The forecast score of the recent evidence alone; null without any. */
  readonly recentForecastScore: number | null;
  /** Of skill in the population (`skillSignificance`). */
  readonly significance: number;
}

/**
 * The letter of a score and its proof: the best one whose floors are all met. The floor of the forecast score is the proof
 * that a letter above C needs, and these letters also need a population that shows skill. The best ones also need recent
 * evidence.
 *
 * A trader that has a letter keeps it until a figure has passed a floor by the margin: the floors of
 * better letters count as higher, those of its own and of worse letters as lower. So figures that swing about a floor by
 * less than twice the margin change the letter at most once.
 *
 * @param previous the published letter; null without one, or after a change of the method
 */
export function letterOf(figures: LetterFigures, previous: Letter | null): Letter {
  if (previous === null) return letterBeyond(figures, 0);
  const best = letterBeyond(figures, 1);
  if (LETTERS.indexOf(best) < LETTERS.indexOf(previous)) return best;
  const worst = letterBeyond(figures, -1);
  return LETTERS.indexOf(worst) > LETTERS.indexOf(previous) ? worst : previous;
}

/** Whether a letter depends on the recent evidence. */
export const needsRecent = (letter: Letter): boolean =>
  LETTER_FLOORS.some(([one, , , recent]) => one === letter && recent > 0);

/** The letter with all floors moved by so many margins. */
function letterBeyond(figures: LetterFigures, margins: number): Letter {
  const { score, forecastScore, recentForecastScore, significance } = figures;
  const isSkillShown = significance >= SIGNIFICANCE_FLOOR + margins * SIGNIFICANCE_MARGIN;
  const isProved = (proof: number, figure: number | null) =>
    proof === 0 || (figure !== null && figure >= proof + margins * PROOF_MARGIN);
  return (
    LETTER_FLOORS.find(
      ([, floor, proof, recent]) =>
        score >= floor + margins * SCORE_MARGIN &&
        isProved(proof, forecastScore) &&
        isProved(recent, recentForecastScore) &&
        (proof === 0 || isSkillShown),
    )?.[0] ?? "F"
  );
}
