import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { dateParam } from "../../api/request/query-params.ts";
import { PROOF_RETRY_SECONDS, productDayOf, RELEASE_POLL_SECONDS } from "../../domain/picks/pick-schedule.ts";
import { readPicksOfDay, type PickRow } from "../../queries/picks/picks-of-day.ts";
import { viewDay, type DayView } from "./day-view.ts";
import { presentIdentity, presentPick } from "./present/present-pick.ts";
import { PickOfTheDayData } from "./schemas/pick-of-the-day.ts";

export const getPickOfTheDay = defineOperation({
  kind: "single",
  id: "getPickOfTheDay",
  method: "get",
  path: "/api/v1/pick-of-the-day",
  tag: "Picks",
  summary: "Read the picks of a day.",
  description: [
    "Returns the picks of a product day, which is a date in US Eastern time. A published rule selects sides of " +
      "full-game markets that traders graded S and A agree on, up to 15 a day. Each pick is released one hour before its " +
      "kickoff; its price, its holders and its kickoff are then frozen.",
    "Every account opens the free selection, Pro also the first four other picks in publication order, Max all of them. " +
      "Settled picks are open to every account. Withdrawn picks are left out and do not count.",
    "Until the first release of the day the response is 404 `pick_not_released`, with `retry_at` and Retry-After: the " +
      "next release of a pick that the caller opens, or a quarter of an hour where none is scheduled.",
  ].join("\n\n"),
  access: "key",
  scope: "read",
  plan: null,
  cost: 1,
  params: {},
  query: {
    date: dateParam().meta({
      description: "The product day. Today in US Eastern time when left out.",
      example: "2026-11-20",
    }),
  },
  reasons: ["pick_not_released", "not_found", "read_model_warming"],
  conditional: true,
  // What a response shows depends on the caller's plan, so none is shared.
  cacheSeconds: 0,
  mcpTool: "get_pick_of_the_day",
  object: "pick_of_the_day",
  data: PickOfTheDayData,
  async handle({ query }, { db, now, principal }) {
    const today = productDayOf(now);
    const day = query.date ?? today;
    const { picks, isSelecting } = await readPicksOfDay(db, day);
    const view = viewDay(picks, principal?.entitledPlan ?? "free", now);
    if (!view.isReleased) {
      if (day < today) throw new ApiError("not_found", { param: "date", message: `No pick was published on ${day}.` });
      if (!isSelecting) throw new ApiError("read_model_warming", { message: "Picks have not been selected yet." });
      throw new ApiError("pick_not_released", {
        retryAt: nextRelease(view) ?? new Date(now.getTime() + RELEASE_POLL_SECONDS * 1000),
      });
    }
    return { data: presentDay(day, view, now) };
  },
});

/** Only of picks that the caller opens: another instant would tell when a locked game begins. */
function nextRelease({ scheduled }: DayView<PickRow>): Date | null {
  const times = scheduled.map(({ release_at }) => Date.parse(release_at));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** The end of the current interval, so that an unchanged response keeps its ETag within it. */
function nextProof(now: Date): Date {
  const interval = PROOF_RETRY_SECONDS * 1000;
  return new Date((Math.floor(now.getTime() / interval) + 1) * interval);
}

function presentDay(day: string, view: DayView<PickRow>, now: Date): z.input<typeof PickOfTheDayData> {
  const picks = view.open.flatMap((row) =>
    row.published_at === null ? [] : [presentPick(row, row.published_at, now)],
  );
  const common = {
    pick_date: day,
    supersedes_pick_id: null,
    locked_picks: view.locked.map(({ rank, required }) => ({
      pick_rank: rank,
      required_tier: required === "pro" ? ("insider" as const) : ("max" as const),
    })),
    scheduled_picks: view.scheduled.map((row) => ({
      ...presentIdentity(row),
      release_at: row.release_at,
      kickoff: row.kickoff,
    })),
    proof_pending_picks: view.proofPending.map((row) => ({
      ...presentIdentity(row),
      release_at: row.release_at,
      kickoff: row.kickoff,
      retry_at: nextProof(now).toISOString(),
    })),
  };
  if (picks.length === 0 && view.locked.length > 0) {
    const message = "The picks of this day that are released open with a higher plan, or once they have settled.";
    return { ...common, state: "none", picks: [], pick_count: 0, message };
  }
  const next = nextRelease(view);
  return {
    ...picks[0],
    ...common,
    state: "full",
    picks,
    pick_count: picks.length,
    ...(next === null ? {} : { next_drop_deadline: next.toISOString() }),
  };
}
