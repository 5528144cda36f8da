import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import { atCommit, inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { outcomes } from "../../db/schema.ts";
import { alias, array, run, selectRows } from "../../db/sql.ts";
import type { QuarantinedRecord, ProviderMarket } from "../../platform/provider.ts";
import { settlePositions, type SettlementChange } from "./settle-positions.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { lockMarkets, lockOutcomes } from "../ledger/row-locks.ts";
import { keepsResultCheck, loadResultSchedules, rescheduleAfterHydration } from "./results/schedule-results.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { listEvents, writeEvents, type EventRow } from "./write-events.ts";
import { writeCategories, writeMarkets } from "./write-markets.ts";
import { writePlainMarkets, type PlainCandidate } from "./write-plain-markets.ts";
import { writeOutcomes } from "./write-outcomes.ts";
import { markReshaped, readBetShapes } from "../skill/mark-due.ts";

const named = alias(outcomes, "named");

/**
 * Writes the provider's market objects with their events and outcomes. Applying the same response twice changes only the
 * as-of time of its figures. Most objects of a walk change figures alone and are written without the ledger lock; the others
 * are written under it, in a second transaction. A crash between the two leaves objects to be applied again.
 *
 * @param readAt when the provider responded; prices and volumes carry it as their as-of time
 * @param also statements without results that are sent with the last commit, such as the caller's checkpoint
 */
export async function applyMarkets(
  pool: Pool,
  rows: readonly ProviderMarket[],
  quarantined: readonly QuarantinedRecord[],
  readAt: Date,
  also?: (last: Session) => Promise<unknown>,
): Promise<void> {
  const unique = [...new Map(rows.map((row) => [row.conditionId, row])).values()];
  const events = listEvents(unique);
  const plain = await writePlainMarkets(pool, await listCandidates(pool, unique, readAt), [...events.values()], readAt);
  const others = unique.filter(({ conditionId }) => !plain.has(conditionId));
  if (others.length === 0 && quarantined.length === 0 && also === undefined) return;
  await inTransaction(pool, async (session) => {
    if (others.length > 0) await describeMarkets(session, others, events, readAt);
    await atCommit(session, (last) =>
      Promise.all([quarantineRecords(last, "markets", quarantined), also === undefined ? null : also(last)]),
    );
  });
}

async function listCandidates(pool: Pool, rows: readonly ProviderMarket[], readAt: Date): Promise<PlainCandidate[]> {
  if (rows.length === 0) return [];
  const schedules = await loadResultSchedules(
    sessionOf(pool),
    rows.map(({ conditionId }) => conditionId),
  );
  return rows.flatMap((row) => {
    const schedule = schedules.get(row.conditionId);
    return schedule !== undefined && keepsResultCheck(row, schedule, readAt) ? [{ row, schedule }] : [];
  });
}

/**
 * Writes market objects of any kind under the ledger lock, with the settlements and due bets that follow from them. It takes
 * the lock: the caller's transaction has locked and written nothing before. Two round trips and the commit, because other
 * writers of the ledger wait meanwhile: the lock and what is stored; the writes and what is stored then; what follows from the
 * difference.
 *
 * @param rows one or more, each market once
 * @param events of the response that has them
 */
export async function describeMarkets(
  session: Session,
  rows: readonly ProviderMarket[],
  events: ReadonlyMap<string, EventRow>,
  readAt: Date,
): Promise<void> {
  const conditionIds = rows.map(({ conditionId }) => conditionId);
  const ids = array(conditionIds, "text");
  const tokenIds = array(
    rows.flatMap((row) => row.outcomes.map(({ tokenId }) => tokenId)),
    "text",
  );
  const eventSlugs = [...new Set(rows.flatMap(({ event }) => event?.slug ?? []))];
  const described = { conditionIds, eventSlugs };
  const [, shapesBefore, scheduledBefore] = await Promise.all([
    lockLedger(session),
    readBetShapes(session, described),
    loadResultSchedules(session, conditionIds),
  ]);
  const [, , , , , , shapes, scheduled, resolved] = await Promise.all([
    writeEvents(
      session,
      eventSlugs.flatMap((slug) => events.get(slug) ?? []),
      readAt,
    ),
    run(session, lockMarkets(sql`${m.conditionId} = any(${ids})`)),
    writeMarkets(session, rows, readAt),
    run(
      session,
      // Each part has its own index; one condition with `or` reads all outcomes.
      lockOutcomes(sql`${o.id} = any(array(
        select ${named.id} from ${named} where ${named.tokenId} = any(${tokenIds})
        union all
        select ${named.id} from ${m} join ${named} on ${named.marketId} = ${m.id} where ${m.conditionId} = any(${ids})))`),
    ),
    writeOutcomes(session, rows, readAt),
    writeCategories(session, conditionIds),
    readBetShapes(session, described),
    loadResultSchedules(session, conditionIds),
    listResolved(session, conditionIds),
  ]);
  await atCommit(session, (last) =>
    Promise.all([
      settlePositions(last, resolved),
      markReshaped(last, shapesBefore, shapes),
      rescheduleAfterHydration(last, rows, scheduledBefore, scheduled, readAt),
    ]),
  );
}

/** An outcome that gets its index only after its market resolved pays out now. */
async function listResolved(session: Session, conditionIds: readonly string[]): Promise<SettlementChange[]> {
  const resolved = await selectRows(
    session,
    sql`select ${m.id}, ${m.settledOn}::text as settled_on from ${m}
      where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.payoutsPpm} is not null`,
    z.object({ id: z.string(), settled_on: z.string().nullable() }),
  );
  return resolved.map((row) => ({ marketId: row.id, previousSettledOn: row.settled_on }));
}
