import { sql } from "drizzle-orm";
import { z } from "zod";
import { s, t, totals, tp } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isHistoryKnown } from "../../db/fragments/completeness.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { marketHolders } from "../../db/schema.ts";
import { alias, array, bigintText, integer, isoText, selectRow, selectRows } from "../../db/sql.ts";
import { PROFILE_MAX_AGE_SECONDS, StoredCategorySkill } from "../../domain/traders/stored-profile.ts";
import type { PileGrade } from "../../scoring/edge/holder-pile.ts";
import type { ScannedHolders } from "../../scoring/edge/judge-market.ts";
import type { HolderSkill } from "../../scoring/edge/pile-skill.ts";

const h = alias(marketHolders, "h");

const HolderRow = z.object({
  market_id: integer,
  trader_id: integer,
  grade: z.string().nullable(),
  yes_micro: bigintText,
  no_micro: bigintText,
});

const PILE_GRADES = ["S", "A", "B"] as const;

const pileGradeOf = (grade: string | null): PileGrade | null => PILE_GRADES.find((letter) => letter === grade) ?? null;

/** The graded traders of the last complete scan of these markets, by market id. A market without any has no entry. */
export async function loadScannedHolders(
  session: Session,
  marketIds: readonly number[],
): Promise<ReadonlyMap<number, ScannedHolders>> {
  const rows = await selectRows(
    session,
    sql`select ${h.marketId}, ${h.traderId}, ${t.grade},
        coalesce(sum(${h.sharesMicro}) filter (where ${h.outcomeIndex} = 0), 0)::bigint::text as yes_micro,
        coalesce(sum(${h.sharesMicro}) filter (where ${h.outcomeIndex} = 1), 0)::bigint::text as no_micro
      from ${h} join ${t} on ${t.id} = ${h.traderId}
      where ${h.marketId} = any(${array(marketIds, "bigint")})
      group by ${h.marketId}, ${h.traderId}, ${t.grade}`,
    HolderRow,
  );
  const byMarket = Map.groupBy(rows, (row) => row.market_id);
  return new Map([...byMarket].map(([id, holders]) => [id, { indexed: holders.length, graded: gradedOf(holders) }]));
}

function gradedOf(rows: readonly z.output<typeof HolderRow>[]): ScannedHolders["graded"] {
  return rows.flatMap(({ trader_id: traderId, grade, yes_micro: yes, no_micro: no }) => {
    const letter = pileGradeOf(grade);
    return letter === null ? [] : [{ traderId, grade: letter, sharesMicro: [yes, no] as const }];
  });
}

/** A holder's skill in a category, before the dollars are known. Times are ISO, null while unknown. */
export type CategorySkillOfHolder = Omit<HolderSkill, "usdMicro"> & {
  readonly firstAt: string | null;
  readonly computedAt: string | null;
};

const SkillRow = z.object({
  trader_id: integer,
  category: z.string(),
  record: StoredCategorySkill.element.nullable(),
  computed_at: z.string().nullable(),
  is_stale: z.boolean(),
  first_at: z.string().nullable(),
});

export const skillKey = (traderId: number, category: string): string => `${traderId}:${category}`;

/**
 * The category skill of traders, by `skillKey`. A trader whose history in ordinary markets is unknown has no record.
 */
export async function loadCategorySkill(
  session: Session,
  wanted: readonly { readonly traderId: number; readonly category: string }[],
): Promise<ReadonlyMap<string, CategorySkillOfHolder>> {
  const pairs = recordset("w", wanted, {
    trader_id: ["bigint", (pair) => pair.traderId],
    category: ["text", (pair) => pair.category],
  });
  const rows = await selectRows(
    session,
    sql`select w.trader_id, w.category, found.record, ${isoText(tp.computedAt)} as computed_at,
        coalesce(${tp.computedAt} <= now() - make_interval(secs => ${PROFILE_MAX_AGE_SECONDS}), false) as is_stale,
        ${isoText(totals.firstAt)} as first_at
      from ${pairs}
      left join ${s} on ${s.traderId} = w.trader_id and ${isHistoryKnown(s)}
      left join ${tp} on ${tp.traderId} = ${s.traderId}
      left join ${totals} on ${totals.traderId} = w.trader_id
      left join lateral (
        select record from jsonb_array_elements(${tp.profile} -> 'category_skill') record
        where record ->> 'category' = w.category limit 1
      ) found on true`,
    SkillRow,
  );
  return new Map(rows.map((row) => [skillKey(row.trader_id, row.category), skillOf(row)]));
}

function skillOf({ record, computed_at, is_stale, first_at }: z.output<typeof SkillRow>): CategorySkillOfHolder {
  return {
    status: record === null ? null : record.status === "live" && is_stale ? "stale" : record.status,
    events: record?.events ?? null,
    edgeMean: record?.edge_mean ?? null,
    edgeLower95: record?.edge_lower_95 ?? null,
    firstAt: first_at,
    computedAt: record === null ? null : computed_at,
  };
}

/** When the newest profile was computed, ISO; null without one. */
export async function findNewestProfileTime(session: Session): Promise<string | null> {
  const row = await selectRow(
    session,
    sql`select ${isoText(sql`max(${tp.computedAt})`)} as newest from ${tp}`,
    z.object({ newest: z.string().nullable() }),
  );
  return row?.newest ?? null;
}
