import { expect, test } from "vitest";
import type { Misfit } from "../../../../../src/ports/provider.ts";
import type { GameState } from "../../../../../src/providers/polymarket/mapping/game-state.ts";
import { openSportsSocket } from "../../../../../src/providers/polymarket/sockets/sports-socket.ts";
import { FakeServer, settle } from "../../../../support/providers/fake-socket.ts";
import { FakeTime } from "../../../../support/providers/fake-time.ts";

async function aSportsSocket() {
  const server = new FakeServer();
  const time = new FakeTime();
  const games: GameState[] = [];
  const misfits: Misfit[] = [];
  const states: string[] = [];
  openSportsSocket({
    url: "wss://scores.test",
    connect: server.connect,
    clock: time,
    random: () => 0.5,
    onGame: (game) => games.push(game),
    onMisfit: (misfit) => misfits.push(misfit),
    onState: (state) => states.push(state.kind),
  }).start();
  await settle();
  return { server, time, games, misfits, states };
}

test("it sends nothing by itself and answers each text ping", async () => {
  const { server } = await aSportsSocket();
  expect(server.socket.sent).toEqual([]);
  server.socket.say("ping");
  server.socket.say("ping");
  expect(server.socket.sent).toEqual(["pong", "pong"]);
});

test("a game's state is told in one form; what the frame does not say is null", async () => {
  const { server, games } = await aSportsSocket();
  server.socket.say(
    JSON.stringify({
      gameId: 6365478,
      homeTeam: "A",
      awayTeam: "B",
      status: "InProgress",
      score: "2-1",
      period: "2H",
      live: true,
      ended: false,
    }),
  );
  expect(games).toEqual([
    {
      gameId: "6365478",
      slug: null,
      league: null,
      homeTeam: "A",
      awayTeam: "B",
      status: "inprogress",
      score: "2-1",
      period: "2H",
      elapsed: null,
      live: true,
      ended: false,
      finishedAt: null,
    },
  ]);
});

test("a game without a number goes by its name", async () => {
  const { server, games } = await aSportsSocket();
  server.socket.say(JSON.stringify({ metadataGameId: "id2704", ended: true, finishedTimestamp: "2026-07-03T05:32:36.167691882Z" }));
  expect(games[0]).toMatchObject({ gameId: "id2704", ended: true, finishedAt: new Date("2026-07-03T05:32:36.167Z") });
});

test("a frame that names no game is set aside", async () => {
  const { server, games, misfits } = await aSportsSocket();
  server.socket.say(JSON.stringify({ score: "1-0" }));
  expect(games).toEqual([]);
  expect(misfits).toEqual([{ record: { score: "1-0" }, reason: "record: names no game" }]);
});

test("a ping or a frame puts off the end of a silent connection, which comes after a minute", async () => {
  const { server, time, states } = await aSportsSocket();
  time.advance(59_000);
  server.socket.say("ping");
  time.advance(59_000);
  server.socket.say("[]");
  time.advance(59_999);
  expect(states).toEqual(["connecting", "live"]);
  time.advance(1);
  expect(states).toEqual(["connecting", "live", "down"]);
});
