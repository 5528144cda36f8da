import type { Session } from "../../db/client.ts";
import type { Entry } from "../ledger/entry.ts";
import { recordEntries } from "../ledger/record-entries.ts";
import { listPendingConversions } from "./pending-conversions.ts";
import { readConversion, type ConversionRow, type Question } from "./read-conversion.ts";

/** Whole events as the provider tells them: the conditions of all their questions by index, under each of these conditions. */
export type QuestionLists = ReadonlyMap<string, readonly string[]>;

/**
 * Books the conversions of some transactions, each whole or not at all, inside the caller's transaction, which holds the ledger lock.
 * What its rows do not prove is left as it is; what is booked already is not looked at again.
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
  const entries = [...pending].flatMap(([txHash, rows]): Entry[] => {
    const legs = readConversion(rows, wholeEvent(listOf(rows), questions)) ?? [];
    const tradedAtMs = rows[0]?.happenedAtMs ?? 0;
    return legs.map((leg) => ({ ...leg, txHash, traderId, tradedAtMs, ordinal: 0, feeMicro: null, role: null }));
  });
  await recordEntries(session, entries);
}

type StoredQuestion = Question & { readonly eventId: string };

/** @returns null unless every question of the list is known in full, and all of them as of one event */
function wholeEvent(list: readonly string[], known: ReadonlyMap<string, StoredQuestion>): readonly Question[] | null {
  const questions = list.flatMap((conditionId) => known.get(conditionId) ?? []);
  const events = new Set(questions.map(({ eventId }) => eventId));
  return questions.length === list.length && events.size === 1 ? questions : null;
}

/** Neg-risk markets of the first protocol that were read in full and have exactly their two outcomes, by condition. */
async function readQuestions(session: Session, conditionIds: readonly string[]): Promise<ReadonlyMap<string, StoredQuestion>> {
  if (conditionIds.length === 0) return new Map();
  const { rows } = await session.query<{
    condition_id: string;
    market_id: string;
    event_id: string;
    start_ms: number;
    yes_id: string;
    no_id: string;
    no_token: string;
  }>(
    `select m.condition_id, m.id as market_id, m.event_id, (extract(epoch from m.start_at) * 1000)::float8 as start_ms,
       y.id as yes_id, n.id as no_id, n.token_id as no_token
     from markets m
     join outcomes y on y.market_id = m.id and y.outcome_index = 0
     join outcomes n on n.market_id = m.id and n.outcome_index = 1
     where m.condition_id = any($1::text[]) and m.hydrated_at is not null and m.neg_risk and m.protocol_version = 'v1'
       and m.event_id is not null and m.start_at is not null
       and (select count(*) from outcomes o where o.market_id = m.id) = 2`,
    [conditionIds],
  );
  return new Map(
    rows.map((row) => [
      row.condition_id,
      {
        conditionId: row.condition_id,
        marketId: Number(row.market_id),
        eventId: row.event_id,
        yesOutcomeId: Number(row.yes_id),
        noOutcomeId: Number(row.no_id),
        noTokenId: row.no_token,
        startAtMs: row.start_ms,
      },
    ]),
  );
}
