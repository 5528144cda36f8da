import type { Session } from "../../db/client.ts";
import type { SkillEvidence } from "../../scoring/skill/evidence.ts";

/** Column and field of each of the nine sums, in one order. */
const COLUMNS = [
  ["bets", "bets"],
  ["clusters", "clusters"],
  ["weight", "weight"],
  ["edge", "edge"],
  ["information", "information"],
  ["square_information", "squareInformation"],
  ["edge_edge", "edgeEdge"],
  ["edge_variance", "edgeVariance"],
  ["variance_variance", "varianceVariance"],
] as const satisfies readonly (readonly [string, keyof SkillEvidence])[];

const NAMES = COLUMNS.map(([name]) => name);

/** The columns of `trader_skill` that hold the evidence, as a select list. */
export const evidenceColumns = (alias: string): string => NAMES.map((name) => `${alias}.${name}`).join(", ");

/** As the driver reads the columns: the counts as numbers, the sums as text. */
export type EvidenceRow = Readonly<Record<(typeof COLUMNS)[number][0], string | number>>;

export function toEvidence(row: EvidenceRow): SkillEvidence {
  // Every field of the evidence has its row in COLUMNS.
  return Object.fromEntries(COLUMNS.map(([name, field]) => [field, Number(row[name])])) as unknown as SkillEvidence;
}

export async function loadEvidence(session: Session, traderIds: readonly number[]): Promise<Map<number, SkillEvidence>> {
  const { rows } = await session.query<EvidenceRow & { trader_id: string }>(
    `select s.trader_id, ${evidenceColumns("s")} from trader_skill s where s.trader_id = any($1::bigint[])`,
    [traderIds],
  );
  return new Map(rows.map((row) => [Number(row.trader_id), toEvidence(row)]));
}

/** Stores evidence that has changed; its wallets are due to be graded. */
export async function writeEvidence(session: Session, changed: ReadonlyMap<number, SkillEvidence>): Promise<void> {
  if (changed.size === 0) return;
  const types = NAMES.map((_, index) => `$${index + 2}::bigint[]`).join(", ");
  await session.query(
    `insert into trader_skill (trader_id, ${NAMES.join(", ")}, is_due)
     select t.*, true from unnest($1::bigint[], ${types}) as t(trader_id, ${NAMES.join(", ")})
     on conflict (trader_id) do update set ${NAMES.map((name) => `${name} = excluded.${name}`).join(", ")}, is_due = true`,
    [[...changed.keys()], ...COLUMNS.map(([, field]) => [...changed.values()].map((evidence) => evidence[field]))],
  );
}
