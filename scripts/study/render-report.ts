import { METHOD_VERSION } from "../../src/scoring/skill/parameters.ts";
import { LETTERS } from "./letters.ts";
import { PUBLISHED } from "./estimators.ts";
import { LARGE_USD, type StudyResult } from "./measure-walk.ts";
import { poolMeans, type ClusteredMean } from "./two-way-mean.ts";

/** The public figures for this measure: 79,580 purchases of at least $10,000, graded at the trade. */
const REFERENCE = ["+1.73 ±1.3", "+1.12", "-0.91", "-0.12", "-4.14", "+0.15"] as const;

/** The study's output for one data set, as Markdown. */
export function renderReport(result: StudyResult): string {
  const lines = [
    `## ${result.title}`,
    "",
    ...(result.isGenerated ? ["GENERATED DATA: nothing here was measured at a real market.", ""] : []),
    ...result.notes.map((note) => `- ${note}`),
    `- Method ${METHOD_VERSION}. ${result.traders} wallets with a settled trade: ${percent(result.winningShare)} ended above zero, ${percent(result.losingShare)} below.`,
    `- Edge of all ${result.settledPurchases} settled purchases: ${points(result.allPurchases)} points; of ${result.allSales.count} sales, read as purchases of the other side: ${points(result.allSales)}.`,
    `- ${result.gradedPurchases} purchases were made by a trader with a letter at that time.`,
    "",
  ];
  if (result.gradedPurchases === 0) {
    return [
      ...lines,
      "No purchase was made by a trader with a letter, so this data cannot show whether letters predict.",
      "",
    ].join("\n");
  }
  return [...lines, ...letterTables(result), ...calibrationTable(result), ...stabilityTable(result)].join("\n");
}

/** All estimators over several data sets: each letter's mean over all its purchases. */
export function renderPooled(results: readonly StudyResult[]): string {
  const names = results[0]?.estimators.map(({ name }) => name) ?? [];
  const table = (title: string, edgesOf: (one: StudyResult["estimators"][number]) => readonly ClusteredMean[]) => [
    `### ${title}`,
    "",
    `| estimator | ${LETTERS.join(" | ")} | S to F falls | in how many |`,
    `|---|${LETTERS.map(() => "---:|").join("")}---|---:|`,
    ...names.map((name, index) => {
      const each = results
        .map(({ estimators }) => estimators[index])
        .flatMap((one) => (one === undefined ? [] : [edgesOf(one)]));
      const pooled = LETTERS.map((_, letter) => poolMeans(each.flatMap((edges) => edges[letter] ?? [])));
      const falling = each.filter(isFalling).length;
      return `| ${name} | ${pooled.map((edge) => `${points(edge)} (${edge.count})`).join(" | ")} | ${isFalling(pooled) ? "yes" : "no"} | ${falling} of ${each.length} |`;
    }),
    "",
  ];
  return [
    `## All ${results.length} together`,
    "",
    ...(results.some(({ isGenerated }) => isGenerated)
      ? ["GENERATED DATA: nothing here was measured at a real market.", ""]
      : []),
    ...table("Later purchases by letter", ({ edges }) => edges),
    ...table(`Later purchases of at least $${LARGE_USD}`, ({ largeEdges }) => largeEdges),
  ].join("\n");
}

function letterTables({ estimators }: StudyResult): readonly string[] {
  const header = (title: string) => [
    `### ${title}`,
    "",
    "Won minus price paid, in points, with 95 % intervals clustered by event and by wallet; in brackets, purchases.",
    "",
    `| estimator | ${LETTERS.join(" | ")} | S to F falls | rank with latent skill | kept letter for a month |`,
    `|---|${LETTERS.map(() => "---:|").join("")}---|---:|---:|`,
  ];
  const row = (name: string, edges: readonly ClusteredMean[], rest: readonly string[]) =>
    `| ${name === PUBLISHED ? `**${name}** (published)` : name} | ${edges.map((edge) => `${points(edge)} (${edge.count})`).join(" | ")} | ${isFalling(edges) ? "yes" : "no"} | ${rest.join(" | ")} |`;
  return [
    ...header("Later purchases by letter"),
    ...estimators.map(({ name, edges, latentCorrelation, letterRetention }) =>
      row(name, edges, [decimals(latentCorrelation, 3), percent(letterRetention)]),
    ),
    "",
    ...header(`Later purchases of at least $${LARGE_USD}`),
    `| public reference | ${REFERENCE.join(" | ")} | no | | |`,
    ...estimators.map(({ name, largeEdges }) => row(name, largeEdges, ["", ""])),
    "",
    ...estimators.map(({ name, title }) => `- ${name}: ${title}`),
    "",
  ];
}

function calibrationTable({ calibration }: StudyResult): readonly string[] {
  return [
    "### Calibration of the published method",
    "",
    "| expected, points | mean expected | actual | purchases |",
    "|---|---:|---:|---:|",
    ...calibration.map(
      ({ from, to, forecast, came }) =>
        `| ${from} to ${to} | ${forecast.toFixed(2)} | ${points(came)} | ${came.count} |`,
    ),
    "",
  ];
}

function stabilityTable({ stability, finalLetters }: StudyResult): readonly string[] {
  const counts = `Traders by letter at the end: ${LETTERS.map((letter, index) => `${letter} ${finalLetters[index]}`).join(", ")}.`;
  if (stability === null) return [counts, ""];
  return [
    "### Letters from one month's end to the next",
    "",
    `| from | ${LETTERS.join(" | ")} | none |`,
    `|---|${LETTERS.map(() => "---:|").join("")}---:|`,
    ...LETTERS.map(
      (letter, index) => `| ${letter} | ${(stability.transitions[index] ?? []).map(percent).join(" | ")} |`,
    ),
    "",
    `Same or next letter: ${percent(stability.withinOne)}. Rank correlation of scores: ${decimals(stability.scoreCorrelation, 3)}. ${counts}`,
    "",
  ];
}

/** Whether every letter has purchases, and each did worse than the one before it. */
export function isFalling(edges: readonly ClusteredMean[]): boolean {
  const means = edges.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  return (
    means.length === edges.length && means.every((mean, index) => index === 0 || mean < (means[index - 1] ?? mean))
  );
}

export function points({ mean, standardError }: ClusteredMean): string {
  if (mean === null) return "none";
  const sign = mean < 0 ? "" : "+";
  return `${sign}${mean.toFixed(2)}${standardError === null ? "" : ` ±${(1.96 * standardError).toFixed(2)}`}`;
}

const percent = (share: number | null): string => (share === null ? "unknown" : `${(100 * share).toFixed(1)} %`);

const decimals = (value: number | null, count: number): string => (value === null ? "unknown" : value.toFixed(count));
