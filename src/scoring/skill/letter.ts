import { LETTER_FLOORS, PROOF_MARGIN, SCORE_MARGIN } from "./parameters.ts";

export type Letter = (typeof LETTER_FLOORS)[number][0] | "F";

const LETTERS: readonly Letter[] = [...LETTER_FLOORS.map(([letter]) => letter), "F"];

/**
 * The letter of a published (rounded) score and forecast score: the best one whose two floors are met. The floor of the
 * forecast score is the proof that a letter above C needs.
 *
 * A trader that has a letter keeps it until score or forecast score have passed a floor by the margin: the floors of
 * better letters count as higher, those of its own and of worse letters as lower. So figures that swing about a floor by
 * less than twice the margin change the letter at most once.
 *
 * @param previous the published letter; null without one, or after a change of the method
 */
export function letterOf(score: number, forecastScore: number, previous: Letter | null): Letter {
  if (previous === null) return letterBeyond(score, forecastScore, 0);
  const best = letterBeyond(score, forecastScore, 1);
  if (LETTERS.indexOf(best) < LETTERS.indexOf(previous)) return best;
  const worst = letterBeyond(score, forecastScore, -1);
  return LETTERS.indexOf(worst) > LETTERS.indexOf(previous) ? worst : previous;
}

/** The letter with all floors moved by so many margins. */
function letterBeyond(score: number, forecastScore: number, margins: number): Letter {
  return (
    LETTER_FLOORS.find(
      ([, floor, proof]) =>
        score >= floor + margins * SCORE_MARGIN && (proof === 0 || forecastScore >= proof + margins * PROOF_MARGIN),
    )?.[0] ?? "F"
  );
}
