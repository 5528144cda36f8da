import type { Session } from "../../db/client.ts";

// Any number unique to this purpose.
const SKILL_LOCK = 7_201_442;

/**
 * One writer of bets and evidence at a time: two markets of one event move the same sums of a wallet. Never taken together with the ledger
 * lock, so neither waits for the other.
 */
export async function lockSkill(session: Session): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(${SKILL_LOCK})`);
}
