import { combineSums } from "../../../src/scoring/skill/cluster-sums.ts";
import { NO_EVIDENCE, replaceCluster, type SkillEvidence } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf, isRecentDecisive } from "../../../src/scoring/skill/grade.ts";
import type { Letter } from "../../../src/scoring/skill/letter.ts";
import { LETTER_FLOORS } from "../../../src/scoring/skill/parameters.ts";
import { estimatePopulation, isEnoughEvidence, type SkillPopulation } from "../../../src/scoring/skill/population.ts";
import { LETTERS, UNGRADED } from "../letters.ts";
import { nth } from "../nth.ts";
import { dayOf, recentEvidence } from "../recent-evidence.ts";
import type { SettledChange } from "./cluster-books.ts";
import { SettledLog } from "./settled-log.ts";

/** Without closing lines: the read tables have no kickoffs. */
const EVIDENCE_WIDTH = 9;
/** By index into LETTERS; null at UNGRADED. */
const LETTER_OF: readonly { readonly letter: Letter | null }[] = [
  ...LETTER_FLOORS.map(([letter]) => ({ letter })),
  { letter: "F" },
  { letter: null },
];

/** Evidence, letter and profit of every trader, in typed arrays. */
export class TraderStates {
  readonly letter: Uint8Array;
  /** Published score and expected points; NaN without a letter. */
  readonly score: Float64Array;
  readonly forecast: Float64Array;
  /** Settled bets and their profit. */
  readonly bets: Int32Array;
  readonly profitUsd: Float64Array;
  readonly #evidence: Float64Array;
  readonly #settled: SettledLog;
  /** When evidence that decides the letter stops being recent. */
  readonly #recentUntil: Float64Array;
  #population: SkillPopulation | null = null;

  constructor(count: number) {
    this.letter = new Uint8Array(count).fill(UNGRADED);
    this.score = new Float64Array(count).fill(Number.NaN);
    this.forecast = new Float64Array(count).fill(Number.NaN);
    this.bets = new Int32Array(count);
    this.profitUsd = new Float64Array(count);
    this.#evidence = new Float64Array(count * EVIDENCE_WIDTH);
    this.#settled = new SettledLog(count);
    this.#recentUntil = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  }

  settle(trader: number, cluster: number, at: number, { before, after, bets, profitUsd }: SettledChange): void {
    const sums = combineSums(after, before, -1);
    if (sums.bets > 0) this.#settled.add(trader, { day: dayOf(at), cluster, sums });
    this.bets[trader] = nth(this.bets, trader) + bets;
    this.profitUsd[trader] = nth(this.profitUsd, trader) + profitUsd;
    const next = replaceCluster(this.#evidenceOf(trader), before, after);
    this.#evidence.set(
      [
        ...[next.bets, next.clusters, next.weight, next.edge, next.information, next.squareInformation],
        ...[next.edgeEdge, next.edgeVariance, next.varianceVariance],
      ],
      trader * EVIDENCE_WIDTH,
    );
  }

  regrade(trader: number, at: number): void {
    if (this.#population === null) return;
    const last = nth(LETTER_OF, nth(this.letter, trader)).letter;
    const evidence = this.#evidenceOf(trader);
    const recent = isRecentDecisive(evidence, this.#population, last)
      ? recentEvidence(this.#settled.of(trader), at)
      : null;
    this.#recentUntil[trader] = recent?.until ?? Number.POSITIVE_INFINITY;
    const { grade, score, components } = gradeOf(evidence, this.#population, recent?.evidence ?? null, last);
    this.letter[trader] = grade === null ? UNGRADED : LETTERS.indexOf(grade);
    this.score[trader] = score ?? Number.NaN;
    this.forecast[trader] = grade === null ? Number.NaN : (components?.expectedPoints ?? Number.NaN);
  }

  /** Grades a trader again when its evidence is no longer recent. */
  regradeStale(trader: number, at: number): void {
    if (nth(this.#recentUntil, trader) <= at) this.regrade(trader, at);
  }

  regradeAllStale(at: number): void {
    for (let trader = 0; trader < this.letter.length; trader += 1) this.regradeStale(trader, at);
  }

  /** Estimates the population again and regrades all traders. */
  refresh(at: number): void {
    this.#population = this.#estimatePopulation();
    // The evidence is garbage now, hundreds of megabytes for a million traders: memory that is not on V8's heap does not
    // make it collect.
    globalThis.gc?.();
    for (let trader = 0; trader < this.letter.length; trader += 1) this.regrade(trader, at);
  }

  #estimatePopulation(): SkillPopulation | null {
    const known: SkillEvidence[] = [];
    for (let trader = 0; trader < this.letter.length; trader += 1) {
      const evidence = this.#evidenceOf(trader);
      if (isEnoughEvidence(evidence)) known.push(evidence);
    }
    return estimatePopulation(known);
  }

  #evidenceOf(trader: number): SkillEvidence {
    const from = trader * EVIDENCE_WIDTH;
    const field = (index: number) => nth(this.#evidence, from + index);
    return {
      ...NO_EVIDENCE,
      bets: field(0),
      clusters: field(1),
      weight: field(2),
      edge: field(3),
      information: field(4),
      squareInformation: field(5),
      edgeEdge: field(6),
      edgeVariance: field(7),
      varianceVariance: field(8),
    };
  }
}
