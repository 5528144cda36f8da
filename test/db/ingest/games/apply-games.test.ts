import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { games } from "../../../../src/db/schema.ts";
import { applyGameEvents } from "../../../../src/ingest/games/apply-game-events.ts";
import { applyScoreFrames } from "../../../../src/ingest/games/apply-score-frames.ts";
import type { ProviderGameEvent, ProviderScoreFrame, QuarantinedRecord } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aGameEvent, aScoreFrame, KICKOFF } from "../../../support/ingest/provider/provider-games.ts";

let database: TestDatabase;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.openPool();
});

/** A time after the kickoff. */
const at = (seconds: number) => new Date(KICKOFF.getTime() + seconds * 1000);

const readEvents = (seconds: number, ...rows: ProviderGameEvent[]) =>
  inTransaction(pool, (session) => applyGameEvents(session, { rows, quarantined: [] }, at(seconds)));

const receive = (seconds: number, ...frames: ProviderScoreFrame[]) =>
  inTransaction(pool, (session) =>
    applyScoreFrames(
      session,
      frames.map((frame) => ({ frame, receivedAt: at(seconds) })),
      at(seconds),
    ),
  );

const storedGames = () => database.db.select().from(games).orderBy(games.providerGameId);

async function theGame() {
  const [row, ...others] = await storedGames();
  expect(others).toEqual([]);
  if (row === undefined) throw new Error("no game is stored");
  return row;
}

async function published() {
  const { rows } = await database.db.execute(sql`select payload from events order by id`);
  return rows.map((row) => row["payload"] as Record<string, unknown>);
}

describe("game events", () => {
  test("a main event becomes a game, and reading it again changes only the time of the read", async () => {
    await readEvents(-600, aGameEvent());
    const first = await theGame();
    expect(first).toMatchObject({
      providerGameId: "70001",
      eventSlug: "nba-mil-bos-1",
      sport: "Basketball",
      league: "nba",
      scheduledAt: KICKOFF,
      state: "scheduled",
      score: null,
      version: 0,
    });
    await readEvents(-300, aGameEvent());
    expect(await theGame()).toEqual({ ...first, observedAt: at(-300) });
    expect(await published()).toEqual([]);
  });

  test("child events and events of no sport become no games", async () => {
    await readEvents(
      0,
      aGameEvent(1, { isMain: false }),
      aGameEvent(2, { category: "Politics" }),
      aGameEvent(3, { category: null }),
    );
    expect(await storedGames()).toEqual([]);
  });

  test("a postponed game keeps its row and its slug, and moves its kickoff", async () => {
    await readEvents(0, aGameEvent(1, { state: { status: "Postponed" } }));
    const { id } = await theGame();
    expect(await theGame()).toMatchObject({ state: "postponed" });
    await readEvents(60, aGameEvent(1, { kickoffAt: at(86_400) }));
    expect(await theGame()).toMatchObject({
      id,
      state: "scheduled",
      scheduledAt: at(86_400),
      eventSlug: "nba-mil-bos-1",
    });
  });

  test("a cancelled game is cancelled, not ended", async () => {
    await readEvents(0, aGameEvent(1, { isClosed: true, state: { status: "Canceled", ended: true, live: false } }));
    expect(await theGame()).toMatchObject({ state: "cancelled" });
  });

  test("a renamed game keeps its row", async () => {
    await readEvents(0, aGameEvent());
    const { id } = await theGame();
    await readEvents(60, aGameEvent(1, { slug: "NBA-mil-bos-final" }));
    expect(await theGame()).toMatchObject({ id, eventSlug: "nba-mil-bos-final" });
  });

  test("a slug that moves to another game leaves the first game without one", async () => {
    await readEvents(0, aGameEvent(1));
    await readEvents(60, aGameEvent(2, { slug: "nba-mil-bos-1" }));
    expect((await storedGames()).map(({ providerGameId, eventSlug }) => [providerGameId, eventSlug])).toEqual([
      ["70001", null],
      ["70002", "nba-mil-bos-1"],
    ]);
  });

  test("of two main events of one game the open one counts, then the older one", async () => {
    const older = aGameEvent(1, { slug: "older", eventId: "99" });
    const newer = aGameEvent(1, { slug: "newer", eventId: "100" });
    await readEvents(0, newer, older);
    expect(await theGame()).toMatchObject({ eventSlug: "older" });
    await readEvents(10, newer);
    expect(await theGame()).toMatchObject({ eventSlug: "older" });
    await readEvents(20, { ...older, isClosed: true });
    await readEvents(30, newer);
    expect(await theGame()).toMatchObject({ eventSlug: "newer" });
  });

  test("a main event that the provider no longer lists gives way after an hour", async () => {
    await readEvents(0, aGameEvent(1, { slug: "gone", eventId: "99" }));
    await readEvents(3_700, aGameEvent(1, { slug: "new", eventId: "100" }));
    expect(await theGame()).toMatchObject({ eventSlug: "new" });
  });

  test("competitors that an event leaves out stay known", async () => {
    await readEvents(0, aGameEvent());
    await readEvents(60, aGameEvent(1, { competitors: [] }));
    expect((await theGame()).competitors.map(({ name }) => name)).toEqual(["Boston Celtics", "Milwaukee Bucks"]);
  });

  test("an unreadable event is quarantined once", async () => {
    const quarantined: QuarantinedRecord = { record: { id: 1 }, reason: "slug" };
    for (const seconds of [0, 60])
      await inTransaction(pool, (session) =>
        applyGameEvents(session, { rows: [aGameEvent()], quarantined: [quarantined] }, at(seconds)),
      );
    const { rows } = await database.db.execute(sql`select feed, reason from quarantined_records`);
    expect(rows).toEqual([{ feed: "games", reason: "slug" }]);
  });
});

describe("score frames", () => {
  beforeEach(() => readEvents(-600, aGameEvent()));

  test("a frame of an unknown game is ignored", async () => {
    await receive(5, aScoreFrame(9));
    expect(await theGame()).toMatchObject({ state: "scheduled", live: null });
  });

  test("a frame sets score, period and state; whose number comes first follows from the event", async () => {
    await receive(5, aScoreFrame(1, { score: "2-0", elapsed: "11:40" }));
    expect(await theGame()).toMatchObject({ state: "live", score: "2-0", clock: "11:40", scoreFirst: 1 });
    await receive(10, aScoreFrame(1, { score: "2-3", homeTeam: "MIL", awayTeam: "BOS" }));
    expect(await theGame()).toMatchObject({ score: "2-3", scoreFirst: 1 });
  });

  test("a frame with an older provider clock changes nothing", async () => {
    await receive(5, aScoreFrame(1, { score: "4-0", sourceAt: at(4) }));
    const before = await theGame();
    await receive(6, aScoreFrame(1, { score: "2-0", sourceAt: at(2) }));
    expect(await theGame()).toEqual(before);
  });

  test("without a clock the order of arrival decides, so a score may be corrected", async () => {
    await receive(5, aScoreFrame(1, { score: "4-0" }), aScoreFrame(1, { score: "2-0" }));
    expect(await theGame()).toMatchObject({ score: "2-0" });
  });

  test("the end is final: a late frame of play changes nothing, and a corrected final score counts", async () => {
    await receive(5, aScoreFrame(1, { score: "99-98" }));
    await receive(10, aScoreFrame(1, { score: "101-98", live: false, ended: true, finishedAt: at(9) }));
    await receive(12, aScoreFrame(1, { score: "99-98" }));
    expect(await theGame()).toMatchObject({ state: "ended", score: "101-98", finishedAt: at(9) });
    await receive(20, aScoreFrame(1, { score: "100-98", live: false, ended: true, finishedAt: at(9) }));
    expect(await theGame()).toMatchObject({ state: "ended", score: "100-98" });
  });

  test("a game that the provider reopens is live again", async () => {
    await receive(10, aScoreFrame(1, { live: false, ended: true, sourceAt: at(9) }));
    await receive(30, aScoreFrame(1, { sourceAt: at(25) }));
    expect(await theGame()).toMatchObject({ state: "live", ended: false, finishedAt: null });
  });

  test("a reopened game without a provider clock is live again after a minute", async () => {
    await receive(10, aScoreFrame(1, { live: false, ended: true }));
    await receive(70, aScoreFrame(1));
    expect(await theGame()).toMatchObject({ state: "live" });
  });

  test("while the socket speaks of a game, its event only ends it", async () => {
    await receive(5, aScoreFrame(1, { score: "4-0" }));
    await readEvents(10, aGameEvent(1, { state: { score: "2-0", live: true, ended: false } }));
    expect(await theGame()).toMatchObject({ score: "4-0", scoresFrom: "socket" });
    await readEvents(20, aGameEvent(1, { state: { score: "6-0", live: false, ended: true } }));
    expect(await theGame()).toMatchObject({ score: "6-0", state: "ended" });
  });

  test("after ten minutes without the socket the events have the score, and the socket takes over again", async () => {
    await receive(5, aScoreFrame(1, { score: "4-0" }));
    for (let minute = 1; minute <= 10; minute++)
      await readEvents(
        5 + minute * 60,
        aGameEvent(1, { state: { score: `${4 + minute}-0`, live: true, ended: false } }),
      );
    expect(await theGame()).toMatchObject({ score: "14-0", scoresFrom: "event", scoresObservedAt: at(605) });
    await receive(606, aScoreFrame(1, { score: "15-0" }));
    expect(await theGame()).toMatchObject({ score: "15-0", scoresFrom: "socket" });
  });
});

describe("live_sports_updated", () => {
  beforeEach(async () => {
    await readEvents(-600, aGameEvent());
  });

  test("a changed score is published with its scores, and an unchanged frame is not", async () => {
    await receive(5, aScoreFrame(1, { score: "2-0", elapsed: "11:40" }));
    await receive(25, aScoreFrame(1, { score: "2-0", elapsed: "11:20" }));
    expect(await published()).toEqual([
      {
        event_slug: "nba-mil-bos-1",
        game_id: "70001",
        league: "nba",
        version: 1,
        changed: ["status", "period", "live", "ended", "scores"],
        observed_at: at(5).toISOString(),
        published_at: at(5).toISOString(),
        status: "InProgress",
        period: "1Q",
        clock: "11:40",
        live: true,
        ended: false,
        scores: [
          { team: "BOS", full_name: "Boston Celtics", score: "0" },
          { team: "MIL", full_name: "Milwaukee Bucks", score: "2" },
        ],
        snapshot_url: "/api/v1/games/nba-mil-bos-1",
      },
    ]);
  });

  test("a game publishes once in 20 seconds, and then its newest state", async () => {
    await receive(0, aScoreFrame(1, { score: "2-0" }));
    await receive(5, aScoreFrame(1, { score: "4-0" }));
    await receive(9, aScoreFrame(1, { score: "6-0" }));
    await receive(19);
    expect(await published()).toHaveLength(1);
    await receive(20);
    const events = await published();
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({ version: 2, changed: ["scores"], observed_at: at(9).toISOString() });
    await receive(60);
    expect(await published()).toHaveLength(2);
  });

  test("the end does not wait for the 20 seconds", async () => {
    await receive(0, aScoreFrame(1));
    await receive(3, aScoreFrame(1, { live: false, ended: true }));
    expect((await published()).map(({ changed }) => changed)).toEqual([
      ["status", "period", "live", "ended", "scores"],
      ["live", "ended"],
    ]);
  });

  test("a change that is taken back before it was published is not published", async () => {
    await receive(0, aScoreFrame(1, { score: "2-0" }));
    await receive(5, aScoreFrame(1, { score: "4-0" }), aScoreFrame(1, { score: "2-0" }));
    await receive(30);
    expect(await published()).toHaveLength(1);
  });

  test("an esports series has its map scores and its format", async () => {
    await receive(0, aScoreFrame(1, { score: "011-004|1-0|Bo3", period: "2/3" }));
    expect((await published())[0]).toMatchObject({
      series_format: "Bo3",
      scores: [
        { team: "BOS", score: "0", map_score: "004" },
        { team: "MIL", score: "1", map_score: "011" },
      ],
    });
  });

  test("a game that is first seen in play publishes nothing until it changes", async () => {
    const state = { score: "3-0", live: true, ended: false };
    await readEvents(0, aGameEvent(2, { state }));
    expect(await published()).toEqual([]);
    await readEvents(30, aGameEvent(2, { state: { ...state, score: "4-0" } }));
    expect(await published()).toMatchObject([{ game_id: "70002", version: 1, changed: ["scores"] }]);
  });
});
