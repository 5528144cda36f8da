import { sql, type AnyColumn, type SQL, type SQLWrapper } from "drizzle-orm";
import { z } from "zod";
import type { ArchiveDatasetName, ArchiveRow } from "../../domain/proofs/archive-datasets.ts";
import { e, g, l, m, o, t } from "../aliases.ts";
import { marketResolutions } from "../schema.ts";
import { alias } from "../sql.ts";
import { commitment, k } from "./picks.ts";

const resolution = alias(marketResolutions, "resolution");

/** How the rows of a dataset are read. */
interface ArchiveSource {
  /** The table under the name that the cells use, and that name. */
  readonly from: SQLWrapper;
  readonly name: string;
  /** When the row was recorded, which decides its day, and its id. Both never change. */
  readonly recordedAt: AnyColumn;
  readonly id: AnyColumn;
  /** Which rows of the table belong to the dataset. */
  readonly where: SQL;
  readonly joins: SQL;
  /** The columns behind the first two, in the order of the dataset's declaration. */
  readonly cells: readonly SQL[];
}

/** An instant with its microseconds, as leaves have it. */
const instant = (value: AnyColumn): SQL => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const text = (value: AnyColumn): SQL => sql`${value}::text`;
const same = (value: AnyColumn): SQL => sql`${value}`;

/** Joins the names of the trader, the market and the outcome of a trade. */
const joinNames = (trade: typeof e | typeof l): SQL => sql`
  join ${t} on ${t.id} = ${trade.traderId}
  join ${m} on ${m.id} = ${trade.marketId}
  join ${o} on ${o.id} = ${trade.outcomeId}`;
const NAMES = [same(t.address), same(m.conditionId), same(o.tokenId)];

const SOURCES: Readonly<Record<ArchiveDatasetName, ArchiveSource>> = {
  fills: {
    ...{ from: e, name: "e", recordedAt: e.recordedAt, id: e.id },
    where: sql`${e.kind} in ('buy', 'sell')`,
    joins: joinNames(e),
    cells: [
      instant(e.tradedAt),
      sql`'0x' || encode(${e.txHash}, 'hex')`,
      text(e.ordinal),
      ...NAMES,
      sql`upper(${e.kind})`,
      text(e.sharesMicro),
      text(e.usdMicro),
      text(e.price),
    ],
  },
  large_trades: {
    ...{ from: l, name: "l", recordedAt: l.recordedAt, id: l.id },
    where: sql`true`,
    joins: joinNames(l),
    cells: [
      text(l.entryId),
      instant(l.tradedAt),
      ...NAMES,
      same(l.side),
      text(l.sharesMicro),
      text(l.sizeUsdMicro),
      text(l.price),
      same(l.gradeAtTrade),
      same(l.gradeAtTradeStatus),
    ],
  },
  resolutions: {
    ...{ from: resolution, name: "resolution", recordedAt: resolution.recordedAt, id: resolution.id },
    where: sql`true`,
    joins: sql`join ${m} on ${m.id} = ${resolution.marketId}`,
    cells: [
      same(m.conditionId),
      same(resolution.status),
      sql`'[' || array_to_string(${resolution.payoutsPpm}, ',') || ']'`,
      instant(resolution.resolvedAt),
    ],
  },
  grade_changes: {
    ...{ from: g, name: "g", recordedAt: g.publishedAt, id: g.id },
    where: sql`true`,
    joins: sql`join ${t} on ${t.id} = ${g.traderId}`,
    cells: [
      same(t.address),
      instant(g.validFrom),
      same(g.methodVersion),
      same(g.grade),
      same(g.score),
      same(g.ungradedReason),
      same(g.inputHash),
    ],
  },
  pick_commitments: {
    ...{ from: commitment, name: "commitment", recordedAt: commitment.sealedAt, id: commitment.pickId },
    where: sql`true`,
    joins: sql`join ${k} on ${k.id} = ${commitment.pickId}`,
    cells: [text(k.pickDate), text(k.rank), same(commitment.hash)],
  },
  // The nonce and the payload leave the database with an opened commitment only.
  pick_openings: {
    ...{ from: commitment, name: "commitment", recordedAt: commitment.openedAt, id: commitment.pickId },
    where: sql`${commitment.openedAt} is not null and ${commitment.nonce} is not null`,
    joins: sql``,
    cells: [same(commitment.hash), same(commitment.payload), same(commitment.nonce)],
  },
};

/** A number arrives as one and becomes ECMAScript's shortest text. */
const Cell = z.union([z.string(), z.number().transform(String)]).nullable();

/** A row as `selectArchiveRows` returns it. */
export const ArchiveRowCells = z.object({ cells: z.array(Cell) });

/** The columns that order a dataset's rows and decide their day. */
export const archiveOrder = (name: ArchiveDatasetName): { readonly recordedAt: AnyColumn; readonly id: AnyColumn } =>
  SOURCES[name];

/** The table of a dataset under its name, and which of its rows belong to the dataset. */
export const archiveTable = (name: ArchiveDatasetName): { readonly from: SQLWrapper; readonly where: SQL } =>
  SOURCES[name];

/** The first instant at which a row of the dataset was recorded, as a subselect; null without rows. */
export const firstRecorded = (name: ArchiveDatasetName): SQL =>
  sql`(select min(${SOURCES[name].recordedAt}) from ${SOURCES[name].from} where ${SOURCES[name].where})`;

/**
 * Selects rows of a dataset as `cells`, JSON arrays in the order of its columns, ordered by recording.
 *
 * @param where a condition on the columns of `archiveOrder`
 * @param limit null for all
 */
export function selectArchiveRows(name: ArchiveDatasetName, where: SQL, limit: number | null): SQL {
  const { from, name: table, recordedAt, id, where: belongs, joins, cells } = SOURCES[name];
  const order = sql`${recordedAt}, ${id}`;
  // The limit applies before the joins: they only add names.
  return sql`
    select json_build_array(${sql.join([instant(recordedAt), text(id), ...cells], sql`, `)}) as cells
    from (select * from ${from} where ${belongs} and ${where} order by ${order}
      ${limit === null ? sql`` : sql`limit ${limit}`}) ${sql.identifier(table)}
    ${joins} order by ${order}`;
}

/** A row of the archive. */
export const toArchiveRow = ({ cells }: z.output<typeof ArchiveRowCells>): ArchiveRow => cells;
