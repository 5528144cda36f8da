import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Session } from "../../db/client.ts";
import { isRepublished, type PublishedGrade } from "../../scoring/skill/is-republished.ts";
import { METHOD_VERSION } from "../../scoring/skill/parameters.ts";
import { lockLedger } from "../ledger/record-entries.ts";
import { recordGrade } from "./grade-record.ts";
import { findPopulation } from "./populations.ts";
import { publishGrades, type NewGrade } from "./publish-grades.ts";
import { evidenceColumns, toEvidence, type EvidenceRow } from "./trader-skill.ts";

const WALLETS_AT_ONCE = 300;
/** Slices one message does; the next message goes on. */
const SLICES = 30;

/** Grades wallets that are due, a slice a transaction, until none is or enough has been done for one message. */
export async function gradeDueWallets(pool: Pool): Promise<void> {
  // Asked again: the message may be older than this version of the method.
  if (!(await isGradingDue(pool))) return;
  for (let slices = 0; slices < SLICES; slices++) {
    const graded = await inTransaction(pool, (session) => gradeSlice(session, WALLETS_AT_ONCE));
    if (graded < WALLETS_AT_ONCE) return;
  }
}

/**
 * Whether any wallet waits to be graded. Not while the only populations are those of an earlier version of the method: its own is estimated
 * within minutes, and without one every wallet would lose its letter until then.
 */
export async function isGradingDue(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>(
    `select exists (select from trader_skill where is_due)
       and (exists (select from skill_populations where method_version = $1) or not exists (select from skill_populations)) as due`,
    [METHOD_VERSION],
  );
  return rows[0]?.due === true;
}

interface DueRow extends EvidenceRow {
  trader_id: string;
  address: string;
  grade: PublishedGrade["grade"];
  score: number | null;
  forecast_score: number | null;
  forecast_evidence: number | null;
  ungraded_reason: PublishedGrade["reason"];
  published: boolean;
  computed_at: string;
}

/**
 * Grades some of the due wallets and publishes what has moved. The ledger lock keeps order: grades are committed one transaction after the
 * other, so of one wallet a later row is always the later grade, and large trades are captured before or after them, never between.
 *
 * @returns how many wallets were graded
 */
export async function gradeSlice(session: Session, limit: number): Promise<number> {
  await lockLedger(session);
  const { rows } = await session.query<DueRow>(
    `select s.trader_id, t.address, ${evidenceColumns("s")}, t.grade, t.score, t.forecast_score, t.forecast_evidence,
       (select ungraded_reason from trader_grades where trader_id = t.id order by valid_from desc, id desc limit 1) as ungraded_reason,
       t.graded_at is not null as published, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as computed_at
     from trader_skill s join traders t on t.id = s.trader_id
     where s.is_due order by s.trader_id limit $1 for update of s skip locked`,
    [limit],
  );
  // Read once the wallets are held: a newer population either is this one or makes them due again after this transaction.
  const stored = await findPopulation(session);
  const moved: NewGrade[] = [];
  for (const row of rows) {
    const record = await recordGrade(toEvidence(row), stored?.population ?? null);
    const previous: PublishedGrade | null = row.published
      ? {
          grade: row.grade,
          score: row.score,
          forecastScore: row.forecast_score,
          forecastEvidence: row.forecast_evidence,
          reason: row.ungraded_reason,
        }
      : null;
    if (!isRepublished(previous, record.grade)) continue;
    const populationId = stored?.id ?? null;
    moved.push({
      ...record,
      traderId: row.trader_id,
      address: row.address,
      populationId,
      previousGrade: row.grade,
      computedAt: row.computed_at,
    });
  }
  await settleDue(
    session,
    rows.map((row) => row.trader_id),
  );
  await publishGrades(session, moved);
  return rows.length;
}

/** A wallet whose bets have all been taken back has no evidence, as one that never bet has none. */
async function settleDue(session: Session, traderIds: readonly string[]): Promise<void> {
  if (traderIds.length === 0) return;
  await session.query(
    `with emptied as (delete from trader_skill where trader_id = any($1::bigint[]) and bets = 0)
     update trader_skill set is_due = false where trader_id = any($1::bigint[]) and bets <> 0`,
    [traderIds],
  );
}
