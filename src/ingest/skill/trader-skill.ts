import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { traderSkill } from "../../db/schema.ts";
import { array, columnName, columnNames, excluded, integer, run, selectRows, setEach } from "../../db/sql.ts";
import type { SkillEvidence } from "../../scoring/skill/evidence.ts";

/** The sums of a row selected with `EVIDENCE_COLUMNS`. */
export const Evidence = z.object({
  bets: integer,
  clusters: integer,
  weight: integer,
  edge: integer,
  information: integer,
  squareInformation: integer,
  edgeEdge: integer,
  edgeVariance: integer,
  varianceVariance: integer,
  closeClusters: integer,
  closeEdge: integer,
  closeInformation: integer,
  closeSquareInformation: integer,
  closeEdgeEdge: integer,
  closeEdgeVariance: integer,
  closeVarianceVariance: integer,
  crossEdgeEdge: integer,
  crossEdgeVariance: integer,
  crossVarianceEdge: integer,
  crossVarianceVariance: integer,
  storyEdgeEdge: integer,
  storyEdgeVariance: integer,
  storyVarianceVariance: integer,
  storyInformation: integer,
}) satisfies z.ZodType<SkillEvidence>;

const FIELDS = Evidence.keyof().options;
const COLUMNS = FIELDS.map((field) => traderSkill[field]);

/** The columns of `trader_skill` with the evidence, named like its fields, as a select list. */
export const EVIDENCE_COLUMNS: SQL = sql.join(
  FIELDS.map((field) => sql`${traderSkill[field]} as ${sql.identifier(field)}`),
  sql`, `,
);

export async function loadEvidence(
  session: Session,
  traderIds: readonly number[],
): Promise<Map<number, SkillEvidence>> {
  const rows = await selectRows(
    session,
    sql`select ${traderSkill.traderId}, ${EVIDENCE_COLUMNS} from ${traderSkill}
     where ${traderSkill.traderId} = any(${array(traderIds, "bigint")})`,
    Evidence.extend({ trader_id: integer }),
  );
  return new Map(rows.map(({ trader_id: traderId, ...evidence }) => [traderId, evidence]));
}

/** Stores changed evidence and makes its traders due for grading. */
export async function writeEvidence(session: Session, changed: ReadonlyMap<number, SkillEvidence>): Promise<void> {
  if (changed.size === 0) return;
  const evidences = [...changed.values()];
  const sums = FIELDS.map((field) =>
    array(
      evidences.map((evidence) => evidence[field]),
      "bigint",
    ),
  );
  await run(
    session,
    sql`insert into ${traderSkill} (${columnNames(traderSkill.traderId, ...COLUMNS, traderSkill.isDue)})
     select changed.*, true
     from unnest(${array([...changed.keys()], "bigint")}, ${sql.join(sums, sql`, `)}) as changed
     on conflict (${columnNames(traderSkill.traderId)}) do update set ${setEach(COLUMNS, excluded)},
       ${columnName(traderSkill.isDue)} = true`,
  );
}
