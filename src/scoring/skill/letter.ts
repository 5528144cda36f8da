import { LETTER_FLOORS, MIN_PROOF, PROOF_MARGIN, PROVEN_LETTERS, SCORE_MARGIN } from "./parameters.ts";

export type Letter = (typeof LETTER_FLOORS)[number][0] | "F";

const LETTERS: readonly Letter[] = [...LETTER_FLOORS.map(([letter]) => letter), "F"];

/**
 * The letter of a published (rounded) score and forecast score. A letter above C also needs proof: a probability of an
 * edge above zero; without it the letter is C.
 *
 * A trader that has a letter keeps it until score or forecast score have passed its limits by the margin: a limit of a
 * better letter counts as higher, one of a worse letter as lower. So a score that swings about a limit by less than
 * twice the margin changes the letter at most once.
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

/** The letter with all limits moved by so many margins. */
function letterBeyond(score: number, forecastScore: number, margins: number): Letter {
  return (
    LETTER_FLOORS.find(
      ([letter, floor]) =>
        score >= floor + margins * SCORE_MARGIN &&
        (!PROVEN_LETTERS.includes(letter) || forecastScore >= MIN_PROOF + margins * PROOF_MARGIN),
    )?.[0] ?? "F"
  );
}
