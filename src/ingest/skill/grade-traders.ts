import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { t } from "../../db/aliases.ts";
import { atCommit, inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { skillPopulations, traderGrades, traderSkill } from "../../db/schema.ts";
import { array, columnName, columnNames, isoText, run, selectRow, selectRows } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { isRecentDecisive } from "../../scoring/skill/grade.ts";
import { isRepublished } from "../../scoring/skill/is-republished.ts";
import { METHOD_VERSION } from "../../scoring/skill/parameters.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { recordGrade, type GradeRecord } from "./grade-record.ts";
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
    const { due, graded } = await inTransaction(pool, (session) => gradeSlice(session, TRADERS_AT_ONCE));
    // Traders that change at this moment are left to the next message.
    if (due < TRADERS_AT_ONCE || graded === 0) return;
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
  /** The transaction that wrote the row: another one once the row has changed. */
  version: z.string(),
});

type DueTrader = z.output<typeof DueTrader>;

export interface GradedSlice {
  /** Traders that were due, up to the limit. */
  readonly due: number;
  /** Those of them that were graded; the others have changed meanwhile and stay due. */
  readonly graded: number;
}

/**
 * Grades some of the due traders and publishes the changes. Grades are computed before the transaction writes or locks
 * anything, so that pages of trades go on meanwhile. Under the ledger lock follows only what is still true: of traders that have
 * not changed, by the population that is still the newest. The lock keeps the order: grades commit one transaction after
 * another, so a later row of a trader is always the later grade, and large trades are captured before or after them, never
 * between.
 */
export async function gradeSlice(session: Session, limit: number): Promise<GradedSlice> {
  const [traders, stored] = await Promise.all([listDue(session, limit), findSkillPopulation(session)]);
  if (traders.length === 0) return { due: 0, graded: 0 };
  const recent = await loadRecentEvidence(session, listWithDecisiveRecent(traders, stored));
  const records = new Map<string, GradeRecord>();
  for (const trader of traders) {
    const record = await gradeTrader(trader, stored, recent.get(trader.trader_id) ?? null);
    records.set(trader.trader_id, record);
  }
  // A population that is stored later waits for the locked traders, and makes them due again.
  const [, computedAt, newest] = await Promise.all([
    lockLedger(session),
    lockUnchanged(session, traders),
    findSkillPopulation(session),
  ]);
  if (newest?.id !== stored?.id) return { due: traders.length, graded: 0 };
  const changed = traders.flatMap((trader): NewGrade[] => {
    const { traderId, address, published } = splitTrader(trader);
    const [at, record] = [computedAt.get(traderId), records.get(traderId)];
    if (at === undefined || record === undefined || !isRepublished(published, record.grade)) return [];
    const populationId = stored?.id ?? null;
    return [{ ...record, traderId, address, populationId, previousGrade: trader.grade, computedAt: at }];
  });
  await atCommit(session, (last) =>
    Promise.all([clearDue(last, [...computedAt.keys()], recent), publishGrades(last, changed)]),
  );
  return { due: traders.length, graded: computedAt.size };
}

/** The reason for a missing letter and the version of the method are in the history only. */
const listDue = (session: Session, limit: number): Promise<DueTrader[]> =>
  selectRows(
    session,
    sql`select ${traderSkill.traderId}, ${t.address}, ${EVIDENCE_COLUMNS}, ${t.grade}, ${t.score}, ${t.forecastScore},
       ${t.forecastEvidence},
       newest.ungraded_reason, newest.method_version,
       ${t.gradedAt} is not null as published, ${ROW_VERSION} as version
     from ${traderSkill} join ${t} on ${t.id} = ${traderSkill.traderId}
     left join lateral (select ${columnNames(traderGrades.ungradedReason, traderGrades.methodVersion)} from ${traderGrades}
       where ${traderGrades.traderId} = ${t.id}
       order by ${traderGrades.validFrom} desc, ${traderGrades.id} desc limit 1) newest on true
     where ${traderSkill.isDue} order by ${traderSkill.traderId} limit ${limit}`,
    DueTrader,
  );

const ROW_VERSION: SQL = sql`${traderSkill}.xmin::text`;

/**
 * Locks those of the traders that are still due and have not changed; one that is being changed is left out. Each grade and
 * each change of evidence writes the row.
 *
 * @returns when their grades count as computed, ISO, by trader id
 */
async function lockUnchanged(session: Session, traders: readonly DueTrader[]): Promise<ReadonlyMap<string, string>> {
  const seen = recordset("seen", traders, {
    trader_id: ["bigint", (trader) => trader.trader_id],
    version: ["text", (trader) => trader.version],
  });
  const rows = await selectRows(
    session,
    sql`select ${traderSkill.traderId}, ${isoText(sql`clock_timestamp()`)} as computed_at
     from ${seen} join ${traderSkill} on ${traderSkill.traderId} = seen.trader_id
     where ${traderSkill.isDue} and ${ROW_VERSION} = seen.version
     order by ${traderSkill.traderId} for update of ${traderSkill} skip locked`,
    z.object({ trader_id: z.string(), computed_at: z.string() }),
  );
  return new Map(rows.map((row) => [row.trader_id, row.computed_at]));
}

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
    method_version: methodVersion,
    version: _,
    ...evidence
  } = trader;
  return {
    traderId,
    address,
    evidence,
    published: isPublished ? { grade, score, forecastScore, forecastEvidence, reason } : null,
    /** The published letter of this version. */
    previous: methodVersion === METHOD_VERSION ? grade : null,
  };
}

/** @param recent null where it decides nothing, or where no evidence is recent */
function gradeTrader(
  trader: DueTrader,
  stored: StoredSkillPopulation | null,
  recent: RecentEvidence | null,
): Promise<GradeRecord> {
  const { evidence, previous } = splitTrader(trader);
  return recordGrade(evidence, stored?.population ?? null, recent?.evidence ?? null, previous);
}

/** A trader whose bets were all withdrawn has no evidence, like one that never bet. */
async function clearDue(
  session: Session,
  traderIds: readonly string[],
  recent: ReadonlyMap<string, RecentEvidence>,
): Promise<void> {
  if (traderIds.length === 0) return;
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
