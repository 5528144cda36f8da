import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam } from "../../api/request/query-params.ts";
import type { OperationContext } from "../../context.ts";
import { normalizeCategory } from "../../domain/categories/categories.ts";
import { gradesFrom } from "../../domain/traders/grades.ts";
import { listObservations, listSignals, readBoard, type EdgeCursor } from "../../queries/edge/edge-entries.ts";
import { CATEGORY_FILTER } from "../shared-params.ts";
import { EDGE_CURSOR } from "./edge-cursor.ts";
import { COHORT_DESCRIPTION } from "./list-observations.ts";
import { presentObservationPage } from "./observation-page.ts";
import { presentBoard } from "./present/present-board.ts";
import { EdgeBoardSport } from "./schemas/board-schemas.ts";
import { COHORTS, OBSERVATION_TOP_LEVEL, PreGameSideObservation } from "./schemas/observation-schemas.ts";
import { PreGameSide, SIGNAL_META } from "./schemas/signal-schemas.ts";
import { presentSignalPage, SIGNAL_FILTERS } from "./signal-page.ts";
import { EDGE_CACHE_SECONDS, requireUsable } from "./snapshot-age.ts";

type Fields = Readonly<Record<string, z.ZodType>>;

/** Optional copies of the fields of one view. A named schema keeps its own description. */
const optional = (fields: Fields, view: string): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { id, description, ...meta } = field.meta() ?? {};
      const copy = field.optional();
      return [name, id === undefined ? copy.meta({ ...meta, description: `${description} Only with ${view}.` }) : copy];
    }),
  );

const TOTAL = z.int().meta({ description: "Signals that match the filters, on all pages.", example: 1 });

export const getEdgeHunter = defineOperation({
  kind: "list",
  id: "getEdgeHunter",
  method: "get",
  path: "/api/v1/edge-hunter",
  tag: "Edge",
  summary: "Read signals, observations or the board of sports markets.",
  description:
    "One path for the Max plan: the lists of signals and of observations, and the board, which has one item for each " +
    "sport with the number of rows and where its markets ended. The board is one page without an ETag; filters other " +
    "than `category` do not apply to it.",
  access: "key",
  scope: "read",
  plan: "max",
  cost: 1,
  params: {},
  query: {
    view: enumParam(["signals", "observations", "board"]).meta({
      description: "What to read. Signals when left out.",
      example: "signals",
    }),
    cohort: enumParam(COHORTS).meta({
      description: `Required for observations, without effect on the other views. ${COHORT_DESCRIPTION}`,
      example: "wider_holder",
    }),
    category: textParam().meta({ ...CATEGORY_FILTER, example: "Soccer" }),
    ...SIGNAL_FILTERS,
    limit: limitParam({ max: 100, default: 20 }),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: EDGE_CACHE_SECONDS,
  mcpTool: "get_edge_hunter",
  item: z.union([PreGameSide, PreGameSideObservation, EdgeBoardSport]),
  // Observations always have `next_cursor`; the other views may have it.
  cursor: { ...EDGE_CURSOR, sendsNull: true },
  topLevel: { ...optional({ total: TOTAL }, "signals"), ...optional(OBSERVATION_TOP_LEVEL, "observations") },
  meta: optional(SIGNAL_META, "signals"),
  async handle({ query, cursor }, { db, now }) {
    const filters = { ...query, category: query.category === null ? null : normalizeCategory(query.category) };
    if (query.view === "board") return readBoardPage(db, filters.category, now);
    const page = { cursor, limit: query.limit };
    return query.view === "observations"
      ? readObservationPage(db, filters, page, now)
      : readSignalPage(db, filters, page, now);
  },
});

type Database = OperationContext["db"];

interface Page {
  readonly cursor: EdgeCursor | null;
  readonly limit: number;
}

async function readSignalPage(
  db: Database,
  filters: { category: string | null; horizon_hours: number; min_grade: "S" | "A" | "B" },
  page: Page,
  now: Date,
) {
  const { category, horizon_hours: horizonHours, min_grade: minGrade } = filters;
  const found = await listSignals(db, { category, horizonHours, grades: gradesFrom(minGrade) }, page, now);
  const usable = requireUsable(found, page.cursor === null, now);
  return { ...(await presentSignalPage(usable, page.limit, now)), topLevel: { total: usable.total } };
}

async function readObservationPage(
  db: Database,
  { cohort, category }: { cohort: (typeof COHORTS)[number] | null; category: string | null },
  page: Page,
  now: Date,
) {
  if (cohort === null)
    throw new ApiError("invalid_query", { param: "cohort", message: "cohort is required for the observations." });
  const isFirstPage = page.cursor === null;
  const found = await listObservations(db, { cohort, category }, page, now);
  return presentObservationPage(
    requireUsable(found, isFirstPage, now),
    { cohort, limit: page.limit, isFirstPage },
    now,
  );
}

async function readBoardPage(db: Database, category: string | null, now: Date) {
  const data = presentBoard(await readBoard(db, now), category, now);
  return { data, next: null, conditional: false as const };
}
