import type { z } from "zod";
import { presentMicro } from "../../domain/money.ts";
import { ALL_MONTHS, RECORD_KINDS, type RecordKind } from "../../domain/record/record-kinds.ts";
import type { RecordRow } from "../../queries/record.ts";
import {
  differenceOf,
  intervalOf,
  measureSample,
  type EdgeEstimate,
  type SampleMeasure,
} from "../../scoring/record/measure-sample.ts";
import type { PublicRecord } from "./schemas.ts";

type KindEntry = z.input<typeof PublicRecord>["kinds"][number];
type Figures = KindEntry["total"];

/** @param rows newest month first, both samples of each period */
export function presentKinds(rows: readonly RecordRow[], kind: RecordKind | null): KindEntry[] {
  const byKind = Map.groupBy(rows, (row) => row.kind);
  return RECORD_KINDS.filter((one) => kind === null || one === kind).map((one) => {
    const periods = Map.groupBy(byKind.get(one) ?? [], ({ period }) => period);
    return {
      kind: one,
      total: presentFigures(periods.get(ALL_MONTHS) ?? []),
      months: [...periods]
        .filter(([period]) => period !== ALL_MONTHS)
        .map(([month, samples]) => ({ month, ...presentFigures(samples) })),
    };
  });
}

function presentFigures(samples: readonly RecordRow[]): Figures {
  const claims = sampleOf(samples, "claim");
  const random = sampleOf(samples, "random");
  const [own, other] = [measure(claims), measure(random)];
  const scored = claims.claims - claims.late - claims.unpriced;
  return {
    claims: claims.claims,
    resolved: claims.won + claims.lost + claims.voided,
    ...presentOutcomes(claims),
    unpriced: claims.unpriced,
    ...presentRates(claims, own),
    random: {
      drawn: random.claims,
      unmatched: scored - random.claims,
      ...presentOutcomes(random),
      ...presentRates(random, other),
    },
    edge_over_random: own === null || other === null ? null : presentInterval(differenceOf(own.edge, other.edge)),
  };
}

function sampleOf(samples: readonly RecordRow[], name: RecordRow["sample"]): RecordRow {
  const row = samples.find(({ sample }) => sample === name);
  if (row === undefined) throw new Error(`the public record has a period without the sample ${name}`);
  return row;
}

const measure = (row: RecordRow): SampleMeasure | null =>
  measureSample({
    won: BigInt(row.won),
    lost: BigInt(row.lost),
    voided: BigInt(row.voided),
    pricePpm: row.price_ppm,
    returnMicro: row.return_micro,
    events: BigInt(row.events),
    edgeSquares: row.edge_squares,
    edgeCounts: row.edge_counts,
    countSquares: row.count_squares,
  });

const presentOutcomes = ({ won, lost, voided, pending, late }: RecordRow) => ({
  won,
  lost,
  void: voided,
  pending,
  late,
});

function presentRates({ events }: RecordRow, measured: SampleMeasure | null) {
  if (measured === null)
    return {
      ...{ events, hit_rate: null, expected_hit_rate: null, edge: null, profit_per_dollar: null },
      rates_reason: "too_few_events" as const,
    };
  return {
    events,
    hit_rate: presentMicro(measured.hitRatePpm, 4),
    expected_hit_rate: presentMicro(measured.expectedHitRatePpm, 4),
    edge: presentInterval(measured.edge),
    profit_per_dollar: presentMicro(measured.profitPpm, 4),
    rates_reason: null,
  };
}

/** The mean is rounded to hundredths; the ends are rounded outward, so that the interval is never too short. */
function presentInterval(estimate: EdgeEstimate) {
  const { points, low, high } = intervalOf(estimate);
  return {
    points: hundredths(Math.round, points),
    low: hundredths(Math.floor, low),
    high: hundredths(Math.ceil, high),
  };
}

/** Adding 0 turns negative zero into zero. */
const hundredths = (round: (value: number) => number, value: number): number => round(value * 100) / 100 + 0;
