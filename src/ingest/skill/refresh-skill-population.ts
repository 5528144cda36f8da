import { sql, type SQL } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { skillMarkets, traderSkill } from "../../db/schema.ts";
import { integer, selectRow, selectRows } from "../../db/sql.ts";
import { z } from "zod";
import type { SkillEvidence } from "../../scoring/skill/evidence.ts";
import { MIN_CLUSTERS, MIN_INFORMATION, PARTS } from "../../scoring/skill/parameters.ts";
import { estimatePopulation } from "../../scoring/skill/population.ts";
import { findSkillPopulation, storeSkillPopulation, type StoredSkillPopulation } from "./skill-populations.ts";
import { lockSkill } from "./skill-lock.ts";
import { Evidence, EVIDENCE_COLUMNS } from "./trader-skill.ts";
import { DAY_MS } from "../../scoring/utc-calendar.ts";

/**
 * Growth factor that triggers a new estimate. During the backfill, a population of yesterday's few traders
 * would outweigh current data.
 */
const GROWTH = 2;
const TRADERS_PER_PAGE = 5_000;

/**
 * Estimates the population again when it is a day old, or when at least GROWTH times as many traders can be
 * counted as it was estimated from. With too few traders the older population stays. Holds the skill lock, so
 * that it reads all traders at one moment.
 *
 * @returns whether a population was stored
 */
export async function refreshSkillPopulation(session: Session): Promise<boolean> {
  await lockSkill(session);
  if (!(await isDue(session, await findSkillPopulation(session)))) return false;
  const population = estimatePopulation(await readEvidence(session));
  if (population === null) return false;
  await storeSkillPopulation(session, population);
  return true;
}

/** The same bounds as `isEnoughEvidence`: a trader below them does not count and is not read. */
const HAS_ENOUGH_EVIDENCE: SQL = sql`${traderSkill.clusters} >= ${MIN_CLUSTERS}
  and ${traderSkill.information} >= ${MIN_INFORMATION * PARTS}`;

async function isDue(session: Session, newest: StoredSkillPopulation | null): Promise<boolean> {
  if (newest === null) return areAllByStory(session);
  if (newest.ageMs >= DAY_MS) return true;
  const traders = await session.$count(traderSkill, HAS_ENOUGH_EVIDENCE);
  return traders >= GROWTH * newest.population.traders;
}

/**
 * Whether no sums of earlier versions of the method are left. The first population of the method waits for that, and all grades wait for
 * the population: none is computed from a mixture.
 */
async function areAllByStory(session: Session): Promise<boolean> {
  const row = await selectRow(
    session,
    sql`select not exists (select from ${skillMarkets} where ${skillMarkets.story} is null) as by_story`,
    z.object({ by_story: z.boolean() }),
  );
  return row?.by_story === true;
}

/**
 * Two dozen numbers per trader: a million traders take two hundred megabytes, so those that do not count stay in the
 * database.
 */
async function readEvidence(session: Session): Promise<SkillEvidence[]> {
  const evidences: SkillEvidence[] = [];
  for (let after = 0; ;) {
    const rows = await selectRows(
      session,
      sql`select ${traderSkill.traderId}, ${EVIDENCE_COLUMNS} from ${traderSkill}
       where ${traderSkill.traderId} > ${after} and ${HAS_ENOUGH_EVIDENCE}
       order by ${traderSkill.traderId} limit ${TRADERS_PER_PAGE}`,
      Evidence.extend({ trader_id: integer }),
    );
    for (const { trader_id: _, ...evidence } of rows) evidences.push(evidence);
    const last = rows.at(-1);
    if (last === undefined || rows.length < TRADERS_PER_PAGE) return evidences;
    after = last.trader_id;
  }
}
