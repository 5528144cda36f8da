import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { t } from "../../db/aliases.ts";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { skillPopulations, traderGrades, traderSkill } from "../../db/schema.ts";
import { array, columnName, columnNames, isoText, run, selectRow, selectRows } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { isRecentDecisive } from "../../scoring/skill/grade.ts";
import { isRepublished } from "../../scoring/skill/is-republished.ts";
import { METHOD_VERSION } from "../../scoring/skill/parameters.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { recordGrade } from "./grade-record.ts";
import { publishGrades, type NewGrade } from "./publish-grades.ts";
import { loadRecentEvidence, type RecentEvidence } from "./recent-evidence.ts";
import { findSkillPopulation, type StoredSkillPopulation } from "./skill-populations.ts";
import { EVIDENCE_COLUMNS, Evidence } from "./trader-skill.ts";

const TRADERS_AT_ONCE = 300;
/** Slices that one message grades; the next message continues. */
const SLICES_PER_MESSAGE = 30;

/**
 * Grades due traders, one transaction per slice, until none is due or the limit of one message is reached.
 */
export async function gradeDueTraders(pool: Pool): Promise<void> {
  // Checked again here, because the message may be older than this version of the method.
  if (!(await isGradingDue(pool))) return;
  for (let slices = 0; slices < SLICES_PER_MESSAGE; slices++) {
    const graded = await inTransaction(pool, (session) => gradeSlice(session, TRADERS_AT_ONCE));
    if (graded < TRADERS_AT_ONCE) return;
  }
}

/**
 * Whether any trader is due for grading. False while all populations are of an earlier version of the method:
 * a new one is estimated within minutes, and without it every trader would lose its letter until then.
 */
export async function isGradingDue(pool: Pool): Promise<boolean> {
  const row = await selectRow(
    sessionOf(pool),
    sql`select exists (select from ${traderSkill} where ${traderSkill.isDue})
       and (exists (select from ${skillPopulations} where ${skillPopulations.methodVersion} = ${METHOD_VERSION})
         or not exists (select from ${skillPopulations})) as due`,
    z.object({ due: z.boolean() }),
  );
  return row?.due === true;
}

const DueTrader = Evidence.extend({
  trader_id: z.string(),
  address: z.string(),
  grade: z.enum(GRADES).nullable(),
  score: z.number().nullable(),
  forecast_score: z.number().nullable(),
  forecast_evidence: z.number().nullable(),
  ungraded_reason: z.enum(["population_unknown", "too_few_markets", "too_little_information"]).nullable(),
  published: z.boolean(),
  /** Of the newest published grade; null before the first. */
  method_version: z.string().nullable(),
  computed_at: z.string(),
});

type DueTrader = z.output<typeof DueTrader>;

/**
 * Grades some of the due traders and publishes the changes. The ledger lock keeps the order: grades commit
 * one transaction after another, so a later row of a trader is always the later grade, and large trades are
 * captured before or after them, never between.
 *
 * @returns how many traders were graded
 */
export async function gradeSlice(session: Session, limit: number): Promise<number> {
  await lockLedger(session);
  const traders = await lockDueTraders(session, limit);
  // Read after the traders are locked: a newer population is either this one, or makes them due again after
  // this transaction.
  const stored = await findSkillPopulation(session);
  const recent = await loadRecentEvidence(session, listWithDecisiveRecent(traders, stored));
  const changed: NewGrade[] = [];
  for (const trader of traders) {
    const grade = await gradeTrader(trader, stored, recent.get(trader.trader_id) ?? null);
    if (grade !== null) changed.push(grade);
  }
  await clearDue(session, traders, recent);
  await publishGrades(session, changed);
  return traders.length;
}

/** The reason for a missing letter and the version of the method are in the history only. */
const lockDueTraders = (session: Session, limit: number): Promise<DueTrader[]> =>
  selectRows(
    session,
    sql`select ${traderSkill.traderId}, ${t.address}, ${EVIDENCE_COLUMNS}, ${t.grade}, ${t.score}, ${t.forecastScore},
       ${t.forecastEvidence},
       newest.ungraded_reason, newest.method_version,
       ${t.gradedAt} is not null as published, ${isoText(sql`clock_timestamp()`)} as computed_at
     from ${traderSkill} join ${t} on ${t.id} = ${traderSkill.traderId}
     left join lateral (select ${columnNames(traderGrades.ungradedReason, traderGrades.methodVersion)} from ${traderGrades}
       where ${traderGrades.traderId} = ${t.id}
       order by ${traderGrades.validFrom} desc, ${traderGrades.id} desc limit 1) newest on true
     where ${traderSkill.isDue} order by ${traderSkill.traderId} limit ${limit}
     for update of ${traderSkill} skip locked`,
    DueTrader,
  );

/** The traders whose letter may depend on their recent evidence: it is read for these alone. */
const listWithDecisiveRecent = (traders: readonly DueTrader[], stored: StoredSkillPopulation | null): string[] =>
  traders.flatMap((trader) => {
    const { traderId, previous, evidence } = splitTrader(trader);
    return isRecentDecisive(evidence, stored?.population ?? null, previous) ? [traderId] : [];
  });

function splitTrader(trader: DueTrader) {
  const {
    trader_id: traderId,
    address,
    grade,
    score,
    forecast_score: forecastScore,
    forecast_evidence: forecastEvidence,
    ungraded_reason: reason,
    published: isPublished,
    method_version: version,
    computed_at: computedAt,
    ...evidence
  } = trader;
  return {
    traderId,
    address,
    computedAt,
    evidence,
    published: isPublished ? { grade, score, forecastScore, forecastEvidence, reason } : null,
    /** The published letter of this version. */
    previous: version === METHOD_VERSION ? grade : null,
  };
}

/**
 * @param recent null where it decides nothing, or where no evidence is recent
 * @returns null when the published grade stays
 */
async function gradeTrader(
  trader: DueTrader,
  stored: StoredSkillPopulation | null,
  recent: RecentEvidence | null,
): Promise<NewGrade | null> {
  const { traderId, address, computedAt, evidence, published, previous } = splitTrader(trader);
  const record = await recordGrade(evidence, stored?.population ?? null, recent?.evidence ?? null, previous);
  if (!isRepublished(published, record.grade)) return null;
  const populationId = stored?.id ?? null;
  return { ...record, traderId, address, populationId, previousGrade: trader.grade, computedAt };
}

/** A trader whose bets were all withdrawn has no evidence, like one that never bet. */
async function clearDue(
  session: Session,
  traders: readonly DueTrader[],
  recent: ReadonlyMap<string, RecentEvidence>,
): Promise<void> {
  if (traders.length === 0) return;
  const traderIds = traders.map((trader) => trader.trader_id);
  const until = traderIds.map((traderId) => recent.get(traderId)?.until ?? null);
  await run(
    session,
    sql`with graded as (
       select * from unnest(${array(traderIds, "bigint")}, ${array(until, "timestamptz")}) as graded(trader_id, until)
     ), emptied as (
       delete from ${traderSkill} using graded where ${traderSkill.traderId} = graded.trader_id and ${traderSkill.bets} = 0
     )
     update ${traderSkill} set ${columnName(traderSkill.isDue)} = false, ${columnName(traderSkill.recentUntil)} = graded.until
     from graded where ${traderSkill.traderId} = graded.trader_id and ${traderSkill.bets} <> 0`,
  );
}
