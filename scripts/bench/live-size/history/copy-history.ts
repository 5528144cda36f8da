import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from } from "pg-copy-streams";
import { formatMicro } from "../../../../src/domain/money.ts";
import type { Client } from "../../../services/postgres/session-over-tcp.ts";
import type { HistorySize } from "../live-size.ts";
import { generateFills, type HistoryFill } from "./generated-fills.ts";
import { addressOf, eventSlugOf, marketSlugOf, tokenOf, type MarketShape, type MarketShapes } from "./market-shapes.ts";

const LINES_AT_ONCE = 1_000;

/** Row ids are numbers of the generation plus one: traders, events and markets; an outcome's follows from its market's. */
export const rowIdOf = (n: number): number => n + 1;
const outcomeIdOf = (market: number, outcome: 0 | 1): number => 2 * market + outcome + 1;

/** Writes the traders, events, markets and outcomes of the history into an empty database. */
export async function copyCatalog(client: Client, shapes: MarketShapes, traders: number): Promise<void> {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  const markets = function* () {
    for (let n = 0; n < shapes.count; n += 1) yield shapes.at(n);
  };
  await copyEach(client, "traders (id, address, username)", numbers(traders), (n) => [
    `${rowIdOf(n)},${addressOf(n)},generated-${n}`,
  ]);
  await copyEach(
    client,
    "provider_events (id, provider_event_id, slug, title, category, start_at, end_at, hydrated_at)",
    markets(),
    (market) => (market.event === market.n ? [eventLine(market, shapes.nowMs)] : []),
  );
  await copyEach(client, `markets (${MARKET_COLUMNS})`, markets(), (market) => [marketLine(market, shapes.nowMs)]);
  await copyEach(client, "outcomes (id, market_id, token_id, outcome_index, label)", markets(), (market) =>
    ([0, 1] as const).map(
      (outcome) =>
        `${outcomeIdOf(market.n, outcome)},${rowIdOf(market.n)},${tokenOf(market, outcome)},${outcome},${outcome === 0 ? "Yes" : "No"}`,
    ),
  );
  for (const table of ["traders", "provider_events", "markets", "outcomes"])
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}

/** Writes the fills of the history as a CSV file of provider trades, which the bulk load reads. */
export async function writeHistory(path: string, shapes: MarketShapes, size: HistorySize): Promise<void> {
  const lines = function* () {
    yield "wallet,token_id,condition_id,side,size,price,timestamp,transaction_hash,role,fee\n";
    yield* joinLines(generateFills(shapes, size), (fill) => [fillLine(fill)]);
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

const copyEach = <Row>(
  client: Client,
  target: string,
  rows: Iterable<Row>,
  linesOf: (row: Row) => readonly string[],
): Promise<void> =>
  pipeline(Readable.from(joinLines(rows, linesOf)), client.query(from(`copy ${target} from stdin (format csv)`)));

/** Texts of many lines each. */
function* joinLines<Row>(rows: Iterable<Row>, linesOf: (row: Row) => readonly string[]): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(...linesOf(row));
    if (lines.length < LINES_AT_ONCE) continue;
    yield `${lines.join("\n")}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join("\n")}\n`;
}

const iso = (ms: number | null): string => (ms === null ? "" : new Date(ms).toISOString());

const eventLine = ({ n, category, title, startMs, endMs }: MarketShape, nowMs: number): string =>
  [rowIdOf(n), n, eventSlugOf(n), title, category, iso(startMs), iso(endMs), iso(nowMs)].join(",");

const MARKET_COLUMNS = `id, condition_id, provider_market_id, event_id, title, slug, category, protocol_version, neg_risk, closed,
  provider_created_at, start_at, end_at, closed_at, volume_usd, resolution_status, payouts_ppm, resolved_at, settled_on,
  resolution_checked_at, result_due_at, hydrated_at, figures_as_of`;

/** The columns after `closed` of a combination, for which the provider has no object. */
const UNKNOWN = Array.from({ length: 13 }, () => "");

/** The most that a market has traded, dollars; that of the others follows from their rank. */
const MOST_VOLUME = 100_000_000;
const RESULT_CHECK_MS = 6 * 3_600_000;
const REVERSIBLE_MS = 8 * 86_400_000;

function marketLine(market: MarketShape, nowMs: number): string {
  const { n, kind, event, startMs, endMs, resolvedMs, winner } = market;
  const slug = marketSlugOf(n);
  if (kind === "combination")
    return [rowIdOf(n), market.conditionId, "", "", market.title, slug, "", "", "", "f", ...UNKNOWN].join(",");
  const isResolved = resolvedMs <= nowMs;
  // The checks of recent results are spread over their interval.
  const dueMs = isResolved
    ? nowMs - resolvedMs < REVERSIBLE_MS
      ? nowMs + (n % 997) * (RESULT_CHECK_MS / 997)
      : null
    : endMs;
  return [
    ...[rowIdOf(n), market.conditionId, n, rowIdOf(event ?? n), market.title, slug, market.category, "v1"],
    ...[kind === "neg_risk" ? "t" : "f", isResolved ? "t" : "f", iso(startMs), iso(startMs), iso(endMs)],
    ...[isResolved ? iso(endMs) : "", (MOST_VOLUME / (n + 1)).toFixed(2), isResolved ? "resolved" : ""],
    ...[isResolved ? (winner === 0 ? '"{1000000,0}"' : '"{0,1000000}"') : "", isResolved ? iso(resolvedMs) : ""],
    ...[
      isResolved ? iso(resolvedMs).slice(0, 10) : "",
      isResolved ? iso(resolvedMs) : "",
      iso(dueMs),
      iso(nowMs),
      iso(nowMs),
    ],
  ].join(",");
}

const fillLine = ({ n, trader, market, outcome, side, sharesMicro, priceMilli, isTaker, atMs }: HistoryFill): string =>
  [
    ...[addressOf(trader), tokenOf(market, outcome), market.conditionId, side.toUpperCase()],
    ...[formatMicro(BigInt(sharesMicro)), priceMilli / 1_000, atMs / 1_000],
    ...[`0x${"be".repeat(16)}${n.toString(16).padStart(32, "0")}`, isTaker ? "taker" : "", 0],
  ].join(",");
