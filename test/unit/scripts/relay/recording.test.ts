import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openRecording } from "../../../../scripts/relay/recording/open-recording.ts";
import { startRelay, type Recording } from "../../../../scripts/relay/relay-server.ts";
import type { ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import { providerAt } from "../../providers/polymarket/provider-at-endpoint.ts";
import {
  CONDITION,
  anEndpoint,
  aReplay,
  aV1Activity,
  aV1Trade,
  getJson,
  trades,
  walk,
  WALLET,
} from "../provider/provider-recordings.ts";

const TOKEN = "a-relay-token-of-32-characters-or-more";
const NOW = () => new Date("2026-11-27T12:00:00Z");

function aDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "relayed-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

function aRecordingIn(dir: string): { recording: Recording; failures: string[] } {
  const failures: string[] = [];
  const recording = openRecording(dir, NOW, ({ pathname }, error) => failures.push(`${pathname} ${String(error)}`));
  return { recording, failures };
}

/** The provider's routes behind a relay that records. The endpoint may change; its address may not. */
async function relayed(endpoint: ProviderEndpoint, recording: Recording) {
  const allowedHosts = [endpoint.dataUrl, endpoint.gammaUrl].map((url) => new URL(url).host);
  const settings = { token: TOKEN, allowedHosts, timeoutMs: 5_000, bind: "127.0.0.1", port: 0, recording };
  const relay = await startRelay(settings);
  onTestFinished(() => relay.stop());
  return { ...providerAt(endpoint, { url: relay.url, token: TOKEN }), stop: () => relay.stop() };
}

const replayOf = (dir: string) => anEndpoint({ kind: "replay", dir, speed: "max" });

const rowsIn = (dir: string, kind: string): Record<string, unknown>[] =>
  readFileSync(join(dir, kind, "2026-11-27.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const url = (query: string) => new URL(`https://data.example.test/v2/trades?taker_only=true&limit=2${query}`);

const aRow = (fields: Record<string, unknown> = {}) => {
  const { proxyWallet, asset, conditionId, eventSlug, outcomeIndex, profileImage, transactionHash, ...same } =
    aV1Trade(1);
  const renamed = { proxy_wallet: proxyWallet, token_id: asset, condition_id: conditionId, event_slug: eventSlug };
  const rest = { outcome_index: outcomeIndex, profile_image: profileImage, transaction_hash: transactionHash };
  return { ...same, ...renamed, ...rest, ...fields };
};

const aPage = (rows: readonly unknown[], next: string | null = null) =>
  JSON.stringify({ data: rows, pagination: { next_cursor: next } });

describe("a recording", () => {
  test("replays the trades that the client read through the relay", async () => {
    const endpoint = await aReplay({
      "t.ndjson": [...trades(6), aV1Trade(6), aV1Trade(3, { proxyWallet: `0x${"0".repeat(38)}c3` })],
      "a.ndjson": [aV1Activity(9, { type: "SPLIT", side: "", asset: "" }), aV1Activity(7)],
    });
    const dir = aDirectory();
    const { recording, failures } = aRecordingIn(dir);
    const { provider, stop } = await relayed(endpoint, recording);
    for (const feed of ["takers", "all"] as const) await provider.listTrades(feed, null);
    await provider.listTrades("takers", null);
    await provider.listActivity(WALLET, null, null);
    await stop();
    expect(failures).toEqual([]);
    const replay = await replayOf(dir);
    for (const query of ["/v2/trades?limit=500&taker_only=true", "/v2/trades?limit=500&taker_only=false"])
      expect([query, await walk(`${replay.dataUrl}${query}`)]).toEqual([
        query,
        await walk(`${endpoint.dataUrl}${query}`),
      ]);
    const activity = `/v2/activity?user=${WALLET}&limit=500`;
    expect(await walk(`${replay.dataUrl}${activity}`)).toEqual(await walk(`${endpoint.dataUrl}${activity}`));
  });

  test("has equal fills of one walk as often as they are, also across pages and after a restart", async () => {
    const dir = aDirectory();
    const other = aRow({ transaction_hash: `0x${"9".repeat(64)}` });
    for (const start of [1, 2]) {
      const { recording, failures } = aRecordingIn(dir);
      for (let poll = 0; poll < 3; poll += 1) {
        recording.record(url(""), aPage([aRow(), aRow()], `walk-${start}-${poll}`));
        recording.record(url(`&cursor=walk-${start}-${poll}`), aPage([aRow({ name: `name ${poll}` }), other]));
      }
      await recording.close();
      expect(failures).toEqual([]);
      expect(rowsIn(dir, "trades-of-takers")).toHaveLength(4 * start);
    }
    const replay = await replayOf(dir);
    const { body } = await getJson(`${replay.dataUrl}/v2/trades?limit=500&taker_only=true`);
    expect(body.data).toHaveLength(4);
  });

  test("has a market when it was first seen and when it ended, and no change of its prices", async () => {
    const dir = aDirectory();
    const { recording, failures } = aRecordingIn(dir);
    const gamma = new URL("https://gamma.example.test/markets/keyset?limit=2");
    const market = {
      ...{ id: "1", question: "Will it rain?", conditionId: CONDITION, slug: "will-it-rain", closed: false },
      ...{ outcomes: '["Yes", "No"]', clobTokenIds: '["111", "112"]', outcomePrices: '["0.5", "0.5"]' },
    };
    const states = [
      market,
      { ...market, outcomePrices: '["0.6", "0.4"]' },
      { ...market, closed: true, umaResolutionStatus: "resolved", outcomePrices: '["1", "0"]' },
    ];
    for (const state of states) recording.record(gamma, JSON.stringify({ markets: [state], next_cursor: null }));
    await recording.close();
    expect(failures).toEqual([]);
    expect(rowsIn(dir, "markets")).toEqual([states[0], states[2]]);
  });

  test("keeps rows that it does not understand apart, and reports a response that it cannot read", async () => {
    const dir = aDirectory();
    const { recording, failures } = aRecordingIn(dir);
    recording.record(url(""), aPage([aRow(), { odd: 1 }]));
    recording.record(url(""), "{");
    recording.record(new URL("https://data.example.test/v2/value"), "{}");
    const game = { id: "1", slug: "nba-lal-bos", closed: false };
    const events = new URL("https://gamma.example.test/events/keyset");
    recording.record(events, JSON.stringify({ events: [game, { id: 2 }] }));
    await recording.close();
    expect(rowsIn(dir, "trades-of-takers")).toEqual([{ ...aRow(), taker_only: true, ordinal: 0 }]);
    expect(rowsIn(dir, "trades-of-takers-unread")).toEqual([{ odd: 1 }]);
    expect(failures).toEqual([
      expect.stringContaining("/v2/trades SyntaxError"),
      "/events/keyset Error: 1 objects have an unknown shape",
    ]);
    expect(readdirSync(dir).toSorted()).toEqual(["trades-of-takers", "trades-of-takers-unread"]);
  });

  test("has fills at the next poll that could not be stored at the first", async () => {
    const dir = aDirectory();
    const { recording, failures } = aRecordingIn(dir);
    writeFileSync(join(dir, "trades-of-takers"), "in the way");
    recording.record(url(""), aPage([aRow()]));
    await vi.waitFor(() => expect(failures).toHaveLength(1));
    rmSync(join(dir, "trades-of-takers"));
    recording.record(url(""), aPage([aRow()]));
    await recording.close();
    expect(rowsIn(dir, "trades-of-takers")).toHaveLength(1);
  });
});
