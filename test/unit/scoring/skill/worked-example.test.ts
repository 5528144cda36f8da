import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { closingEdge } from "../../../../src/scoring/skill/closing-edge.ts";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../../src/scoring/skill/grade.ts";
import {
  LETTER_FLOORS,
  METHOD_VERSION,
  PROOF_MARGIN,
  RECENT_DAYS,
  SCORE_MARGIN,
  SIGNIFICANCE_FLOOR,
  SIGNIFICANCE_MARGIN,
} from "../../../../src/scoring/skill/parameters.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import { designEffect, rawEdge } from "../../../../src/scoring/skill/raw-edge.ts";

const text = readFileSync(new URL("../../../../docs/methodology.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");

const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN);

const ONE_NIGHT = /Games (e\d+), (e\d+) and (e\d+) are of one league and night\./.exec(text)?.slice(1) ?? [];

const bets = [...text.matchAll(/\| (e\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+|none) \|/g)].map(
  ([, cluster = "", price, usd, payout, close]) => ({
    ...aSettledBet({ cluster, price: Number(price), usd: Number(usd), payout: Number(payout) }),
    ...(close === "none" ? {} : { close: Number(close) }),
    ...(ONE_NIGHT.includes(cluster) ? { story: "night" } : {}),
  }),
);

const population = {
  traders: number(/Population: wallets (\d+)/),
  mean: number(/, mean (-?[\d.]+), variance/),
  variance: number(/, variance ([\d.]+), dispersion/),
  dispersion: number(/, dispersion ([\d.]+), story correlation/),
  storyCorrelation: number(/, story correlation ([\d.]+), typical/),
  typicalVariance: number(/typical variance ([\d.]+), significance/),
  significance: number(/, significance ([\d.]+)\. Closing/),
  closing: {
    mean: number(/Closing lines: mean (-?[\d.]+),/),
    variance: number(/Closing lines: mean -?[\d.]+, variance ([\d.]+),/),
    covariance: number(/, covariance ([\d.]+), significance/),
    significance: number(/, covariance [\d.]+, significance ([\d.]+),/),
    dispersion: number(/, covariance [\d.]+, significance [\d.]+, dispersion ([\d.]+),/),
    crossDispersion: number(/, cross dispersion ([\d.]+)\. /),
  },
};

// The document's numbers were computed independently of the product's code.
test("the worked example of the methodology document matches the computed grade", () => {
  expect(bets).toHaveLength(13);
  const evidence = evidenceOf(bets);
  expect(evidence.weight / 1e9).toBe(number(/ A = ([\d.]+), B = /));
  expect(evidence.edge / 1e9).toBe(number(/ B = ([\d.]+), D = /));
  expect(evidence.information / 1e9).toBe(number(/ D = ([\d.]+), M = /));
  expect(evidence.squareInformation / 1e9).toBe(number(/ M = ([\d.]+), XX = /));
  expect(evidence.edgeEdge / 1e9).toBe(number(/ XX = ([\d.]+), XV = /));
  expect(evidence.edgeVariance / 1e9).toBe(number(/ XV = ([\d.]+), VV = /));
  expect(evidence.varianceVariance / 1e9).toBe(number(/ VV = ([\d.]+)\. /));
  expect(evidence.closeEdge / 1e9).toBe(number(/ B' = ([\d.]+), D' = /));
  expect(evidence.closeInformation / 1e9).toBe(number(/ D' = ([\d.]+), M' = /));
  expect(evidence.closeSquareInformation / 1e9).toBe(number(/ M' = ([\d.]+), YY = /));
  expect(evidence.closeEdgeEdge / 1e9).toBe(number(/ YY = ([\d.]+), YU = /));
  expect(evidence.closeEdgeVariance / 1e9).toBe(number(/ YU = ([\d.]+), UU = /));
  expect(evidence.closeVarianceVariance / 1e9).toBe(number(/ UU = ([\d.]+); XY = /));
  expect(evidence.crossEdgeEdge / 1e9).toBe(number(/ XY = ([\d.]+), XU = /));
  expect(evidence.crossEdgeVariance / 1e9).toBe(number(/ XU = ([\d.]+), VY = /));
  expect(evidence.crossVarianceEdge / 1e9).toBe(number(/ VY = ([\d.]+), VU = /));
  expect(evidence.crossVarianceVariance / 1e9).toBe(number(/ VU = ([\d.]+)\. /));
  // Rounded to millionths square by square.
  expect(evidence.storyEdgeEdge / 1e6).toBeCloseTo(number(/ PX = ([\d.]+), PV = /), 5);
  expect(evidence.storyEdgeVariance / 1e6).toBeCloseTo(number(/ PV = ([\d.]+), PW = /), 5);
  expect(evidence.storyVarianceVariance / 1e6).toBeCloseTo(number(/ PW = ([\d.]+), PM = /), 5);
  expect(evidence.storyInformation / 1e6).toBeCloseTo(number(/ PM = ([\d.]+)\. /), 5);
  expect(designEffect(evidence, population.storyCorrelation)).toBeCloseTo(number(/ \/ 2\.2757 = ([\d.]+)\./), 6);
  const raw = rawEdge(evidence, population);
  if (raw === null) throw new Error("no edge");
  expect(raw.value).toBeCloseTo(number(/r = 2\.86 \/ 2\.3382 = ([\d.]+)\./), 6);
  expect(raw.squaredError).toBeCloseTo(number(/ \/ 5\.467179 = ([\d.]+)\./), 6);
  const close = closingEdge(evidence, raw, population.closing);
  expect(close?.value).toBeCloseTo(number(/r' = 0\.104 \/ 1\.2967 = ([\d.]+)\./), 6);
  expect(close?.squaredError).toBeCloseTo(number(/ \/ 1\.681431 = ([\d.]+)\./), 6);
  expect(close?.covariance).toBeCloseTo(number(/ \/ 3\.031944 = ([\d.]+),/), 6);
  const recent = evidenceOf(bets.filter(({ cluster }) => Number(cluster.slice(1)) >= 6));
  expect(recent.storyInformation / 1e6).toBeCloseTo(number(/Recent:.* PM = ([\d.]+), M/), 5);
  expect(designEffect(recent, population.storyCorrelation)).toBeCloseTo(number(/1\.3361, design effect ([\d.]+)\./), 5);
  const { components, ...grade } = gradeOf(evidence, population, recent);
  expect(components?.recentForecastScore).toBe(number(/recent forecast score ([\d.]+)\. - Result/));
  expect(components?.expectedPoints).toBeCloseTo(number(/2\.3382 \/ 10\.725 = ([\d.]+)\./), 4);
  expect(grade).toEqual({
    score: number(/Result: score ([\d.]+),/),
    grade: /letter ([SABCDF]), forecast score/.exec(text)?.[1],
    reason: null,
    forecastScore: number(/, forecast score ([\d.]+),/),
    forecastEvidence: number(/, evidence ([\d.]+)\. /),
  });
});

test("the methodology document names the current method version and grade floors", () => {
  expect(text).toContain(`Method \`${METHOD_VERSION}\``);
  const floors = LETTER_FLOORS.map(([letter, floor]) => `${letter} from ${floor}`).join(", ");
  expect(text).toContain(floors);
  const [s, a, b] = LETTER_FLOORS.map(([, , proof]) => proof);
  expect(text).toContain(`a forecast score of at least ${s} for an S, ${a} for an A and ${b} for a B`);
  const [recentS, recentA] = LETTER_FLOORS.map(([, , , recent]) => recent);
  expect(text).toContain(`a recent forecast score of at least ${recentS} and ${recentA}`);
  expect(text).toContain(`one of the ${RECENT_DAYS} days before it`);
  expect(text).toContain(`needs a significance of the population (below) of at least ${SIGNIFICANCE_FLOOR}.`);
  expect([SCORE_MARGIN, PROOF_MARGIN]).toEqual([2, 2]);
  expect(text).toContain(`the significance by ${SIGNIFICANCE_MARGIN}`);
  expect(text).toContain("until a figure has passed a floor by 2");
});
