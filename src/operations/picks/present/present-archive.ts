import type { z } from "zod";
import { formatUsd, presentDecimal, presentMicro, presentUsd } from "../../../domain/money.ts";
import { closingState } from "../../../domain/picks/closing-state.ts";
import type { RequiredPlan } from "../../../domain/picks/pick-access.ts";
import {
  returnMicro,
  STAKE_MICRO,
  STAKE_USD,
  summarizePicks,
  tallyPicks,
  type ClosingState,
  type ClosingSummary,
  type PickRecord,
  type RecordedPick,
} from "../../../domain/picks/pick-record.ts";
import type { ArchivedPick, ArchiveRow } from "../../../queries/picks/pick-archive.ts";
import type { PickOfTheDayArchive, PickOfTheDayArchiveEntry, PickOfTheDayHitRate } from "../schemas/pick-archive.ts";
import { presentClosing, presentIdentity, presentUnits } from "./present-pick.ts";
import { percentMicro, presentOutcome, signed, signedDollars } from "./pick-texts.ts";

const MICRO = 1_000_000n;
/** A sweep needs this many decided picks. */
const SWEEP_PICKS = 3;
const TIERS = { free: "account", pro: "insider", max: "max" } as const;

type PublishedPick = ArchivedPick & { readonly published_at: string };

const closingOf = (pick: PublishedPick, now: Date): ClosingState =>
  closingState(
    { publishedAt: new Date(pick.published_at), kickoff: new Date(pick.kickoff), closePrice: pick.close_price },
    now,
  );

/** A published pick as the record counts it. */
export const toRecorded = (pick: PublishedPick, now: Date): RecordedPick => ({
  date: pick.date,
  outcome: pick.outcome,
  price: pick.price,
  closing: closingOf(pick, now),
  closePrice: pick.close_price,
});

/** @param isOpen whether the caller's plan opens the pick while it is pending */
export function presentArchiveEntry(
  row: ArchiveRow,
  { required, isOpen }: { readonly required: RequiredPlan; readonly isOpen: boolean },
  now: Date,
): z.input<typeof PickOfTheDayArchiveEntry> {
  const identity = { pick_date: row.date, ...presentIdentity(row), ...presentOutcome(row.outcome) };
  const tier = row.outcome === null ? { required_tier: TIERS[required] } : {};
  if (row.outcome === null && !isOpen) return { ...identity, ...tier, backed_side_locked: true };
  const state = closingOf(row, now);
  const { clv_basis: _basis, ...closing } = presentClosing(row.price, row.close_price, state);
  return {
    ...identity,
    ...tier,
    published_at: row.published_at,
    matchup: row.matchup,
    category: row.category,
    display_category: row.league ?? row.category,
    ...(row.image === null ? {} : { image_url: row.image }),
    pick_outcome_label: row.outcome_label,
    top_grade: row.top_grade,
    ...(row.resolved_at === null ? {} : { resolved_at: row.resolved_at }),
    ...presentReturn(row),
    ...closing,
    ...(closing.clv_pct === undefined
      ? {}
      : { clv_entry_price: presentDecimal(row.price, 6), clv_close_price: presentDecimal(row.close_price, 6) ?? 0 }),
    clv_applicability: state === "not_applicable" ? "not_applicable" : "applicable",
    ...presentUnits(row.outcome, row.price),
  };
}

function presentReturn({ outcome, price }: ArchiveRow) {
  const gross = returnMicro(outcome, price);
  if (gross === null) return {};
  return {
    stake_usd: STAKE_USD,
    return_usd: presentUsd(gross),
    return_per_100: presentUsd(gross / 10n),
    payout_display: formatUsd(gross),
    backed_price: presentDecimal(price, 6),
  };
}

/** @param picks oldest first @returns newest first */
export function presentDays(picks: readonly RecordedPick[]): z.input<typeof PickOfTheDayArchive>["days"] {
  return [...Map.groupBy(picks, ({ date }) => date)].toReversed().map(([date, own]) => {
    const { wins, losses, voids, pending, netMicro, stakedMicro } = tallyPicks(own);
    const isSweep = wins + losses >= SWEEP_PICKS && pending === 0 && (wins === 0 || losses === 0);
    return {
      ...{ date, picks: own.length, wins, losses, void: voids, pending },
      ...presentUnitSum(netMicro, stakedMicro),
      ...(isSweep ? { sweep: wins > 0 ? ("win" as const) : ("loss" as const) } : {}),
    };
  });
}

/** @param picks oldest first */
export function presentHitRate(picks: readonly RecordedPick[]): z.input<typeof PickOfTheDayHitRate> {
  const record = summarizePicks(picks);
  const { wins, losses, voids, pending, netMicro, stakedMicro } = record;
  const roiMicro = stakedMicro === 0n ? 0n : (netMicro * 100n * MICRO) / stakedMicro;
  const pct = hitRatePct(wins, wins + losses);
  return {
    ...{ wins, losses, decided: wins + losses, pct, void: voids, pending, stake_usd: STAKE_USD },
    net_profit_usd: presentUsd(netMicro),
    staked_usd: presentUsd(stakedMicro),
    roi_pct: presentMicro(roiMicro, 1),
    net_profit_display: signedDollars(netMicro),
    roi_display: `${signed(roiMicro, 1)}%`,
    win_rate_display: `${pct.toFixed(1)}%`,
    ...presentUnitSum(netMicro, stakedMicro),
    ...presentClosingSummary(record.closing),
    series: presentSeries(record.series),
  };
}

const presentSeries = (series: PickRecord["series"]) =>
  series.map(({ date, netMicro, wins, decided }) => ({
    date,
    net_profit_usd: presentUsd(netMicro),
    hit_rate_pct: hitRatePct(wins, decided),
  }));

/** In percent, truncated to one decimal; 0 when none is decided. */
const hitRatePct = (wins: number, decided: number): number =>
  decided === 0 ? 0 : Math.floor((wins * 1000) / decided) / 10;

/** Left out when nothing is staked. */
function presentUnitSum(netMicro: bigint, stakedMicro: bigint) {
  if (stakedMicro === 0n) return {};
  const ppm = (netMicro * MICRO) / STAKE_MICRO;
  return { unit_score: presentMicro(ppm, 2), unit_score_display: `${signed(ppm, 2)}u` };
}

function presentClosingSummary(closing: ClosingSummary) {
  const { total, measured, pending, unavailable, notApplicable, beats, ties, averagePpm, averageMoveMicro } = closing;
  const applicable = total - notApplicable;
  const coverage = applicable === 0 ? null : presentMicro((BigInt(measured) * 100n * MICRO) / BigInt(applicable), 1);
  return {
    clv_state: summaryState(closing),
    ...{ clv_total: total, clv_eligible: applicable, clv_applicable: applicable, clv_not_applicable: notApplicable },
    ...{ clv_measured: measured, clv_pending: pending, clv_unavailable: unavailable },
    ...{ clv_beats_close: beats, clv_ties: ties },
    ...(coverage === null ? {} : { clv_coverage_pct: coverage, clv_coverage_display: `${coverage.toFixed(1)}%` }),
    ...(averagePpm === null || averageMoveMicro === null
      ? {}
      : {
          clv_avg_pct: presentMicro(percentMicro(averagePpm), 2),
          clv_avg_display: `${signed(percentMicro(averagePpm), 1)}%`,
          clv_avg_pp: presentMicro(percentMicro(averageMoveMicro), 2),
          clv_avg_pp_display: `${signed(percentMicro(averageMoveMicro), 1)} pp`,
        }),
  };
}

function summaryState({
  measured,
  pending,
  unavailable,
  notApplicable,
}: ClosingSummary): z.input<typeof PickOfTheDayHitRate>["clv_state"] {
  if (measured > 0) return "measured";
  if (pending > 0) return "pending";
  if (unavailable > 0) return "unavailable";
  return notApplicable > 0 ? "not_applicable" : "none";
}
