import { describe, expect, test } from "vitest";
import { departures } from "../../../contract/contract.ts";
import { errorOf, openFreshApi } from "../../../support/api/fresh-api.ts";
import { anEdgeEntry, anEdgeSnapshot } from "../../../support/seed/picks/edge.ts";

const HUNTER = "/api/v1/edge-hunter";
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

async function open() {
  const fresh = await openFreshApi();
  const preGame = await anEdgeSnapshot(fresh.db, "pre_game", new Date(), {
    terminals: [
      ["Soccer", "primary_slate_candidate"],
      ["Tennis", "holder_scan_incomplete"],
    ],
    isDegraded: true,
  });
  const inPlay = await anEdgeSnapshot(fresh.db, "in_play", new Date(), { terminals: [["Soccer", "in_play_emitted"]] });
  await anEdgeEntry(fresh.db, { generation: preGame });
  await anEdgeEntry(fresh.db, { generation: preGame, cohort: "wider_holder", isEmerging: true });
  await anEdgeEntry(fresh.db, { generation: inPlay, cohort: "in_play", kickoffAt: ago(60) });
  return fresh;
}

describe("edge signals", () => {
  test.for(["", "?view=signals"])("%s lists the signals, with their number", async (query) => {
    const { api } = await open();
    const { status, body, headers } = await api.get(`${HUNTER}${query}`);
    const { data, meta } = (await api.get("/api/v1/sports/pre-game-sides")).body;
    expect(status).toBe(200);
    expect(departures("EdgeHunterSignalsResponse", body)).toEqual([]);
    expect(body).toMatchObject({ object: "list", data, total: 1, has_more: false });
    const { request_id: _, cost: __, ...facts } = meta;
    expect(body.meta).toMatchObject(facts);
    const etag = headers.get("etag") ?? "";
    expect((await api.get(`${HUNTER}${query}`, { "if-none-match": etag })).status).toBe(304);
  });
});

describe("edge observations", () => {
  test.for(["wider_holder", "emerging_pile", "in_play"])(
    "of the cohort %s are those of the list of observations",
    async (cohort) => {
      const { api } = await open();
      const { status, body, headers } = await api.get(`${HUNTER}?view=observations&cohort=${cohort}`);
      const list = (await api.get(`/api/v1/sports-edge-observations?cohort=${cohort}`)).body;
      expect(status).toBe(200);
      expect(departures("PreGameSideObservationsResponse", body)).toEqual([]);
      expect({ ...body, meta: null }).toEqual({ ...list, meta: null });
      expect(body.data).toHaveLength(1);
      expect(headers.get("etag")).toMatch(/^W\//);
    },
  );

  test("need a cohort", async () => {
    const { api } = await open();
    expect(errorOf(await api.get(`${HUNTER}?view=observations`))).toEqual({
      ...{ status: 400, reason: "invalid_query", param: "cohort" },
    });
  });
});

describe("the board of edge signals", () => {
  test("has one item for each sport with its rows and its funnels, and no ETag", async () => {
    const { api } = await open();
    const { status, body, headers } = await api.get(`${HUNTER}?view=board`);
    expect(status).toBe(200);
    expect(departures("EdgeHunterBoardResponse", body)).toEqual([]);
    expect([headers.has("etag"), headers.get("cache-control")]).toEqual([false, "private, no-store"]);
    expect(body.data).toHaveLength(14);
    const soccer = body.data.find(({ sport }: { sport: string }) => sport === "Soccer");
    expect(soccer).toMatchObject({
      ...{ signals: 1, wider_holders: 1, emerging_piles: 1, in_play: 1 },
      ...{ pre_game_degraded: true, in_play_degraded: false },
      pre_game_funnel: { input: 1, terminals: { primary_slate_candidate: 1 }, reconciled: true },
      in_play_funnel: { input: 1, terminals: { in_play_emitted: 1 }, reconciled: true },
    });
  });

  test("of one category has its sport alone", async () => {
    const { api } = await open();
    const { body } = await api.get(`${HUNTER}?view=board&category=atp`);
    expect(body.data).toMatchObject([{ sport: "Tennis", signals: 0, in_play: 0 }]);
    expect((await api.get(`${HUNTER}?view=board&category=Politics`)).body.data).toEqual([]);
  });

  test("is null where a snapshot is missing or too old", async () => {
    const { api, db } = await openFreshApi();
    await anEdgeSnapshot(db, "in_play", ago(27));
    const { status, body } = await api.get(`${HUNTER}?view=board&category=Soccer`);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        sport: "Soccer",
        ...{ pre_game_as_of: null, in_play_as_of: null, pre_game_degraded: null, in_play_degraded: null },
        ...{ signals: null, wider_holders: null, emerging_piles: null, in_play: null },
        ...{ pre_game_funnel: null, in_play_funnel: null },
      },
    ]);
  });
});

test("the retired list of signals is 410 with a link to its successor", async () => {
  const { api } = await open();
  const { status, body, headers } = await api.get("/api/v1/sports-edge-signals?limit=5");
  expect([status, body.error.code, body.error.reason]).toEqual([410, "not_found", undefined]);
  expect(headers.get("link")).toBe(`</api/v1/edge-hunter>; rel="successor-version"`);
  expect(headers.get("deprecation")).toMatch(/^@\d+$/);
  expect(Date.parse(headers.get("sunset") ?? "")).toBeGreaterThan(Date.now());
});
