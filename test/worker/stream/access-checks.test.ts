/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi, type MockInstance } from "vitest";
import { UserMeter } from "../../../durable-objects/user-meter/user-meter.ts";
import type { Env } from "../../../src/env.ts";
import { DurableObjectEventStream } from "../../../src/platform/objects/durable-object-event-stream.ts";
import { ACCESS_CHECKED_HEADER, SUBSCRIPTION_HEADER } from "../../../src/stream/stream-messages.ts";
import {
  countOpen,
  passStreamTime,
  runShardAlarm,
  shardOfAccount,
  theShard,
} from "../../support/stream/open-stream.ts";
import type { StreamReader } from "../../support/stream/stream-reader.ts";
import { aKnownKey, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

const { STREAM_FANOUT } = env as Env;
let api: StreamApi;
let checksOfAll: MockInstance<UserMeter["authorizeAll"]>;
let random: MockInstance<() => number>;
let singleChecks: MockInstance<UserMeter["authorize"]>;

beforeAll(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  api = await openStreamApi();
});

beforeEach(() => {
  checksOfAll = vi.spyOn(UserMeter.prototype, "authorizeAll");
  singleChecks = vi.spyOn(UserMeter.prototype, "authorize");
  random = vi.spyOn(Math, "random").mockReturnValue(0.5);
});

afterEach(() => {
  vi.useRealTimers();
  checksOfAll.mockRestore();
  singleChecks.mockRestore();
  random.mockRestore();
});

/** Opens streams; from then on only `passStreamTime` lets time pass. Their first check is due after 15 seconds. */
async function openStreams(key: string, count = 1, of: StreamApi = api): Promise<StreamReader[]> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  const streams = await Promise.all(Array.from({ length: count }, () => of.openStream(key)));
  checksOfAll.mockClear();
  singleChecks.mockClear();
  return streams;
}

async function openOneStream(key: string, of?: StreamApi): Promise<StreamReader> {
  const [stream] = await openStreams(key, 1, of);
  if (stream === undefined) throw new Error("no stream was opened");
  return stream;
}

/** Revokes a key as its owner does. */
async function revoke(accountId: number, keyId: number): Promise<void> {
  const { rows } = await api.database.db.execute(
    sql`update api_keys set revoked_at = now() where id = ${keyId} returning key_hash`,
  );
  await api.runtime.meter.refuse(accountId, [String(rows[0]?.["key_hash"])]);
}

const accountsOf = (): (number | undefined)[] =>
  checksOfAll.mock.calls.map(([calls]) => calls[0]?.credential.accountId);

test("five connections of an account cost one call to its meter in 30 seconds, and none by their Workers", async () => {
  const { key, accountId } = await aKnownKey(api.database);
  const streams = await openStreams(key, 5);
  await passStreamTime(api.database, accountId, 120);
  expect(accountsOf()).toEqual([accountId, accountId, accountId, accountId]);
  // All five have one credential.
  expect(checksOfAll.mock.calls.map(([calls]) => calls.length)).toEqual([1, 1, 1, 1]);
  expect(singleChecks).not.toHaveBeenCalled();
  expect(streams.map(({ isEnded }) => isEnded)).toEqual(Array<boolean>(5).fill(false));
  for (const stream of streams) await stream.stop();
});

test("a refusal is found after the shard was evicted, without a call too many", async () => {
  const { key, keyId, accountId } = await aKnownKey(api.database);
  const stream = await openOneStream(key);
  await passStreamTime(api.database, accountId, 30);
  expect(accountsOf()).toEqual([accountId]);
  await evictDurableObject(theShard(await shardOfAccount(accountId)));
  await passStreamTime(api.database, accountId, 10);
  expect(accountsOf()).toEqual([accountId]);
  await revoke(accountId, keyId);
  await passStreamTime(api.database, accountId, 40);
  await stream.until(({ isEnded }) => isEnded);
  expect(stream.frames.at(-1)?.data).toMatchObject({ error: { code: "invalid_api_key" }, retry: false });
});

test("the alarm of a shard is set for the next check, also when the one before was lost", async () => {
  const { key, accountId } = await aKnownKey(api.database);
  const shard = theShard(await shardOfAccount(accountId));
  const alarm = () => runInDurableObject(shard, (_instance, { storage }) => storage.getAlarm());
  const stream = await api.openStream(key);
  expect(await alarm()).toBeLessThanOrEqual(Date.now() + 30_000);
  await runInDurableObject(shard, (_instance, { storage }) => storage.deleteAlarm());
  const { frames, listeners } = { frames: [], listeners: await countOpen(accountId) };
  expect(listeners).toBe(1);
  await shard.push({ after: 0, to: 0, frames, isHeartbeat: true });
  expect(await alarm()).toBeLessThanOrEqual(Date.now() + 30_000);
  await stream.stop();
});

describe("a meter that cannot be asked", () => {
  test("a stream goes on for 90 seconds, ends with a retryable error, and its key can connect again", async () => {
    const { key, accountId } = await aKnownKey(api.database);
    const stream = await openOneStream(key);
    await passStreamTime(api.database, accountId, 30);
    for (const spy of [checksOfAll, singleChecks]) spy.mockRejectedValue(new Error("the meter is away"));
    await passStreamTime(api.database, accountId, 60);
    expect(stream.isEnded).toBe(false);
    await passStreamTime(api.database, accountId, 40);
    await stream.until(({ isEnded }) => isEnded);
    expect(stream.frames).toMatchObject([
      {
        event: "error",
        data: {
          error: { code: "rate_limit_unavailable", reason: "database_unavailable", retry_at: expect.any(String) },
          retry: true,
        },
      },
    ]);
    for (const spy of [checksOfAll, singleChecks]) spy.mockRestore();
    const again = await api.openStream(key);
    await again.stop();
  });

  test("a stream goes on when its meter responds again, which is asked every ten seconds", async () => {
    const { key, accountId } = await aKnownKey(api.database);
    const stream = await openOneStream(key);
    await passStreamTime(api.database, accountId, 30);
    const before = accountsOf().length;
    for (const spy of [checksOfAll, singleChecks]) spy.mockRejectedValue(new Error("the meter is away"));
    await passStreamTime(api.database, accountId, 60);
    expect(accountsOf().length - before).toBeGreaterThanOrEqual(3);
    for (const spy of [checksOfAll, singleChecks]) spy.mockRestore();
    await passStreamTime(api.database, accountId, 100);
    expect(stream.isEnded).toBe(false);
    await stream.stop();
  });
});

describe("objects of two releases", () => {
  test("a meter of the previous release is asked about each credential by itself", async () => {
    const { key, keyId, accountId } = await aKnownKey(api.database);
    const stream = await openOneStream(key);
    checksOfAll.mockRestore();
    const { authorizeAll } = UserMeter.prototype;
    Reflect.deleteProperty(UserMeter.prototype, "authorizeAll");
    try {
      await passStreamTime(api.database, accountId, 120);
      expect(singleChecks.mock.calls.length).toBe(4);
      expect(stream.isEnded).toBe(false);
      await revoke(accountId, keyId);
      await passStreamTime(api.database, accountId, 40);
      await stream.until(({ isEnded }) => isEnded);
    } finally {
      UserMeter.prototype.authorizeAll = authorizeAll;
    }
    expect(stream.frames.at(-1)?.data).toMatchObject({ error: { code: "invalid_api_key" }, retry: false });
  });

  test("a Worker whose shard is of the previous release checks by itself", async () => {
    // Such a shard does not read `access` and does not confirm it.
    const shards = {
      idFromName: (name: string) => STREAM_FANOUT.idFromName(name),
      get: (id: DurableObjectId) => ({
        fetch: (url: string, { headers }: { headers: Record<string, string> }) => {
          const { access, ...subscription } = JSON.parse(decodeURIComponent(headers[SUBSCRIPTION_HEADER] ?? ""));
          expect(access).toMatchObject({ requirement: { scope: "read", plan: "pro" } });
          const sent = encodeURIComponent(JSON.stringify(subscription));
          return STREAM_FANOUT.get(id).fetch(url, { headers: { ...headers, [SUBSCRIPTION_HEADER]: sent } });
        },
      }),
    };
    const port = new DurableObjectEventStream(
      shards as unknown as ConstructorParameters<typeof DurableObjectEventStream>[0],
      api.runtime.config,
    );
    const withPrevious = await openStreamApi(port);
    const { key, accountId } = await aKnownKey(withPrevious.database);
    const stream = await openOneStream(key, withPrevious);
    await passStreamTime(withPrevious.database, accountId, 60);
    expect(singleChecks).toHaveBeenCalledTimes(2);
    expect(checksOfAll).not.toHaveBeenCalled();
    await withPrevious.database.db.execute(sql`update accounts set state = 'locked' where id = ${accountId}`);
    await withPrevious.runtime.meter.forget(accountId);
    await passStreamTime(withPrevious.database, accountId, 40);
    await stream.until(({ isEnded }) => isEnded);
    expect(stream.frames.at(-1)?.data).toMatchObject({ error: { code: "account_locked" }, retry: false });
  });

  test("a shard does not check a connection whose Worker is of the previous release", async () => {
    const { accountId } = await aKnownKey(api.database);
    const shard = await shardOfAccount(accountId);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const filter = { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null };
    const subscription = { connection: "previous", keyId: 1, accountId, shard, cursor: null, filter };
    const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
    const response = await theShard(shard).fetch("http://shard/", { headers });
    expect([response.status, response.headers.get(ACCESS_CHECKED_HEADER)]).toEqual([101, null]);
    response.webSocket?.accept();
    for (let run = 0; run < 12; run++) {
      vi.advanceTimersByTime(5_000);
      await runShardAlarm(api.database, accountId);
    }
    expect(accountsOf()).not.toContain(accountId);
    expect(await countOpen(accountId)).toBe(1);
    response.webSocket?.close();
  });
});
