import { expect, onTestFinished, test } from "vitest";
import { startProviderEndpoint } from "../../../scripts/provider/index.ts";
import { startRelay } from "../../../scripts/relay/relay-server.ts";
import { startBareWorkerd } from "../../support/webhooks/bare-workerd.ts";

/** Answers with a page of the trade feed and the first text of the score socket, both read through a relay. */
const WORKER = `
import { openProvider } from "./src/providers/polymarket/open-provider.ts";
import { connectFromWorker } from "./src/providers/polymarket/sockets/connect-from-worker.ts";

export default {
  async fetch(request) {
    if (request.method === "GET") return new Response();
    const config = await request.json();
    const { rows } = await openProvider(config).listTrades("takers", null);
    try {
      const socket = await connectFromWorker(config)(config.sportsSocketUrl);
      const text = await new Promise((resolve) => socket.addEventListener("message", ({ data }) => resolve(data)));
      socket.close();
      return Response.json({ rows: rows.length, text });
    } catch (error) {
      return Response.json({ rows: rows.length, failed: String(error) });
    }
  },
};`;

const TOKEN = "a-relay-token-of-32-characters-or-more";

async function open(allowsSockets: boolean) {
  const log = { error: () => undefined };
  const endpoint = await startProviderEndpoint({ source: { kind: "simulate", seed: 7 }, log });
  onTestFinished(() => endpoint.stop());
  const { host, port } = new URL(endpoint.dataUrl);
  const settings = {
    token: TOKEN,
    allowedHosts: [host],
    timeoutMs: 9_000,
    bind: "127.0.0.1",
    port: 0,
    recording: null,
  };
  const relay = await startRelay(settings);
  onTestFinished(() => relay.stop());
  const { gammaUrl, dataUrl, clobUrl } = endpoint;
  const sportsSocketUrl = allowsSockets ? endpoint.sportsSocketUrl : `ws://localhost:${port}/sports`;
  return { gammaUrl, dataUrl, clobUrl, sportsSocketUrl, relay: { url: relay.url, token: TOKEN } };
}

const ask = async (worker: string, config: object): Promise<unknown> =>
  (await fetch(worker, { method: "POST", body: JSON.stringify(config) })).json();

test("workerd reads the provider and its score socket through a relay", async () => {
  const worker = await startBareWorkerd(WORKER, ["local", "public"]);
  expect(await ask(worker, await open(true))).toEqual({ rows: 1_000, text: "ping" });
});

test("workerd opens no socket to a host that the relay refuses", async () => {
  const worker = await startBareWorkerd(WORKER, ["local", "public"]);
  expect(await ask(worker, await open(false))).toEqual({
    rows: expect.any(Number),
    failed: "Error: the response has no WebSocket: status 403",
  });
});
