import type { z } from "zod";
import { UNKNOWN_OUTCOME } from "../../http/data/activity-rows.ts";
import { generatedObjectId } from "../generated-ids.ts";
import { loader, type Loader } from "./loader.ts";
import * as shapes from "./market-shapes.ts";
import { winnerTakesAll } from "../market-drafts.ts";
import { outcomeKey, type Recording } from "../recording.ts";
import { AmmMarket, ResolvedSignal } from "./shapes.ts";
import { ammCondition, ammTitle, usualIndex } from "./trade-loaders.ts";
import type { Tag } from "../../provider-world.ts";

/** Epoch milliseconds of an ISO or `2026-07-24 00:00:16+00` time; null when empty or invalid. */
export function parseTime(text: string | null | undefined): number | null {
  if (!text) return null;
  const iso = text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}

/** A tag for which only the slug or label is recorded. */
const tagOf = (label: string): Tag => ({
  id: generatedObjectId("tag", label),
  label,
  slug: label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
});

// These fields depend on the replay clock and are derived, so that a market can be open in a replay before it
// closes.
const TIMED_FIELDS = new Set(["closed", "closedTime", "acceptingOrders", "umaResolutionStatus", "events", "tags"]);

function withoutTimedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !TIMED_FIELDS.has(name)));
}

function loadGammaMarket(recording: Recording, market: z.output<typeof shapes.GammaMarket>, eventSlug?: string): void {
  const { drafts } = recording;
  const event = market.events?.[0];
  const draft = drafts.name(market.conditionId, {
    question: market.question,
    slug: market.slug,
    eventSlug: eventSlug ?? event?.slug ?? market.slug,
  });
  draft.id = market.id;
  // The raw object's list fields are strings; the schema parsed them, so they are serialized again.
  draft.recorded = {
    ...withoutTimedFields(market),
    outcomes: JSON.stringify(market.outcomes),
    clobTokenIds: JSON.stringify(market.clobTokenIds),
  };
  if (market.outcomePrices.length > 0) draft.recorded["outcomePrices"] = JSON.stringify(market.outcomePrices);
  market.outcomes.forEach((label, index) => (draft.labels[index] = label));
  market.clobTokenIds.forEach((tokenId, index) =>
    drafts.recordToken(market.conditionId, index, tokenId, market.outcomes[index] ?? ""),
  );
  draft.endAtMs ??= parseTime(market.endDate);
  draft.closedAtMs ??= parseTime(market.closedTime);
  draft.closed ||= market.closed;
  const payouts = market.outcomePrices.map((price) => Math.round(Number(price) * 1e6));
  const settled = market.closed && ["resolved", "settled"].includes(market.umaResolutionStatus ?? "");
  if (settled && payouts.reduce((sum, ppm) => sum + ppm, 0) === 1_000_000)
    drafts.resolve(market.conditionId, payouts, draft.closedAtMs);
  if (event !== undefined) loadEvent(recording, event);
}

function loadEvent(
  recording: Recording,
  event: Pick<z.output<typeof shapes.GammaEvent>, "id" | "slug" | "title" | "tags" | "series">,
): void {
  const draft = recording.drafts.event(event.slug);
  draft.id = event.id;
  draft.title = event.title;
  if (event.tags !== undefined) draft.tags = event.tags;
  const series = event.series?.[0];
  if (series !== undefined) draft.series = { id: series.id, slug: series.slug };
  for (const tag of event.tags ?? []) recording.tags.set(tag.id, tag);
}

function loadGammaEvent(recording: Recording, event: z.output<typeof shapes.GammaEvent>): void {
  loadEvent(recording, event);
  const { markets: _, ...fields } = event;
  recording.drafts.event(event.slug).recorded = withoutTimedFields(fields);
  for (const value of event.markets) {
    const market = shapes.GammaMarket.safeParse(value);
    if (market.success) loadGammaMarket(recording, market.data, event.slug);
    else recording.unreadableRows += 1;
  }
}

const gammaMarkets = loader("Gamma markets", 0, shapes.GammaMarket, (recording, rows) => {
  for (const { row } of rows) loadGammaMarket(recording, row);
});

const gammaWrapped = loader("Gamma markets inside a recorder's row", 0, shapes.GammaWrapped, (recording, rows) => {
  for (const { row } of rows) loadGammaMarket(recording, row.raw);
});

const gammaEvents = loader("Gamma events", 0, shapes.GammaEvent, (recording, rows) => {
  for (const { row } of rows) loadGammaEvent(recording, row);
});

const gammaSearch = loader("Gamma search answer", 0, shapes.GammaSearch, (recording, rows) => {
  for (const event of rows.flatMap(({ row }) => row.events)) loadGammaEvent(recording, event);
});

const flatMarkets = loader("flattened markets", 0, shapes.FlatMarket, (recording, rows) => {
  for (const { row } of rows) {
    const draft = recording.drafts.name(row.condition_id, {
      question: row.market_question,
      slug: row.market_slug,
      eventSlug: row.event_slug,
    });
    draft.id ||= row.market_id;
    row.outcomes.forEach((label, index) => (draft.labels[index] ??= label));
    draft.startAtMs ??= parseTime(row.start_date);
    draft.endAtMs ??= parseTime(row.end_date);
    draft.closedAtMs ??= parseTime(row.closed_time);
    draft.closed ||= row.closed === "True";
    draft.recorded ??= row.volume_usd === "" ? {} : { volume: row.volume_usd, volumeNum: Number(row.volume_usd) };
    const winner = row.outcomes.indexOf(row.resolved_outcome);
    if (winner >= 0)
      recording.drafts.resolve(row.condition_id, winnerTakesAll(winner, row.outcomes.length), draft.closedAtMs);
    const tags = row.tag_labels
      .split("|")
      .filter((label) => label !== "")
      .map(tagOf);
    loadEvent(recording, { id: row.event_id, slug: row.event_slug, title: row.event_title, tags });
  }
});

const flatMarketsWithTokens = loader(
  "flattened markets with tokens",
  0,
  shapes.FlatMarketWithTokens,
  (recording, rows) => {
    for (const { row } of rows) {
      const draft = recording.drafts.name(row.condition_id, { question: row.question, slug: row.slug });
      draft.id ||= row.market_id;
      draft.description ||= row.description;
      draft.endAtMs ??= parseTime(row.end_date);
      draft.closed ||= row.closed === "True";
      draft.recorded ??= row.volume === "" ? {} : { volume: row.volume, volumeNum: Number(row.volume) };
      row.clob_token_ids.forEach((tokenId, index) =>
        recording.drafts.recordToken(row.condition_id, index, tokenId, ""),
      );
    }
  },
);

const clobMarkets = loader("CLOB markets", 0, shapes.ClobMarket, (recording, rows) => {
  for (const { row } of rows) {
    const draft = recording.drafts.name(row.condition_id, { question: row.question, slug: row.market_slug });
    draft.recordedClob = row;
    draft.closed ||= row.closed;
    draft.endAtMs ??= parseTime(row.end_date_iso);
    if (draft.tags.length === 0) draft.tags = (row.tags ?? []).map(tagOf);
    row.tokens.forEach((token, index) =>
      recording.drafts.recordToken(row.condition_id, index, token.token_id, token.outcome),
    );
    const winner = row.tokens.findIndex((token) => token.winner);
    if (winner >= 0) recording.drafts.resolve(row.condition_id, winnerTakesAll(winner, row.tokens.length), null);
  }
});

const ammMarkets = loader("AMM markets", 0, AmmMarket, (recording, rows) => {
  for (const { row } of rows) {
    const conditionId = ammCondition(row.market);
    const title = row.market_full_name ?? ammTitle(row.market);
    const draft = recording.drafts.name(conditionId, {
      question: title,
      slug: `replay-${row.market.replaceAll("_", "-")}`,
    });
    row.outcomes.forEach((label, index) => (draft.labels[index] = label));
    draft.startAtMs = row.first * 1000;
    draft.closedAtMs = row.last * 1000;
    const winner = row.winning_outcome === null ? -1 : row.outcomes.indexOf(row.winning_outcome);
    if (winner >= 0) recording.drafts.resolve(conditionId, winnerTakesAll(winner), null);
  }
});

const resolutions = loader("resolution map", 0, shapes.ResolutionRow, (recording, rows) => {
  for (const { row } of rows) {
    const winner = decideWinner(row);
    if (winner === null) continue;
    recording.drafts.name(row.condition_id, { question: row.question ?? "" });
    recording.drafts.resolve(row.condition_id, winnerTakesAll(winner), parseTime(row.resolved_at));
  }
});

/**
 * The winner of a row, when its outcome and payouts agree; null otherwise. Most rows are failures without a
 * result.
 */
function decideWinner(row: z.output<typeof shapes.ResolutionRow>): 0 | 1 | null {
  if (row.resolved_outcome === "YES" && row.payout_yes === 1 && row.payout_no !== 1) return 0;
  if (row.resolved_outcome === "NO" && row.payout_no === 1 && row.payout_yes !== 1) return 1;
  return null;
}

const resolvedSignals = loader("resolved signals", 0, ResolvedSignal, (recording, rows) => {
  for (const { row } of rows) {
    const [conditionId = "", index = "0"] = row.id.split(":");
    const outcomeIndex = Number(index) === UNKNOWN_OUTCOME ? usualIndex(row.outcome) : Number(index);
    if (outcomeIndex === null) continue;
    recording.namedOutcomes.set(outcomeKey(row), { conditionId, outcomeIndex });
    recording.drafts.name(conditionId, { question: row.title, eventSlug: row.eventSlug });
    recording.drafts.market(conditionId).labels[outcomeIndex] ??= row.outcome;
    recording.drafts.resolve(
      conditionId,
      winnerTakesAll(row.won ? outcomeIndex : 1 - outcomeIndex),
      parseTime(row.resolvedAt),
    );
  }
});

export const marketLoaders: readonly Loader[] = [
  gammaWrapped,
  gammaMarkets,
  gammaEvents,
  gammaSearch,
  flatMarkets,
  flatMarketsWithTokens,
  clobMarkets,
  ammMarkets,
  resolutions,
  resolvedSignals,
];
