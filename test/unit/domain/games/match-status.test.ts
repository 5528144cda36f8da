import { expect, test } from "vitest";
import { gameStateOf, type GameState } from "../../../../src/domain/games/game-state.ts";
import { parseMatchStatus, type MatchStatus } from "../../../../src/domain/games/match-status.ts";

test.each<[string | null, MatchStatus | null]>([
  [null, null],
  ["Scheduled", "scheduled"],
  ["not_started", "scheduled"],
  ["InProgress", "in_progress"],
  ["inprogress", "in_progress"],
  ["running", "in_progress"],
  ["Break", "halftime"],
  ["PenaltyShootout", "penalty_shootout"],
  ["Delayed", "delayed"],
  ["Suspended", "suspended"],
  ["finished", "final"],
  ["F/OT", "final_overtime"],
  ["F/SO", "final_shootout"],
  ["Awarded", "awarded"],
  ["Forfeit", "forfeit"],
  ["NotNecessary", "not_necessary"],
  ["Postponed", "postponed"],
  ["Canceled", "cancelled"],
  ["cancelled", "cancelled"],
  ["Tea", "unknown"],
])("the provider's status %s is %s", (text, status) => {
  expect(parseMatchStatus(text)).toBe(status);
});

const KICKOFF = new Date("2026-11-20T12:00:00Z");
const SILENT = { providerStatus: null, period: null, live: null, ended: null, scheduledAt: KICKOFF };

test.each<[string, Partial<Parameters<typeof gameStateOf>[0]>, GameState]>([
  ["nothing but a kickoff", {}, "scheduled"],
  ["neither a kickoff nor a state", { scheduledAt: null }, "unknown"],
  ["flags that deny play", { live: false, ended: false }, "scheduled"],
  ["the in-play flag", { live: true }, "live"],
  ["a status of play without a flag", { providerStatus: "running" }, "live"],
  ["a status of play that the flag denies", { providerStatus: "InProgress", live: false }, "unknown"],
  ["halftime", { live: true, period: "HT" }, "paused"],
  ["the end of an inning", { live: true, period: "End 3" }, "paused"],
  ["a break", { providerStatus: "Break" }, "paused"],
  ["the third map of a series", { live: true, period: "3/5" }, "live"],
  ["the end", { live: false, ended: true, period: "2/3" }, "ended"],
  ["a final status without a flag", { providerStatus: "F/OT" }, "ended"],
  ["a suspension", { providerStatus: "Suspended", live: true }, "suspended"],
  ["a delay", { providerStatus: "Delayed" }, "delayed"],
  ["a postponement", { providerStatus: "Postponed" }, "postponed"],
  ["a cancelled game that is called ended", { providerStatus: "Canceled", ended: true }, "cancelled"],
  ["a game of a series that is not needed", { providerStatus: "NotNecessary" }, "cancelled"],
  ["an unknown status", { providerStatus: "Tea" }, "unknown"],
  ["an unknown status, in play", { providerStatus: "Tea", live: true }, "live"],
])("a game with %s is %s", (_, facts, state) => {
  expect(gameStateOf({ ...SILENT, ...facts })).toBe(state);
});
