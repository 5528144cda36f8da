/// <reference types="@cloudflare/vitest-plugin/types" />
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { games, pickCommitments } from "../../../../src/db/schema.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../../../src/events/registry.ts";
import { applyScoreFrames } from "../../../../src/ingest/games/apply-score-frames.ts";
import { drainEndpoint } from "../../../../src/webhooks/delivery/drain-endpoint.ts";
import { fanOut } from "../../../../src/webhooks/fan-out/fan-out.ts";
import { aPickGame, readAgain, resolveMarket, runPicks } from "../../../support/ingest/pick-game.ts";
import { aScoreFrame } from "../../../support/ingest/provider/provider-games.ts";
import { formsOf } from "../../../support/seed/picks/sealed-picks.ts";
import { aPublishedLargeTrade } from "../../../support/seed/large-trades.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { anEndpoint } from "../../../support/seed/webhooks.ts";
import { runStreamAlarm, untilReadable } from "../../../support/stream/open-stream.ts";
import { aKnownKey, openStreamApi } from "../../../support/stream/stream-api.ts";
import { settingsFor } from "../../../support/webhooks/drain-settings.ts";

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

test("stream and webhooks tell of the game and the market of a sealed pick, and nothing of its commitment", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { database, openStream } = await openStreamApi();
  const { db } = database;
  const pool = database.openPool();
  const { key, accountId } = await aKnownKey(database);
  const stream = await openStream(key);
  const spellings = EVENT_TYPES.flatMap((type) => EVENT_CATALOGUE[type].spellings);
  const endpoint = await anEndpoint(db, { accountId, eventTypes: [...new Set(spellings)] });

  const kickoff = new Date(Math.ceil(Date.now() / 1000) * 1000 + 7_200_000);
  const minutesBefore = (minutes: number) => new Date(kickoff.getTime() - minutes * 60_000);
  const game = await aPickGame(db, kickoff, minutesBefore(120));
  await runPicks(pool, minutesBefore(120));
  await readAgain(db, game, minutesBefore(60));
  await runPicks(pool, minutesBefore(60));
  const [sealed] = await db.select().from(pickCommitments);
  const secrets = formsOf("2b".repeat(32), sealed?.payload ?? "", sealed?.sealedNonce ?? "");
  expect(sealed).toMatchObject({ nonce: null });

  // The game begins, its score changes, and a large trade is made in its market.
  const [row] = await db.select().from(games).where(eq(games.id, game.gameId));
  const gameId = row?.providerGameId ?? "";
  for (const [score, minutes] of [
    ["0-0", 0],
    ["2-0", -1],
  ] as const) {
    const receivedAt = minutesBefore(minutes);
    await inTransaction(pool, (session) =>
      applyScoreFrames(session, [{ frame: aScoreFrame(1, { gameId, score }), receivedAt }], receivedAt),
    );
  }
  await aPublishedLargeTrade(db, { market: game.market, trader: await aSeededTrader(db, { grade: "S" }) });
  await runPicks(pool, minutesBefore(-30));
  await untilReadable(database);
  const { rows } = await db.execute(sql`select count(*)::int as count from events`);
  const count = Number(rows[0]?.["count"]);
  expect(count).toBeGreaterThanOrEqual(2);

  await runStreamAlarm(database);
  await stream.until(({ seqs }) => seqs.length >= count);
  await stream.stop();
  await fanOut(db, new Date(), SILENT);
  const posted: string[] = [];
  const settings = settingsFor(
    db,
    ({ body, headers }) => (posted.push(`${JSON.stringify([...headers])} ${body}`), new Response()),
    Date.now,
  );
  await drainEndpoint(endpoint.id, Date.now() + 60_000, settings);
  for (const sent of [JSON.stringify(stream.frames), posted.join("\n")]) {
    expect(sent).toContain(row?.eventSlug);
    expect(sent).toContain(game.market.conditionId);
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  }
  // The opening is no event either.
  await resolveMarket(db, game, [1_000_000, 0]);
  await runPicks(pool, minutesBefore(-120));
  expect(await db.select().from(pickCommitments)).toMatchObject([{ nonce: "2b".repeat(32) }]);
  const { rows: later } = await db.execute(sql`select count(*)::int as count from events`);
  expect(later).toEqual([{ count }]);
});
