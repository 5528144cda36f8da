import { expect, test } from "vitest";
import { CACHE_TAGS } from "../../../src/domain/cache-tags.ts";
import { LANES } from "../../../src/domain/lanes.ts";
import { HEARTBEATS, listHeartbeats } from "../../../src/jobs/heartbeats.ts";
import { findJob, JOBS, listLane, type Job } from "../../../src/jobs/registry.ts";

const CHAIN = { rpcUrl: "https://node.example.test", confirmations: 64 };
const ALL: readonly Job[] = JOBS;

test("every job has a name of its own, and one lane", () => {
  const names = ALL.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(LANES.flatMap((lane) => listLane(lane).map(({ name }) => name)).toSorted()).toEqual(names.toSorted());
});

test("the trade feeds share their lane with no other job", () => {
  expect(listLane("feed").map(({ name }) => name)).toEqual(["read_taker_trades", "read_all_trades"]);
});

test("every cache version is published by some job", () => {
  const published = new Set(ALL.flatMap(({ publishes = [] }) => publishes));
  expect([...published].toSorted()).toEqual([...CACHE_TAGS].toSorted());
});

test("no job pauses longer than the interval that health judges it by", () => {
  const iceberg = { uri: "https://catalog.example.test", warehouse: "w", token: "t", bucket: "archive" };
  const all = listHeartbeats({
    heavyJobs: true,
    archiveSigningKey: "key",
    archiveRetentionDays: 1,
    iceberg,
    chain: CHAIN,
  });
  const late = ALL.filter(({ name, every }) => {
    const interval = all.find((heartbeat) => heartbeat.name === name)?.intervalSeconds ?? 0;
    return every !== "feed_poll" && every > interval * 1_000;
  });
  expect(late).toEqual([]);
});

test("health judges a job with a short pause by a minute, and the population by two", () => {
  const interval = (name: string) => HEARTBEATS.find((heartbeat) => heartbeat.name === name)?.intervalSeconds;
  expect(interval("read_taker_trades")).toBe(60);
  expect(interval("grade_traders")).toBe(60);
  expect(interval("estimate_population")).toBe(120);
  expect(interval("walk_markets")).toBe(300);
  expect(interval("build_trending")).toBe(600);
});

test("a name that no job has is an error", () => {
  expect(() => findJob("no_such_job")).toThrow("no job is named no_such_job");
});
