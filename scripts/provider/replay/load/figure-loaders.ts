import { z } from "zod";
import { loader, type FileContext, type Loader } from "./loader.ts";
import * as shapes from "./market-shapes.ts";
import { winnerTakesAll } from "../market-drafts.ts";
import type { Recording } from "../recording.ts";
import { DailyPrice, Print } from "./shapes.ts";
import type { BoardPeriod } from "../../provider-world.ts";

/** Loaders of positions, boards, prices, books and games. */

type V1PositionRow = Pick<
  z.output<typeof shapes.V1Position>,
  | "proxyWallet"
  | "conditionId"
  | "asset"
  | "oppositeAsset"
  | "outcomeIndex"
  | "outcome"
  | "oppositeOutcome"
  | "title"
  | "slug"
  | "icon"
  | "eventSlug"
>;

function recordNames(recording: Recording, row: V1PositionRow): void {
  const { drafts } = recording;
  drafts.name(row.conditionId, { question: row.title, slug: row.slug, icon: row.icon, eventSlug: row.eventSlug });
  drafts.recordToken(row.conditionId, row.outcomeIndex, row.asset, row.outcome);
  drafts.recordToken(row.conditionId, 1 - row.outcomeIndex, row.oppositeAsset, row.oppositeOutcome);
  recording.recordProfile(row.proxyWallet);
}

const openPositions = loader("v1 positions", 0, shapes.V1Position, (recording, rows) => {
  for (const { row } of rows) {
    recordNames(recording, row);
    // For the provider, redeemable means resolved and not yet redeemed.
    if (row.redeemable && (row.curPrice === 0 || row.curPrice === 1)) {
      recording.drafts.resolve(
        row.conditionId,
        winnerTakesAll(row.curPrice === 1 ? row.outcomeIndex : 1 - row.outcomeIndex),
        null,
      );
    }
    recording.positions.push({ ...positionFields(row), currentSize: row.size, lastEventAt: null });
  }
});

const closedPositions = loader("v1 closed positions", 0, shapes.V1ClosedPosition, (recording, rows) => {
  for (const { row } of rows) {
    recordNames(recording, row);
    recording.positions.push({ ...positionFields(row), currentSize: 0, lastEventAt: row.timestamp });
  }
});

const positionFields = (
  row: V1PositionRow & { avgPrice: number; curPrice: number; totalBought: number; realizedPnl: number },
) => ({
  wallet: row.proxyWallet,
  conditionId: row.conditionId,
  outcomeIndex: row.outcomeIndex,
  averagePrice: row.avgPrice,
  currentPrice: row.curPrice,
  totalSize: row.totalBought,
  realizedPnl: row.realizedPnl,
});

/**
 * A leaderboard response has neither window nor day: the file's name must have them
 * (`leaderboard.month-pnl.2026-07-15.json`).
 */
const board = loader("v1 leaderboard", 0, shapes.V1BoardRow, (recording, rows, { name }: FileContext) => {
  const period = /\b(day|week|month|all)\b/.exec(name)?.[1];
  const day = /\d{4}-\d\d-\d\d/.exec(name)?.[0];
  if (period === undefined || day === undefined) {
    recording.unserved.push(name);
    return;
  }
  for (const { row } of rows)
    recording.recordProfile(row.proxyWallet, { name: row.userName, profileImage: row.profileImage });
  recording.boards.push({
    // The pattern above matches only these four words.
    period: period as BoardPeriod,
    category: "overall",
    atMs: Date.parse(day),
    rows: rows.map(({ row }) => ({ wallet: row.proxyWallet, pnl: row.pnl, volume: row.vol })),
  });
});

/**
 * The polls record neither window nor category; docs/replay.md explains why they count as a month of some
 * category.
 */
export const UNRECORDED_CATEGORY = "unrecorded";

const polledBoards = loader("polled leaderboard", 0, shapes.PolledBoardRow, (recording, rows) => {
  for (const { row } of rows) recording.recordProfile(row.address, { name: row.username });
  for (const [time, poll] of Map.groupBy(rows, ({ row }) => row.timestamp_utc)) {
    recording.boards.push({
      period: "month",
      category: UNRECORDED_CATEGORY,
      atMs: Date.parse(time),
      rows: poll.map(({ row }) => ({ wallet: row.address, pnl: row.pnl, volume: row.vol })),
    });
  }
});

const books = loader("CLOB book", 2, shapes.ClobBook, (recording, rows) => {
  for (const { row } of rows) {
    recording.drafts.guessToken(row.market, row.asset_id);
    recording.books.set(row.asset_id, { bids: row.bids, asks: row.asks, timestampMs: row.timestamp });
  }
});

const DAY_SECONDS = 86_400;

const dailyPrices = loader("daily prices", 1, DailyPrice, (recording, rows) => {
  for (const { row } of rows)
    recording.addPrice(row.token_id, { timestamp: row.timestamp, price: row.price, resolutionSeconds: DAY_SECONDS });
});

/** Prints have no wallet, so they are prices and not trades. `yes` is the first outcome. */
const prints = loader("prints", 2, Print, (recording, rows) => {
  for (const { row } of rows) {
    recording.drafts.name(row.conditionId, { question: row.title });
    const tokenId = recording.drafts.tokenOf(row.conditionId, row.side_yes_no === "yes" ? 0 : 1);
    recording.addPrice(tokenId, { timestamp: row.timestamp, price: row.price, resolutionSeconds: 0 });
  }
});

const nflGames = loader("NFL games", 0, shapes.NflGame, (recording, rows) => {
  for (const { row } of rows) {
    const title = `${row.away} vs. ${row.home}`;
    const draft = recording.drafts.name(row.condition_id, {
      question: title,
      slug: row.event_slug,
      eventSlug: row.event_slug,
    });
    draft.labels[0] ??= row.away;
    draft.labels[1] ??= row.home;
    draft.sportsMarketType = "moneyline";
    draft.endAtMs ??= Date.parse(row.game_start_utc);
    const event = recording.drafts.event(row.event_slug);
    event.title ||= title;
    event.game = { league: row.league, home: row.home, away: row.away, kickoffMs: Date.parse(row.game_start_utc) };
    if (row.winning_outcome !== null)
      recording.drafts.resolve(row.condition_id, winnerTakesAll(row.winning_outcome), null);
  }
});

const FrameLists = z.record(z.string(), z.unknown()).refine((lists) => framesOf(lists).length > 0);

function framesOf(lists: Record<string, unknown>): readonly Record<string, unknown>[] {
  return Object.values(lists).flatMap((value) => z.array(shapes.SportsFrame).safeParse(value).data ?? []);
}

const sportsFrameLists = loader("sports socket frames by capture", 0, FrameLists, (recording, rows) => {
  recording.gameFrames.push(...rows.flatMap(({ row }) => framesOf(row)));
});

const sportsFrames = loader("sports socket frames", 0, shapes.SportsFrame, (recording, rows) => {
  recording.gameFrames.push(...rows.map(({ row }) => row));
});

const tags = loader("tags", 0, shapes.TagTree, (recording, rows) => {
  for (const { row } of rows) collectTags(recording, row);
});

/** Every object of the tree with an id, label and slug is a tag. */
function collectTags(recording: Recording, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const node = shapes.TagNode.safeParse(value);
  if (node.success)
    recording.tags.set(node.data.id, { id: node.data.id, label: node.data.label, slug: node.data.slug });
  for (const child of Object.values(value)) collectTags(recording, child);
}

export const figureLoaders: readonly Loader[] = [
  openPositions,
  closedPositions,
  board,
  polledBoards,
  books,
  dailyPrices,
  prints,
  nflGames,
  sportsFrames,
  sportsFrameLists,
  tags,
];
