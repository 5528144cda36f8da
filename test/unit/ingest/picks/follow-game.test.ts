import { describe, expect, test } from "vitest";
import { decideFollow, type FollowedGame, type FollowedPick } from "../../../../src/ingest/picks/follow-games.ts";

// 19:00 US Eastern of 20 November.
const KICKOFF = new Date("2026-11-21T00:00:00Z");
const SLOT: FollowedPick = { pickDate: "2026-11-20", kickoff: KICKOFF, isPublished: false };
const PUBLISHED: FollowedPick = { ...SLOT, isPublished: true };
const GAME: FollowedGame = { scheduledAt: KICKOFF, isOff: false, isServed: true, hasStarted: false };

const LATE_THAT_DAY = new Date("2026-11-21T04:59:59Z");
const NEXT_DAY = new Date("2026-11-21T05:00:00Z");

describe.each<[string, Partial<FollowedGame>, unknown, unknown]>([
  ["as it was", {}, "keep", "keep"],
  ["moved to the last second of its day", { scheduledAt: LATE_THAT_DAY }, "move", "keep"],
  ["moved to the first second of the next day", { scheduledAt: NEXT_DAY }, "rescheduled", "rescheduled"],
  ["moved to the next day and then live", { scheduledAt: NEXT_DAY, hasStarted: true }, "rescheduled", "keep"],
  ["moved between two seconds", { scheduledAt: new Date(KICKOFF.getTime() + 1) }, "rescheduled", "keep"],
  ["without a time", { scheduledAt: null }, "rescheduled", "keep"],
  ["off", { isOff: true }, "game_off", "game_off"],
  ["off and reported as ended", { isOff: true, hasStarted: true }, "game_off", "game_off"],
  ["off and moved to the next day", { isOff: true, scheduledAt: NEXT_DAY }, "game_off", "game_off"],
  ["without its event, which another game has", { isServed: false }, "game_off", "keep"],
])("a game %s", (_, change, slot, published) => {
  const shortOf = (pick: FollowedPick) => {
    const decision = decideFollow(pick, { ...GAME, ...change });
    return decision.kind === "withdraw" ? decision.reason : decision.kind;
  };

  test("the slot of its pick follows it or is withdrawn", () => expect(shortOf(SLOT)).toBe(slot));
  test("its published pick stays or is withdrawn", () => expect(shortOf(PUBLISHED)).toBe(published));
});
