import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { edgeEntries, listGenerations } from "../../db/schema.ts";
import { columnNames, run, selectRow } from "../../db/sql.ts";
import {
  EDGE_LISTS,
  PARTIAL_REBUILD_SECONDS,
  PRE_GAME_REBUILD_SECONDS,
  type StoredEdgeSnapshot,
} from "../../domain/edge/edge-snapshot.ts";
import {
  judgeMarket,
  screenMarket,
  type BoardGame,
  type BoardMarket,
  type EdgeSnapshotKind,
  type ScannedHolders,
} from "../../scoring/edge/judge-market.ts";
import { closeGeneration, openGeneration } from "../read-models/generation.ts";
import { describeBoard, type JudgedRow } from "./describe-board.ts";
import { rankEntries, type EmittedSignal, type RankedEntry } from "./edge-entries.ts";
import { loadBoard, type BoardRow } from "./load-board.ts";
import { findNewestProfileTime, loadCategorySkill, loadScannedHolders, skillKey } from "./load-holders.ts";

const NO_HOLDERS: ScannedHolders = { indexed: 0, graded: [] };

/** Builds a snapshot of the board: every market with its terminal reason, and the rows of those that are emitted. */
export async function buildEdgeSnapshot(session: Session, kind: EdgeSnapshotKind): Promise<void> {
  const { judged, emitted } = await judgeBoard(session, kind, await loadBoard(session));
  const entries = rankEntries(emitted, await loadSkill(session, emitted));
  const detail: StoredEdgeSnapshot = {
    ...describeBoard(judged),
    skill_as_of: await findNewestProfileTime(session),
  };
  const generation = await openGeneration(session, EDGE_LISTS[kind], detail);
  await writeEntries(session, generation, entries);
  await closeGeneration(session, EDGE_LISTS[kind], generation, entries.length);
}

/** Builds the snapshot of the games before kickoff when the newest one is old enough, sooner when it is partial. */
export async function refreshPreGameSnapshot(session: Session): Promise<void> {
  const newest = await selectRow(
    session,
    sql`select ${listGenerations.builtAt} > now() - make_interval(secs =>
        case when (${listGenerations.detail} -> 'is_degraded')::boolean then ${PARTIAL_REBUILD_SECONDS}::int
          else ${PRE_GAME_REBUILD_SECONDS}::int end) as is_recent
      from ${listGenerations} where ${listGenerations.list} = ${EDGE_LISTS.pre_game}
      order by ${listGenerations.id} desc limit 1`,
    z.object({ is_recent: z.boolean() }),
  );
  if (newest?.is_recent !== true) await buildEdgeSnapshot(session, "pre_game");
}

async function judgeBoard(
  session: Session,
  kind: EdgeSnapshotKind,
  rows: readonly BoardRow[],
): Promise<{ judged: JudgedRow[]; emitted: EmittedSignal[] }> {
  const screened = rows.filter((row) => screenMarket(kind, gameOf(row), marketOf(row), row.now_ms) === null);
  const holders = await loadScannedHolders(
    session,
    screened.flatMap(({ market }) => market?.id ?? []),
  );
  const judged: JudgedRow[] = [];
  const emitted: EmittedSignal[] = [];
  for (const row of rows) {
    const held = (row.market === null ? undefined : holders.get(row.market.id)) ?? NO_HOLDERS;
    const verdict = judgeMarket(kind, gameOf(row), marketOf(row), held, row.now_ms);
    judged.push({ row, reason: verdict.reason });
    if (verdict.pile !== null && row.market !== null) emitted.push({ row, market: row.market, verdict });
  }
  return { judged, emitted };
}

const gameOf = (row: BoardRow): BoardGame => ({
  kickoffMs: row.kickoff_ms,
  isLive: row.is_live,
  isOff: row.is_off,
  readAtMs: row.read_at_ms,
  frameAtMs: row.frame_at_ms,
});

function marketOf({ market }: BoardRow): BoardMarket | null {
  if (market === null) return null;
  const [yes, no] = market.outcomes;
  return {
    isResolved: market.is_resolved,
    isClosed: market.is_closed,
    isBinary: market.is_binary,
    hasTokens: yes?.index === 0 && no?.index === 1,
    isPresentable: market.title !== null && market.has_volume,
    prices: [yes?.price_micro ?? null, no?.price_micro ?? null],
    scan: {
      readAtMs: market.scanned_at_ms,
      hasFailed: market.has_scan_failed,
      isScheduled: market.is_scheduled,
    },
  };
}

/** The category skill of the holders of signals. Observations show none. */
function loadSkill(session: Session, emitted: readonly EmittedSignal[]) {
  const pairs = emitted
    .filter(({ verdict }) => verdict.reason === "primary_slate_candidate")
    .flatMap(({ row, verdict }) => verdict.pile.holders.map(({ traderId }) => ({ traderId, category: row.sport })));
  const distinct = new Map(pairs.map((pair) => [skillKey(pair.traderId, pair.category), pair]));
  return loadCategorySkill(session, [...distinct.values()]);
}

async function writeEntries(session: Session, generation: number, entries: readonly RankedEntry[]): Promise<void> {
  const { generation: of, cohort, rank, conditionId, sport, kickoffAt, topGrade, isEmerging, pile } = edgeEntries;
  const columns = columnNames(of, cohort, rank, conditionId, sport, kickoffAt, topGrade, isEmerging, pile);
  const rows = recordset("t", entries, {
    cohort: ["text", (entry) => entry.cohort],
    rank: ["int", (entry) => entry.rank],
    condition_id: ["text", (entry) => entry.conditionId],
    sport: ["text", (entry) => entry.sport],
    kickoff_at: ["timestamptz", (entry) => entry.kickoffAt],
    top_grade: ["text", (entry) => entry.pile.top_grade],
    is_emerging: ["boolean", (entry) => entry.isEmerging],
    pile: ["jsonb", (entry) => JSON.stringify(entry.pile)],
  });
  await run(session, sql`insert into ${edgeEntries} (${columns}) select ${generation}, t.* from ${rows}`);
}
