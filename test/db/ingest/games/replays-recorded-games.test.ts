import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { readLiveGames, walkGames } from "../../../../src/ingest/games/read-games.ts";
import { listGames } from "../../../../src/queries/games/list-games.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { sharedPath } from "../../../support/providers/shared-path.ts";
import { providerAt } from "../../../unit/providers/polymarket/provider-at-endpoint.ts";
import { anEndpoint } from "../../../unit/scripts/provider/provider-recordings.ts";

const DATA = sharedPath("data/");
const FRAMES = `${DATA}sports/sports-ws-frames.json`;
const ALL = { sport: null, league: null, state: null, startsAfter: null, startsBefore: null };

const Frame = z.object({ gameId: z.number(), homeTeam: z.string(), live: z.boolean() });

test.runIf(existsSync(FRAMES))(
  "a replay of the recording lists the games of its socket frames, and no other",
  async () => {
    const { provider } = providerAt(await anEndpoint({ kind: "replay", dir: DATA, speed: "max" }));
    const { db, openPool } = await createTestDatabase();
    const pool = openPool();
    const now = () => new Date();
    while (await walkGames(pool, provider, now));
    await readLiveGames(pool, provider, now);
    const page = await listGames(db, ALL, { cursor: null, limit: 100 }, now());
    const captures = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(FRAMES, "utf8")));
    const rows = Object.values(captures).flatMap((value) => (Array.isArray(value) ? value : []));
    const frames = rows.flatMap((row) => Frame.safeParse(row).data ?? []);
    expect(frames.filter(({ live }) => live).length).toBeGreaterThan(1);
    const recorded = frames.map(({ gameId, live }) => [`replay-game-${gameId}`, live ? "live" : "ended"]);
    expect(page.rows.map(({ game }) => [game.event_slug, game.state]).toSorted()).toEqual(recorded.toSorted());
  },
);
