import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { openCursor, signCursor, type CursorBinding } from "../../api/request/cursor.ts";
import { cursorParam, limitParam } from "../../api/request/query-params.ts";
import type { Config } from "../../config.ts";
import type { Plan } from "../../domain/accounts/accounts.ts";
import { opensPick, requiredPlans, type RequiredPlan } from "../../domain/picks/pick-access.ts";
import { readPickArchive, type ArchivedPick } from "../../queries/picks/pick-archive.ts";
import { presentArchiveEntry, presentDays, presentHitRate, toRecorded } from "./present/present-archive.ts";
import { PickOfTheDayArchive } from "./schemas/pick-archive.ts";

const PREFIX = "pda_";
const Position = z.object({ date: z.string(), rank: z.number().int() });

const bindingOf = ({ cursorKeys }: Config): CursorBinding => ({
  ...{ keys: cursorKeys, prefix: PREFIX, list: "getPickOfTheDayArchive", filters: "" },
});

export const getPickOfTheDayArchive = defineOperation({
  kind: "single",
  id: "getPickOfTheDayArchive",
  method: "get",
  path: "/api/v1/pick-of-the-day/archive",
  tag: "Picks",
  summary: "Read published picks and their record.",
  description:
    "Returns published picks, newest day first, with the record of all of them: hit rate, profit of a fixed stake at " +
    "the frozen prices, and closing-line value. Every page has the whole record. A pick that the caller's plan does not " +
    "open shows only its place until it settles. Withdrawn picks are left out.",
  access: "key",
  scope: "read",
  plan: null,
  cost: 1,
  params: {},
  query: { limit: limitParam({ max: 100, default: 20 }), cursor: cursorParam(PREFIX) },
  reasons: ["cursor_expired"],
  conditional: true,
  // What a response shows depends on the caller's plan, so none is shared.
  cacheSeconds: 0,
  mcpTool: "get_pick_of_the_day_archive",
  object: "pick_of_the_day_archive",
  data: PickOfTheDayArchive,
  topLevel: {
    has_more: z.boolean().meta({ description: "Whether another page follows.", example: false }),
    next_cursor: z
      .string()
      .optional()
      .meta({ description: "Cursor of the next page; left out when none follows.", example: `${PREFIX}eyJ.c2ln` }),
  },
  async handle({ query: { limit, cursor } }, { db, now, principal, config }) {
    const binding = bindingOf(config);
    const after = cursor === null || cursor === "" ? null : await openCursor(binding, cursor, Position);
    const { all, page } = await readPickArchive(db, { after, limit });
    const required = requiredByPick(all);
    const shown = page.slice(0, limit);
    const last = page.length > limit ? shown.at(-1) : undefined;
    const recorded = all.flatMap((pick) =>
      pick.published_at === null ? [] : [toRecorded({ ...pick, published_at: pick.published_at }, now)],
    );
    const plan: Plan = principal?.entitledPlan ?? "free";
    return {
      data: {
        picks: shown.map((row) => {
          const needed = required.get(row.id) ?? "max";
          return presentArchiveEntry(row, { required: needed, isOpen: opensPick(plan, needed) }, now);
        }),
        days: presentDays(recorded),
        hit_rate: presentHitRate(recorded),
      },
      topLevel:
        last === undefined
          ? { has_more: false }
          : { has_more: true, next_cursor: await signCursor(binding, { date: last.date, rank: last.rank }) },
    };
  },
});

/** Slots count too: they are part of their day's publication order. */
function requiredByPick(all: readonly ArchivedPick[]): ReadonlyMap<string, RequiredPlan> {
  const days = Map.groupBy(all, ({ date }) => date).values();
  return new Map(
    [...days].flatMap((picks) => [
      ...requiredPlans(picks.map(({ id, rank, is_free }) => ({ id, rank, isFree: is_free }))),
    ]),
  );
}
