import type { League } from "./plan/topics.ts";

/** Final points, sets or maps, in the order of the title. */
export type FinalScore = readonly [first: number, second: number];

/** Games of a set, of the side that wins it and of the other; the third set has a tie-break. */
const SETS = [
  [6, 4],
  [6, 3],
  [7, 6],
] as const;
const TIEBREAK = [7, 4] as const;
/** Points in a map of the side that wins it and of the other. */
const MAP = [13, 9] as const;

/**
 * The score and the period of a game after a part of its time, as the provider writes them.
 *
 * @param share of the time that is over, 0 to 1
 */
export function runningScore(
  { scoreFormat, periods }: League,
  final: FinalScore,
  share: number,
): { score: string; period: string } {
  if (scoreFormat === undefined) {
    const [first, second] = final.map((points) => Math.floor(points * share));
    return { score: `${first}-${second}`, period: partOf(periods, share * periods.length) };
  }
  const winners = partWinners(final);
  const played = share * winners.length;
  const complete = Math.floor(played);
  const period = partOf(periods, Math.min(played, winners.length - 0.5));
  return {
    score:
      scoreFormat === "sets"
        ? setsScore(winners, complete, played - complete)
        : mapsScore(winners, complete, played - complete),
    period,
  };
}

const partOf = (periods: readonly string[], played: number): string =>
  periods[Math.min(Math.floor(played), periods.length - 1)] ?? "";

/** The side that wins each set or map: the loser's come second. */
function partWinners([first, second]: FinalScore): (0 | 1)[] {
  const winner = first > second ? 0 : 1;
  const lost = Math.min(first, second);
  const parts: (0 | 1)[] = Array.from({ length: first + second }, () => winner);
  for (let part = 1; part <= lost; part++) parts[part] = winner === 0 ? 1 : 0;
  return parts;
}

const pair = (winner: 0 | 1, won: string | number, lost: string | number): string =>
  winner === 0 ? `${won}-${lost}` : `${lost}-${won}`;

function setsScore(winners: readonly (0 | 1)[], complete: number, share: number): string {
  const sets = winners.slice(0, complete + 1).map((winner, index) => {
    const [won, lost] = SETS[index % SETS.length] ?? SETS[0];
    if (index === complete) return pair(winner, Math.floor(won * share), Math.floor(lost * share));
    return won === 7 ? `${pair(winner, won, lost)}(${pair(winner, ...TIEBREAK)})` : pair(winner, won, lost);
  });
  return sets.join(", ");
}

function mapsScore(winners: readonly (0 | 1)[], complete: number, share: number): string {
  const won = ([0, 1] as const).map((side) => winners.slice(0, complete).filter((winner) => winner === side).length);
  const current = winners[complete];
  const points = (most: number) => String(Math.floor(most * share)).padStart(3, "0");
  const map = current === undefined ? "000-000" : pair(current, points(MAP[0]), points(MAP[1]));
  return `${map}|${won.join("-")}|Bo3`;
}
