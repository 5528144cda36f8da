import { METHOD_VERSION } from "../../../src/scoring/skill/parameters.ts";
import { LETTERS } from "../letters.ts";
import { LARGE_USD } from "../measure-walk.ts";
import { isFalling, points } from "../render-report.ts";
import { WORLDS } from "../simulate/worlds.ts";
import type { ClusteredMean } from "../two-way-mean.ts";
import type { WorldResult } from "./measure-world.ts";

/** The method in all worlds, as Markdown. */
export function renderWorlds(results: readonly WorldResult[]): string {
  const edges = (title: string, edgesOf: (one: WorldResult) => readonly ClusteredMean[]) => [
    `### ${title}`,
    "",
    `| world | ${LETTERS.join(" | ")} | S to F falls | S above 0 | A above 0 |`,
    `|---|${LETTERS.map(() => "---:|").join("")}---|---|---|`,
    ...results.map((one) => {
      const own = edgesOf(one);
      const cells = own.map((edge) => `${points(edge)} (${edge.count})`);
      return `| ${one.world} | ${[...cells, yes(isFalling(own)), isAboveZero(own[0]), isAboveZero(own[1])].join(" | ")} |`;
    }),
    "",
  ];
  return [
    `## Method ${METHOD_VERSION}, ${results[0]?.seeds ?? 0} years a world`,
    "",
    "GENERATED DATA: nothing here was measured at a real market.",
    "",
    ...edges("Later purchases by letter", (one) => one.edges),
    ...edges(`Later purchases of at least $${LARGE_USD}`, (one) => one.largeEdges),
    ...edges("Later purchases by letter, by true probability", (one) => one.trueEdges),
    ...edges(`Later purchases of at least $${LARGE_USD}, by true probability`, (one) => one.trueLargeEdges),
    `### Traders with purchases of at least $${LARGE_USD}, by letter`,
    "",
    `| world | ${LETTERS.join(" | ")} |`,
    `|---|${LETTERS.map(() => "---:|").join("")}`,
    ...results.map((one) => `| ${one.world} | ${one.largeTraders.join(" | ")} |`),
    "",
    "### Traders",
    "",
    `| world | ${LETTERS.join(" | ")} | kinds of S and A | AUC score | AUC closing line | changes a month | straight back |`,
    `|---|${LETTERS.map(() => "---:|").join("")}---|---:|---:|---:|---:|`,
    ...results.map((one) => {
      const figures = [one.scoreArea, one.closingLineArea, one.changesPerMonth, one.straightBackPerMonth];
      const cells = [...one.finalLetters, kinds(one), ...figures.map((value) => value?.toFixed(3) ?? "unknown")];
      return `| ${one.world}${WORLDS[one.world].hasSkill ? "" : " (no wallet is skilled)"} | ${cells.join(" | ")} |`;
    }),
    "",
  ].join("\n");
}

const kinds = ({ upperKinds }: WorldResult): string =>
  [...upperKinds]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, share]) => `${kind} ${Math.round(100 * share)} %`)
    .join(", ") || "none";

const yes = (value: boolean): string => (value ? "yes" : "no");

function isAboveZero(edge: ClusteredMean | undefined): string {
  if (edge === undefined || edge.mean === null || edge.standardError === null) return "unknown";
  return yes(edge.mean - 1.96 * edge.standardError > 0);
}
