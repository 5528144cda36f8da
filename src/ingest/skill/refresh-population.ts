import type { Session } from "../../db/client.ts";
import type { SkillEvidence } from "../../scoring/skill/evidence.ts";
import { MIN_CLUSTERS, MIN_INFORMATION, PARTS } from "../../scoring/skill/parameters.ts";
import { estimatePopulation } from "../../scoring/skill/population.ts";
import { findPopulation, storePopulation, type StoredPopulation } from "./populations.ts";
import { lockSkill } from "./skill-lock.ts";
import { evidenceColumns, toEvidence, type EvidenceRow } from "./trader-skill.ts";

const DAY_MS = 86_400_000;
/** While the first history is being read, a population of yesterday's handful would outweigh what is known by now. */
const GROWTH = 2;
const PAGE_WALLETS = 5_000;

/**
 * Estimates the population anew when it is a day old, or when at least twice as many wallets can be counted as it was estimated from. Too few
 * wallets give none, and an older one stays. Holds the skill lock, so that it sees all wallets at one moment.
 *
 * @returns whether one was stored
 */
export async function refreshPopulation(session: Session): Promise<boolean> {
  await lockSkill(session);
  if (!(await isDue(session, await findPopulation(session)))) return false;
  const population = estimatePopulation(await readEvidence(session));
  if (population === null) return false;
  await storePopulation(session, population);
  return true;
}

/** The same bounds as `isEnoughEvidence`: a wallet below them is not counted, so it is not read. */
const COUNTED = `clusters >= ${MIN_CLUSTERS} and information >= ${MIN_INFORMATION * PARTS}`;

async function isDue(session: Session, newest: StoredPopulation | null): Promise<boolean> {
  if (newest === null || newest.ageMs >= DAY_MS) return true;
  const { rows } = await session.query<{ wallets: string }>(`select count(*) as wallets from trader_skill where ${COUNTED}`);
  return Number(rows[0]?.wallets) >= GROWTH * newest.population.wallets;
}

/** Nine numbers a wallet; a million wallets are a hundred megabytes, so those that do not count stay in the database. */
async function readEvidence(session: Session): Promise<SkillEvidence[]> {
  const evidences: SkillEvidence[] = [];
  for (let after = "0"; ;) {
    const { rows } = await session.query<EvidenceRow & { trader_id: string }>(
      `select s.trader_id, ${evidenceColumns("s")} from trader_skill s where s.trader_id > $1 and ${COUNTED} order by s.trader_id limit $2`,
      [after, PAGE_WALLETS],
    );
    for (const row of rows) evidences.push(toEvidence(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_WALLETS) return evidences;
    after = last.trader_id;
  }
}
