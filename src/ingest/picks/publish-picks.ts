import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { pickCommitments, picks } from "../../db/schema.ts";
import { epochMs, integer, selectRow, selectRows, timestamp } from "../../db/sql.ts";
import { formatMicro } from "../../domain/money.ts";
import {
  canonicalPayload,
  commitmentHash,
  commitmentInstant,
  NONCE_BYTES,
  toHex,
} from "../../domain/picks/commitment.ts";
import { sealNonce, type NonceSealing } from "./commitment-nonce.ts";
import { decidePublication } from "./decide-publication.ts";
import { g, isWithdrawn, k } from "../../db/fragments/picks.ts";
import { readGameMarkets } from "./read-candidates.ts";
import { storedBacking } from "./stored-backing.ts";
import { withdrawPick } from "./withdraw-pick.ts";

/** Publishes and seals every slot whose release has come, one transaction each. */
export async function publishPicks(pool: Pool, sealing: NonceSealing, now: () => Date): Promise<void> {
  const due = await selectRows(
    sessionOf(pool),
    sql`select ${k.id} from ${k}
     where ${k.publishedAt} is null and ${k.releaseAt} <= ${timestamp(now())} and not ${isWithdrawn(k.id)}
     order by ${k.releaseAt}, ${k.rank}`,
    z.object({ id: integer }),
  );
  for (const { id } of due) await inTransaction(pool, (session) => publishPick(session, id, sealing, now));
}

const Slot = z.object({
  id: integer,
  market_id: integer,
  condition_id: z.string(),
  pick_date: z.string(),
  rank: z.number(),
  outcome_index: z.number(),
  outcome_label: z.string(),
  kickoff_ms: z.number(),
  backed_price: z.string(),
});

async function publishPick(session: Session, pickId: number, sealing: NonceSealing, now: () => Date): Promise<void> {
  const slot = await lockSlot(session, pickId);
  // Withdrawn, published or moved since it was listed: a later pass sees it as it is then.
  if (slot === null) return;
  const kickoff = new Date(slot.kickoff_ms);
  const [market = null] = await readGameMarkets(session, sql`${m.id} = ${slot.market_id}`, now());
  const publishedAt = now();
  const decision = decidePublication({ kickoff, outcomeIndex: slot.outcome_index }, market, publishedAt);
  if (decision.kind === "wait") return;
  if (decision.kind === "withdraw") {
    await withdrawPick(session, pickId, decision.reason, publishedAt);
    return;
  }
  if (decision.kind === "uncommitted") {
    await session.update(picks).set({ publishedAt }).where(eq(picks.id, pickId));
    return;
  }
  const { side, names } = decision;
  const backedPrice = formatMicro(side.pricePpm);
  const outcomeLabel = names.outcomeLabel ?? slot.outcome_label;
  await seal(session, { ...slot, backed_price: backedPrice, outcome_label: outcomeLabel }, sealing, publishedAt);
  await session
    .update(picks)
    .set({ publishedAt, backedPrice, backing: storedBacking(side), outcomeLabel, matchup: names.matchup })
    .where(eq(picks.id, pickId));
}

/**
 * Locks a slot together with its game, so that the schedule it is sealed with is the game's until the commit.
 *
 * @returns null unless it is unpublished, not withdrawn, and has its game's kickoff
 */
const lockSlot = (session: Session, pickId: number): Promise<z.output<typeof Slot> | null> =>
  selectRow(
    session,
    sql`select ${k.id}, ${k.marketId}, ${m.conditionId}, ${k.pickDate}::text as pick_date, ${k.rank}, ${k.outcomeIndex},
       ${k.outcomeLabel}, ${epochMs(k.kickoff)} as kickoff_ms, ${k.backedPrice}::text as backed_price
     from ${k} join ${g} on ${g.id} = ${k.gameId} and ${g.scheduledAt} = ${k.kickoff} join ${m} on ${m.id} = ${k.marketId}
     where ${k.id} = ${pickId} and ${k.publishedAt} is null and not ${isWithdrawn(k.id)}
     for update of k for share of g`,
    Slot,
  );

async function seal(
  session: Session,
  slot: z.output<typeof Slot>,
  sealing: NonceSealing,
  sealedAt: Date,
): Promise<void> {
  const kickoff = new Date(slot.kickoff_ms);
  const kickoffText = commitmentInstant(kickoff);
  if (kickoffText === null) throw new Error(`the kickoff of pick ${slot.id} is not a whole second`);
  const payload = canonicalPayload({
    backed_price: slot.backed_price,
    condition_id: slot.condition_id,
    kickoff: kickoffText,
    pick_date: slot.pick_date,
    pick_outcome_index: slot.outcome_index,
    pick_outcome_label: slot.outcome_label,
    pick_rank: slot.rank,
    platform: "polymarket",
  });
  const nonce = toHex(sealing.random(new Uint8Array(NONCE_BYTES)));
  await session.insert(pickCommitments).values({
    ...{ pickId: slot.id, hash: await commitmentHash(payload, nonce), sealedAt, kickoff, payload },
    sealedNonce: await sealNonce(nonce, slot.condition_id, sealing),
  });
}
