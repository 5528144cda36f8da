import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { Recording } from "../relay-server.ts";
import { NewFills } from "./new-fills.ts";
import { EventRow, FillPage, FillRow, GameRow, GammaList, MarketRow } from "./responses.ts";

const REMEMBERED_OBJECTS = 500_000;

/**
 * Records the provider's responses in the files that a replay reads (docs/replay.md): one row a line, in a folder a
 * kind and a file a UTC day, which only grow. A fill is recorded once. A market or an event is recorded at first sight
 * and when a fact that a replay uses has changed. Other responses are not recorded.
 *
 * @param onFailure gets a response that could not be read or stored; the recording lacks it
 */
export function openRecording(
  dir: string,
  now: () => Date,
  onFailure: (target: URL, error: unknown) => void,
): Recording {
  const takers = new NewFills();
  const everyone = new NewFills();
  const activity = new NewFills();
  const described = new LRUCache<string, string>({ max: REMEMBERED_OBJECTS });
  let queue = Promise.resolve();

  const append = async (kind: string, rows: readonly unknown[]) => {
    if (rows.length === 0) return;
    const file = join(dir, kind, `${now().toISOString().slice(0, 10)}.ndjson`);
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  };

  async function appendFills(kind: string, known: NewFills, { searchParams }: URL, body: unknown, own: object) {
    const { data, pagination } = FillPage.parse(body);
    const rows: FillRow[] = [];
    const unread: unknown[] = [];
    for (const value of data) {
      const { data: row } = FillRow.safeParse(value);
      if (row === undefined) unread.push(value);
      else rows.push(row);
    }
    const nextCursor = pagination.next_cursor ?? null;
    const { fills, commit } = known.take({ cursor: searchParams.get("cursor") || null, nextCursor, rows });
    await append(
      kind,
      fills.map(({ row, ordinal }) => ({ ...row, ...own, ordinal })),
    );
    // A replay does not read them until it knows their shape.
    await append(`${kind}-unread`, unread);
    commit();
  }

  async function appendObjects<Row extends { id: string | number }>(
    kind: string,
    schema: z.ZodType<Row>,
    values: readonly unknown[],
    factsOf: (row: Row) => unknown,
  ) {
    const changed = values.flatMap((value) => {
      const { data: row } = schema.safeParse(value);
      if (row === undefined) return [];
      const facts = JSON.stringify(factsOf(row));
      return described.get(`${kind} ${row.id}`) === facts ? [] : [{ row, facts }];
    });
    await append(
      kind,
      changed.map(({ row }) => row),
    );
    for (const { row, facts } of changed) described.set(`${kind} ${row.id}`, facts);
  }

  async function store(target: URL, body: string): Promise<void> {
    const isTakers = target.searchParams.get("taker_only") === "true";
    if (target.pathname.endsWith("/v2/trades")) {
      const kind = isTakers ? "trades-of-takers" : "trades";
      await appendFills(kind, isTakers ? takers : everyone, target, JSON.parse(body), { taker_only: isTakers });
    } else if (target.pathname.endsWith("/v2/activity")) {
      await appendFills("activity", activity, target, JSON.parse(body), {});
    } else if (/\/(markets|events)(\/keyset)?$/.test(target.pathname)) {
      const values = GammaList.parse(JSON.parse(body));
      const isKnown = (value: unknown) =>
        [EventRow, MarketRow, GameRow].some((schema) => schema.safeParse(value).success);
      const unread = values.filter((value) => !isKnown(value)).length;
      if (unread > 0) onFailure(target, new Error(`${unread} objects have an unknown shape`));
      await appendObjects("events", EventRow, values, (event) => [event.closed, event.markets.map(marketFacts)]);
      await appendObjects("markets", MarketRow, values, marketFacts);
    }
  }

  return {
    record(target, body) {
      queue = queue.then(() => store(target, body)).catch((error: unknown) => onFailure(target, error));
    },
    close: () => queue,
  };
}

/** Prices of an open market change all the time, and a replay takes them from trades. */
const marketFacts = (market: z.output<typeof MarketRow>): unknown => [
  ...[market.conditionId, market.question, market.outcomes, market.clobTokenIds, market.endDate],
  ...[market.closed, market.closedTime, market.umaResolutionStatus, market.closed ? market.outcomePrices : null],
];
