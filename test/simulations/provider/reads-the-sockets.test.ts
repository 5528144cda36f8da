import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { ProviderScoreFrame } from "../../../src/platform/provider.ts";
import type { RtdsTrade } from "../../../src/providers/polymarket/mapping/trades/live-trade.ts";
import { systemClock } from "../../../src/lib/timing/clock.ts";
import type { Connect } from "../../../src/providers/polymarket/sockets/socket-port.ts";
import { openSportsSocket } from "../../../src/providers/polymarket/sockets/sports-socket.ts";
import { openTradesSocket } from "../../../src/providers/polymarket/sockets/trades-socket.ts";
import { aSteppedEndpoint } from "../../support/providers/simulated-endpoint.ts";
import { providerAt, walk } from "../../unit/providers/polymarket/provider-at-endpoint.ts";

const connect: Connect = (url) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.once("open", () => {
      // Frames that arrive with the handshake are paused until the caller listens.
      socket.pause();
      setImmediate(() => socket.resume());
      resolve(socket);
    });
    socket.once("error", reject);
  });

const link = { connect, clock: systemClock, random: () => 0.5 };

/** A simulated world that starts at the given time and advances on request. */
async function aWorld(startsAt: string) {
  const world = await aSteppedEndpoint(Date.parse(startsAt));
  onTestFinished(() => world.endpoint.stop());
  return world;
}

test("the live socket reports a trade with the values that the feed lists a moment later", async () => {
  const { endpoint, time } = await aWorld("2026-11-18T20:04:00Z");
  const received: RtdsTrade[] = [];
  const callbacks = { onQuarantined: vi.fn(), onState: vi.fn() };
  const socket = openTradesSocket({
    ...link,
    ...callbacks,
    url: endpoint.tradesSocketUrl,
    onTrade: (trade) => received.push(trade),
  });
  socket.start();
  // Each attempt lets a quarter of a second pass: the subscription arrives at some time.
  const receive = () => {
    time.advance(250);
    expect(received.length).toBeGreaterThan(0);
  };
  await vi.waitFor(receive, { timeout: 10_000, interval: 10 });
  socket.stop();
  expect(callbacks.onQuarantined).not.toHaveBeenCalled();
  expect(callbacks.onState.mock.calls.map(([state]) => state.kind)).toEqual(["connecting", "live", "stopped"]);
  const [trade] = received;
  const { provider } = providerAt(endpoint);
  const inFeed = {
    trader: expect.objectContaining({ address: trade?.wallet }),
    market: expect.objectContaining({ conditionId: trade?.conditionId }),
    tokenId: trade?.tokenId,
    side: trade?.side,
    sharesMicro: trade?.sharesMicro,
    usdMicro: trade?.usdMicro,
    txHash: trade?.txHash,
  };
  time.advance(15_000);
  expect((await provider.listTrades("all", null)).rows).toContainEqual(expect.objectContaining(inFeed));
});

test("the sports socket names games by the ids of their open markets", async () => {
  const { endpoint } = await aWorld("2026-11-19T02:30:00Z");
  const games: ProviderScoreFrame[] = [];
  const callbacks = { onQuarantined: vi.fn(), onState: vi.fn() };
  const socket = openSportsSocket({
    ...link,
    ...callbacks,
    url: endpoint.sportsSocketUrl,
    onGame: (game) => games.push(game),
  });
  socket.start();
  await vi.waitFor(() => expect(games.length).toBeGreaterThan(0), { timeout: 10_000, interval: 10 });
  socket.stop();
  expect(callbacks.onQuarantined).not.toHaveBeenCalled();
  const inPlay = games.filter((game) => game.live === true);
  const { provider } = providerAt(endpoint);
  const open = await walk((cursor) => provider.listMarkets("open", cursor));
  expect(inPlay.length).toBeGreaterThan(0);
  expect(open.rows.map((market) => market.gameId)).toEqual(expect.arrayContaining(inPlay.map((game) => game.gameId)));
});
