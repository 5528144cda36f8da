import { expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { GameState } from "../../../../src/providers/polymarket/mapping/game-state.ts";
import type { RtdsTrade } from "../../../../src/providers/polymarket/mapping/live-trade.ts";
import { systemClock, type Connect } from "../../../../src/providers/polymarket/sockets/socket-port.ts";
import { openSportsSocket } from "../../../../src/providers/polymarket/sockets/sports-socket.ts";
import { openTradesSocket } from "../../../../src/providers/polymarket/sockets/trades-socket.ts";
import { anEndpoint } from "../../scripts/provider/recordings.ts";
import { providerAt, walk } from "./provider-at-endpoint.ts";

const connect: Connect = (url) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.once("open", () => {
      // Frames that came with the handshake are held back until whoever waits for the socket listens.
      socket.pause();
      setImmediate(() => socket.resume());
      resolve(socket);
    });
    socket.once("error", reject);
  });

const link = { connect, clock: systemClock, random: Math.random };

/** A simulated world whose clock starts at the time given and runs. */
function aRunningWorld(startsAt: string) {
  const started = performance.now();
  return anEndpoint({ kind: "simulate", seed: 7, now: () => Date.parse(startsAt) + (performance.now() - started) });
}

test("the live socket tells a trade in the terms in which the feed has it a moment later", async () => {
  const endpoint = await aRunningWorld("2026-11-18T20:04:00Z");
  const heard: RtdsTrade[] = [];
  const rest = { onMisfit: vi.fn(), onState: vi.fn() };
  const socket = openTradesSocket({ ...link, ...rest, url: endpoint.tradesSocketUrl, onTrade: (trade) => heard.push(trade) });
  socket.start();
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), { timeout: 10_000, interval: 50 });
  socket.stop();
  expect(rest.onMisfit).not.toHaveBeenCalled();
  expect(rest.onState.mock.calls.map(([state]) => state.kind)).toEqual(["connecting", "live", "stopped"]);
  const [trade] = heard;
  const { provider } = providerAt(endpoint);
  const inFeed = {
    wallet: expect.objectContaining({ address: trade?.wallet }),
    market: expect.objectContaining({ conditionId: trade?.conditionId }),
    tokenId: trade?.tokenId,
    side: trade?.side,
    sharesMicro: trade?.sharesMicro,
    usdMicro: trade?.usdMicro,
    txHash: trade?.txHash,
  };
  const findInFeed = async () => expect((await provider.listTrades("all", null)).rows).toContainEqual(expect.objectContaining(inFeed));
  await vi.waitFor(findInFeed, { timeout: 15_000, interval: 250 });
}, 30_000);

test("the sports socket names games by the ids their open markets carry", async () => {
  const endpoint = await aRunningWorld("2026-11-19T02:30:00Z");
  const games: GameState[] = [];
  const rest = { onMisfit: vi.fn(), onState: vi.fn() };
  const socket = openSportsSocket({ ...link, ...rest, url: endpoint.sportsSocketUrl, onGame: (game) => games.push(game) });
  socket.start();
  await vi.waitFor(() => expect(games.length).toBeGreaterThan(0), { timeout: 10_000, interval: 50 });
  socket.stop();
  expect(rest.onMisfit).not.toHaveBeenCalled();
  const inPlay = games.filter((game) => game.live === true);
  const { provider } = providerAt(endpoint);
  const open = await walk((cursor) => provider.listMarkets("open", cursor));
  expect(inPlay.length).toBeGreaterThan(0);
  expect(open.rows.map((market) => market.gameId)).toEqual(expect.arrayContaining(inPlay.map((game) => game.gameId)));
});
