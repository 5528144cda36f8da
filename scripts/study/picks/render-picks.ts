import { PICK_METHOD } from "../../../src/scoring/picks/parameters.ts";
import type { StudyData } from "../study-data.ts";
import { poolMeans, type ClusteredMean } from "../two-way-mean.ts";
import type { PickResult, PickStudy } from "./measure-picks.ts";

/** The study's output for one data set, as Markdown. */
export function renderPicks({ title, isGenerated, notes }: StudyData, { days, dropped, results }: PickStudy): string {
  const count = results[0]?.edge.count ?? 0;
  return [
    `## Picks, ${title}`,
    "",
    ...(isGenerated ? ["GENERATED DATA: nothing here was measured at a real market.", ""] : []),
    ...notes.map((note) => `- ${note}`),
    `- Method ${PICK_METHOD}. ${count} picks on ${days} days; ${dropped} more were selected and not admitted at their release.`,
    "",
    ...tableOf(results),
    "",
  ].join("\n");
}

/** The same over several generated years, which are independent. */
export const renderPooledPicks = (studies: readonly PickStudy[]): string =>
  [
    "## Picks, all years",
    "",
    ...tableOf(
      (studies[0]?.results ?? []).map(({ name }, index) => {
        const pooled = (of: (result: PickResult) => ClusteredMean) =>
          poolMeans(studies.flatMap(({ results }) => (results[index] === undefined ? [] : [of(results[index])])));
        return {
          name,
          hitRate: pooled(({ hitRate }) => hitRate),
          price: pooled(({ price }) => price),
          edge: pooled(({ edge }) => edge),
          closing: pooled(({ closing }) => closing),
          dollars: pooled(({ dollars }) => dollars),
        };
      }),
    ),
  ].join("\n");

function tableOf(results: readonly PickResult[]): readonly string[] {
  return [
    "| bought | picks | won | price | edge, points | closing-line value, points | profit of $1,000 |",
    "|---|---:|---:|---:|---:|---:|---:|",
    ...results.map(({ name, hitRate, price, edge, closing, dollars }) =>
      [
        "",
        ` ${name} `,
        ` ${edge.count} `,
        ` ${interval(hitRate, 3)} `,
        ` ${interval(price, 3)} `,
        ` ${interval(edge, 2)} `,
        ` ${interval(closing, 2)} `,
        ` ${interval(dollars, 0)} `,
        "",
      ].join("|"),
    ),
  ];
}

const Z_95 = 1.96;

/** Mean and 95 % interval. */
const interval = ({ mean, standardError }: ClusteredMean, decimals: number): string =>
  mean === null
    ? "none"
    : `${mean.toFixed(decimals)}${standardError === null ? "" : ` ±${(Z_95 * standardError).toFixed(decimals)}`}`;
