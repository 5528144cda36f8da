import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, no, o, yes } from "../../../db/aliases.ts";
import type { Session } from "../../../db/client.ts";
import { array, epochMs, integer, selectRows } from "../../../db/sql.ts";
import type { LedgerEntry } from "../../ledger/ledger-entry.ts";
import { recordLedgerEntries } from "../../ledger/record-ledger-entries.ts";
import { listPendingConversions } from "./pending-conversions.ts";
import { readConversion, type ConversionRow, type Question } from "./read-conversion.ts";

/**
 * The complete question list of each event: its condition ids in the order of their index, keyed by each of
 * these ids.
 */
export type QuestionLists = ReadonlyMap<string, readonly string[]>;

/**
 * Books the conversions of the given transactions, each completely or not at all, inside the caller's
 * transaction, which must hold the ledger lock. A conversion that its rows do not prove stays unbooked; a
 * booked one is not read again.
 */
export async function bookConversions(
  session: Session,
  traderId: number,
  txHashes: readonly string[],
  lists: QuestionLists,
): Promise<void> {
  const pending = await listPendingConversions(session, traderId, txHashes);
  const listOf = (rows: readonly ConversionRow[]) => lists.get(rows[0]?.conditionId ?? "") ?? [];
  const questions = await readQuestions(session, [...new Set([...pending.values()].flatMap(listOf))]);
  const entries = [...pending].flatMap(([txHash, rows]): LedgerEntry[] => {
    const legs = readConversion(rows, wholeEvent(listOf(rows), questions)) ?? [];
    const tradedAtMs = rows[0]?.happenedAtMs ?? 0;
    return legs.map((leg) => ({ ...leg, txHash, traderId, tradedAtMs, ordinal: 0, feeMicro: null, role: null }));
  });
  await recordLedgerEntries(session, entries);
}

type StoredQuestion = Question & { readonly eventId: string };

/** @returns null unless every question of the list is known in full and all belong to one event */
function wholeEvent(list: readonly string[], known: ReadonlyMap<string, StoredQuestion>): readonly Question[] | null {
  const questions = list.flatMap((conditionId) => known.get(conditionId) ?? []);
  const events = new Set(questions.map(({ eventId }) => eventId));
  return questions.length === list.length && events.size === 1 ? questions : null;
}

// The two outcomes of a question: yes and no.

const QuestionRow = z.object({
  condition_id: z.string(),
  market_id: integer,
  event_id: z.string(),
  start_ms: z.number(),
  yes_id: integer,
  no_id: integer,
  no_token: z.string(),
});

/**
 * Neg-risk markets of the first protocol that are hydrated and have exactly two outcomes, by condition id.
 */
async function readQuestions(
  session: Session,
  conditionIds: readonly string[],
): Promise<ReadonlyMap<string, StoredQuestion>> {
  if (conditionIds.length === 0) return new Map();
  const rows = await selectRows(
    session,
    sql`select ${m.conditionId}, ${m.id} as market_id, ${m.eventId}, ${epochMs(m.startAt)} as start_ms,
       ${yes.id} as yes_id, ${no.id} as no_id, ${no.tokenId} as no_token
     from ${m}
     join ${yes} on ${yes.marketId} = ${m.id} and ${yes.outcomeIndex} = 0
     join ${no} on ${no.marketId} = ${m.id} and ${no.outcomeIndex} = 1
     where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.hydratedAt} is not null and ${m.negRisk}
       and ${m.protocolVersion} = 'v1' and ${m.eventId} is not null and ${m.startAt} is not null
       and (select count(*) from ${o} where ${o.marketId} = ${m.id}) = 2`,
    QuestionRow,
  );
  return new Map(
    rows.map((row) => [
      row.condition_id,
      {
        conditionId: row.condition_id,
        marketId: row.market_id,
        eventId: row.event_id,
        yesOutcomeId: row.yes_id,
        noOutcomeId: row.no_id,
        noTokenId: row.no_token,
        startAtMs: row.start_ms,
      },
    ]),
  );
}
