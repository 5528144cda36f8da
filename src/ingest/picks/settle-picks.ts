import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { pickCommitments, pickRevisions } from "../../db/schema.ts";
import { integer, selectRow, selectRows } from "../../db/sql.ts";
import { isCommitmentTo } from "../../domain/picks/commitment.ts";
import { pickOutcome } from "../../domain/picks/pick-outcome.ts";
import { openNonce, type NonceSealing } from "./commitment-nonce.ts";
import { commitment, k, recordedPayout } from "../../db/fragments/picks.ts";

/** The payout of the pick's side by its market's result; null while there is none. */
const CURRENT_PAYOUT = sql`${m.payoutsPpm}[${k.outcomeIndex} + 1]`;

/**
 * Records the outcome of every published pick whose market has a result that differs from the last recorded one, and
 * opens its commitment. A result that was withdrawn changes nothing until the next one.
 *
 * @throws Error naming the picks whose commitment cannot be opened; all others are settled
 */
export async function settlePicks(pool: Pool, sealing: Pick<NonceSealing, "keys">, now: () => Date): Promise<void> {
  const due = await selectRows(
    sessionOf(pool),
    sql`select ${k.id} from ${k} join ${m} on ${m.id} = ${k.marketId}
     where ${k.publishedAt} is not null and ${m.payoutsPpm} is not null
       and ${CURRENT_PAYOUT} is distinct from ${recordedPayout(k.id)}
     order by ${k.id}`,
    z.object({ id: integer }),
  );
  const unopened: number[] = [];
  for (const { id } of due) {
    const isOpened = await inTransaction(pool, (session) => settlePick(session, id, sealing, now()));
    if (!isOpened) unopened.push(id);
  }
  if (unopened.length > 0)
    throw new Error(
      `cannot open the commitments of the picks ${unopened.join(", ")}: the secret that sealed them may be missing from CREDENTIAL_SECRET_PREVIOUS`,
    );
}

const Settled = z.object({
  condition_id: z.string(),
  payout_ppm: z.number(),
  outcome_index: z.number(),
  hash: z.string().nullable(),
  payload: z.string().nullable(),
  sealed_nonce: z.string().nullable(),
  is_opened: z.boolean(),
});

/** @returns false when the commitment cannot be opened; nothing is written then */
async function settlePick(
  session: Session,
  pickId: number,
  sealing: Pick<NonceSealing, "keys">,
  now: Date,
): Promise<boolean> {
  const pick = await selectRow(
    session,
    sql`select ${m.conditionId}, ${CURRENT_PAYOUT} as payout_ppm, ${k.outcomeIndex}, ${commitment.hash}, ${commitment.payload},
       ${commitment.sealedNonce}, ${commitment.nonce} is not null as is_opened
     from ${k} join ${m} on ${m.id} = ${k.marketId} left join ${commitment} on ${commitment.pickId} = ${k.id}
     where ${k.id} = ${pickId} and ${CURRENT_PAYOUT} is not null
       and ${CURRENT_PAYOUT} is distinct from ${recordedPayout(k.id)}
     for update of k`,
    Settled,
  );
  if (pick === null) return true;
  if (!pick.is_opened && !(await openCommitment(session, pickId, pick, sealing, now))) return false;
  const outcome = pickOutcome([pick.payout_ppm], 0);
  await session.insert(pickRevisions).values({ pickId, outcome, payoutPpm: pick.payout_ppm, recordedAt: now });
  return true;
}

async function openCommitment(
  session: Session,
  pickId: number,
  { condition_id: conditionId, hash, payload, sealed_nonce: sealed }: z.output<typeof Settled>,
  sealing: Pick<NonceSealing, "keys">,
  now: Date,
): Promise<boolean> {
  if (hash === null || payload === null || sealed === null) return true;
  const nonce = await openNonce(sealed, conditionId, sealing);
  if (nonce === null || !(await isCommitmentTo({ hash, nonce, payload }))) return false;
  await session.update(pickCommitments).set({ nonce, openedAt: now }).where(eq(pickCommitments.pickId, pickId));
  return true;
}
