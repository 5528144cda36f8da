import { NO_EVIDENCE, replaceCluster, type SkillEvidence } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../src/scoring/skill/grade.ts";
import type { Letter } from "../../../src/scoring/skill/letter.ts";
import { LETTER_FLOORS } from "../../../src/scoring/skill/parameters.ts";
import { estimatePopulation, isEnoughEvidence, type SkillPopulation } from "../../../src/scoring/skill/population.ts";
import { LETTERS, UNGRADED } from "../letters.ts";
import { nth } from "../nth.ts";
import type { SettledChange } from "./cluster-books.ts";

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
  #population: SkillPopulation | null = null;

  constructor(count: number) {
    this.letter = new Uint8Array(count).fill(UNGRADED);
    this.score = new Float64Array(count).fill(Number.NaN);
    this.forecast = new Float64Array(count).fill(Number.NaN);
    this.bets = new Int32Array(count);
    this.profitUsd = new Float64Array(count);
    this.#evidence = new Float64Array(count * EVIDENCE_WIDTH);
  }

  settle(trader: number, { before, after, bets, profitUsd }: SettledChange): void {
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

  regrade(trader: number): void {
    if (this.#population === null) return;
    const last = nth(LETTER_OF, nth(this.letter, trader)).letter;
    const { grade, score, components } = gradeOf(this.#evidenceOf(trader), this.#population, last);
    this.letter[trader] = grade === null ? UNGRADED : LETTERS.indexOf(grade);
    this.score[trader] = score ?? Number.NaN;
    this.forecast[trader] = grade === null ? Number.NaN : (components?.expectedPoints ?? Number.NaN);
  }

  /** Estimates the population again and regrades all traders. */
  refresh(): void {
    const known: SkillEvidence[] = [];
    for (let trader = 0; trader < this.letter.length; trader += 1) {
      const evidence = this.#evidenceOf(trader);
      if (isEnoughEvidence(evidence)) known.push(evidence);
    }
    this.#population = estimatePopulation(known);
    for (let trader = 0; trader < this.letter.length; trader += 1) this.regrade(trader);
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
