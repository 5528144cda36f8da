import { expect, test, vi } from "vitest";
import { FakeTime } from "../../../support/providers/fake-time.ts";
import { connectSocket, subscribe } from "../../../support/providers/socket-client.ts";
import { anEndpoint, aRecording, aReplay, getJson, trades } from "./provider-recordings.ts";

test("the sports socket pushes every game and sends pings as text", async () => {
  const frame = {
    gameId: 42,
    leagueAbbreviation: "nfl",
    homeTeam: "LAC",
    awayTeam: "BUF",
    status: "InProgress",
    score: "3-16",
    period: "Q4",
    live: true,
    ended: false,
  };
  const { sportsSocketUrl } = await aReplay({ "frames.json": [frame] });
  const { texts, frames } = await connectSocket(sportsSocketUrl);
  await vi.waitFor(() => expect(texts).toContain("ping"), { interval: 2 });
  await vi.waitFor(() => expect(frames()).toEqual([frame]), { interval: 2 });
});

test("a replay at a speed lists and pushes records when their time comes", async () => {
  const dir = await aRecording({ "t.ndjson": trades(60) });
  const time = new FakeTime();
  const { dataUrl, tradesSocketUrl } = await anEndpoint({ kind: "replay", dir, speed: 12 }, [], time);
  const count = async () => (await getJson(`${dataUrl}/v2/trades?limit=100`)).body.data.length;
  const client = await connectSocket(tradesSocketUrl);
  client.send(subscribe("trades"));
  await client.sync();
  expect(await count()).toBe(1);
  time.advance(2_500);
  expect(await count()).toBe(31);
  // The last of the 60 records, one per second, is 59 seconds after the first.
  time.advance(2_416);
  expect(await count()).toBe(59);
  time.advance(84);
  expect(await count()).toBe(60);
  await client.sync();
  expect(client.frames().length).toBe(59);
});
