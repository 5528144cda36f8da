import { describe, expect, test } from "vitest";
import { ProviderRefused, ProviderUnavailable } from "../../../../../src/platform/provider.ts";
import { FAKE_START_MS } from "../../../../support/providers/fake-time.ts";
import { aTradeRow } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, dataPage, type NetworkStep } from "../../../../support/providers/scripted-provider.ts";

const GOOD = dataPage([aTradeRow()]);
const BROKEN_PAGE: NetworkStep = { json: { data: { rows: [] }, pagination: {} } };

describe("failed responses", () => {
  test.each<[string, NetworkStep]>([
    ["429", { status: 429, json: { code: "rate_limited" } }],
    ["503", { status: 503, json: {} }],
    ["500", { status: 500, text: "" }],
    ["a challenge page of the edge", { status: 403, text: "<html>" }],
    ["no connection", "unreachable"],
    ["garbage", { text: "<html>Just a moment</html>" }],
    ["a truncated body", { text: '{"data":[{"proxy_wallet":"0x' }],
    ["a body of another shape", BROKEN_PAGE],
    ["an error with status 200", { json: { error: "busy" } }],
    [
      "a page with more rows but without a cursor",
      { json: { data: [], pagination: { has_more: true, next_cursor: null } } },
    ],
  ])("a read that meets %s is retried", async (_, step) => {
    const { provider, sent, time } = aScriptedProvider(step, GOOD);
    expect((await provider.listTrades("all", null)).rows).toHaveLength(1);
    expect(sent).toHaveLength(2);
    expect(time.slept).toHaveLength(1);
  });
});

test("back-off doubles from about 400 ms, each with jitter between half and one and a half", async () => {
  const { provider, time } = aScriptedProvider("unreachable", "unreachable", "unreachable", GOOD);
  await provider.listTrades("all", null);
  const [first = 0, second = 0, third = 0] = time.slept;
  expect([first / 400, second / 800, third / 1600].every((factor) => factor >= 0.5 && factor < 1.5)).toBe(true);
});

test("after four attempts the provider is unavailable, and the error contains no payload", async () => {
  const { provider, sent } = aScriptedProvider(
    ...Array.from({ length: 4 }, (): NetworkStep => ({ text: "secret garbage" })),
  );
  const failure = await provider.listTrades("all", null).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderUnavailable);
  expect(failure).toMatchObject({ retryAfterMs: null });
  expect(String(failure)).not.toContain("secret");
  expect(sent).toHaveLength(4);
});

test("a broken page is never read as an empty page", async () => {
  const { provider } = aScriptedProvider(BROKEN_PAGE, BROKEN_PAGE, BROKEN_PAGE, BROKEN_PAGE);
  await expect(provider.listTrades("all", null)).rejects.toBeInstanceOf(ProviderUnavailable);
});

test("a documented miss is an empty page", async () => {
  const { provider } = aScriptedProvider({ json: { data: null, pagination: { has_more: false, next_cursor: null } } });
  expect(await provider.listTrades("all", null)).toEqual({ rows: [], quarantined: [], nextCursor: null });
});

describe("Retry-After", () => {
  const limited = (retryAfter: string): NetworkStep => ({
    status: 429,
    headers: { "retry-after": retryAfter },
    json: {},
  });

  test("a Retry-After of seconds is waited for exactly", async () => {
    const { provider, time } = aScriptedProvider(limited("7"), GOOD);
    await provider.listTrades("all", null);
    expect(time.slept).toEqual([7000]);
  });

  test("a Retry-After may be a date", async () => {
    const { provider, time } = aScriptedProvider(limited(new Date(FAKE_START_MS + 4000).toUTCString()), GOOD);
    await provider.listTrades("all", null);
    expect(time.slept).toEqual([4000]);
  });

  test("a Retry-After longer than a read may take is reported to the caller at once", async () => {
    const { provider, sent, time } = aScriptedProvider(limited("120"));
    await expect(provider.listTrades("all", null)).rejects.toMatchObject({
      name: "ProviderUnavailable",
      retryAfterMs: 120_000,
    });
    expect(sent).toHaveLength(1);
    expect(time.slept).toEqual([]);
  });

  test("a Retry-After also holds back other calls to the same host, but not to another", async () => {
    const { provider, sent, time } = aScriptedProvider(limited("120"), { json: [] });
    await provider.listTrades("all", null).catch(() => undefined);
    time.advance(20_000);
    await expect(provider.listActivity("0x", null, null)).rejects.toMatchObject({
      name: "ProviderUnavailable",
      retryAfterMs: 100_000,
    });
    expect(sent).toHaveLength(1);
    await provider.findBooks(["1001"]);
    expect(sent[1]?.url.host).toBe("clob.test");
  });

  test.each([
    ["seconds", "999999"],
    ["a date", new Date(FAKE_START_MS + 11 * 86_400_000).toUTCString()],
  ])("a Retry-After of days, in %s, holds back calls to its host for a quarter of an hour", async (_, retryAfter) => {
    const { provider, sent, time } = aScriptedProvider(limited(retryAfter), GOOD);
    await expect(provider.listTrades("all", null)).rejects.toMatchObject({
      name: "ProviderUnavailable",
      retryAfterMs: 900_000,
    });
    time.advance(870_000);
    await expect(provider.listTrades("all", null)).rejects.toMatchObject({
      name: "ProviderUnavailable",
      retryAfterMs: 30_000,
    });
    expect(sent).toHaveLength(1);
    time.advance(30_000);
    expect((await provider.listTrades("all", null)).rows).toHaveLength(1);
  });
});

test.each([400, 404, 405, 422])("a response of status %i is a refusal without a retry", async (status) => {
  const { provider, sent } = aScriptedProvider({
    status,
    json: { error: "cursor is not valid", code: "invalid_request" },
  });
  const failure = await provider.listTrades("all", "stale").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderRefused);
  expect(String(failure)).toContain("cursor is not valid");
  expect(sent).toHaveLength(1);
});

test("an attempt without a response is abandoned after ten seconds, and the read after twenty-five", async () => {
  const { provider, sent, time } = aScriptedProvider("silent", "silent", "silent");
  const startedAt = time.now();
  const reading = provider.listTrades("all", null).catch((error: unknown) => error);
  for (let step = 0; step < 200 && sent.length < 3; step++) {
    await Promise.resolve();
    if (time.pending > 0) time.advance(1000);
  }
  time.advance(10_000);
  const failure = await reading;
  expect(failure).toBeInstanceOf(ProviderUnavailable);
  expect(String(failure)).toMatch(/no response within/);
  expect(sent).toHaveLength(3);
  expect(time.now() - startedAt).toBeLessThan(40_000);
  expect(time.pending).toBe(0);
});

test("a cursor that leads to itself is requested again and then abandoned", async () => {
  const loop = dataPage([aTradeRow()], "b");
  const transient = aScriptedProvider(loop, dataPage([], "c"));
  expect((await transient.provider.listTrades("all", "b")).nextCursor).toBe("c");
  const persistent = aScriptedProvider(loop, loop, loop, loop);
  await expect(persistent.provider.listTrades("all", "b")).rejects.toBeInstanceOf(ProviderUnavailable);
});
