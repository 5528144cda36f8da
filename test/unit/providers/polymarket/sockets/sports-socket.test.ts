import { expect, test } from "vitest";
import type { ProviderScoreFrame, QuarantinedRecord } from "../../../../../src/platform/provider.ts";
import { openSportsSocket } from "../../../../../src/providers/polymarket/sockets/sports-socket.ts";
import { FakeServer, flushMicrotasks } from "../../../../support/providers/fake-socket.ts";
import { FakeTime } from "../../../../support/providers/fake-time.ts";

async function aSportsSocket() {
  const server = new FakeServer();
  const time = new FakeTime();
  const games: ProviderScoreFrame[] = [];
  const quarantined: QuarantinedRecord[] = [];
  const states: string[] = [];
  openSportsSocket({
    url: "wss://scores.test",
    connect: server.connect,
    clock: time,
    random: () => 0.5,
    onGame: (game) => games.push(game),
    onQuarantined: (record) => quarantined.push(record),
    onState: (state) => states.push(state.kind),
  }).start();
  await flushMicrotasks();
  return { server, time, games, quarantined, states };
}

test("the sports socket sends no message on its own and responds to each text ping", async () => {
  const { server } = await aSportsSocket();
  expect(server.socket.sent).toEqual([]);
  server.socket.receive("ping");
  server.socket.receive("ping");
  expect(server.socket.sent).toEqual(["pong", "pong"]);
});

test("a game's state is read as sent, and missing values are null", async () => {
  const { server, games } = await aSportsSocket();
  server.socket.receive(
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
      status: "InProgress",
      score: "2-1",
      period: "2H",
      elapsed: null,
      live: true,
      ended: false,
      finishedAt: null,
      sourceAt: null,
    },
  ]);
});

test("a frame has the provider's clock of its state", async () => {
  const { server, games } = await aSportsSocket();
  const [createdAt, updatedAt] = ["2026-07-25T12:02:18.395759286Z", "2026-07-25T12:05:00Z"];
  server.socket.receive(JSON.stringify([{ gameId: 1, eventState: { createdAt } }]));
  server.socket.receive(JSON.stringify([{ gameId: 1, eventState: { createdAt, updatedAt } }]));
  expect(games.map(({ sourceAt }) => sourceAt?.toISOString())).toEqual([
    "2026-07-25T12:02:18.395Z",
    "2026-07-25T12:05:00.000Z",
  ]);
});

test("a game without a number is identified by its name", async () => {
  const { server, games } = await aSportsSocket();
  server.socket.receive(
    JSON.stringify({ metadataGameId: "id2704", ended: true, finishedTimestamp: "2026-07-03T05:32:36.167691882Z" }),
  );
  expect(games[0]).toMatchObject({ gameId: "id2704", ended: true, finishedAt: new Date("2026-07-03T05:32:36.167Z") });
});

test("a frame without a game is quarantined", async () => {
  const { server, games, quarantined } = await aSportsSocket();
  server.socket.receive(JSON.stringify({ score: "1-0" }));
  expect(games).toEqual([]);
  expect(quarantined).toEqual([{ record: { score: "1-0" }, reason: "record: names no game" }]);
});

test("a ping or a frame postpones the end of a silent connection, which comes after a minute", async () => {
  const { server, time, states } = await aSportsSocket();
  time.advance(59_000);
  server.socket.receive("ping");
  time.advance(59_000);
  server.socket.receive("[]");
  time.advance(59_999);
  expect(states).toEqual(["connecting", "live"]);
  time.advance(1);
  expect(states).toEqual(["connecting", "live", "down"]);
});
