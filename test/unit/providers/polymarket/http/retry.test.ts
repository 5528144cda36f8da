import { describe, expect, test } from "vitest";
import { ProviderRefused, ProviderUnavailable } from "../../../../../src/ports/provider.ts";
import { FAKE_START_MS } from "../../../../support/providers/fake-time.ts";
import { aTradeRow } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, page, type Step } from "../../../../support/providers/scripted-provider.ts";

const GOOD = page([aTradeRow()]);
const BROKEN_PAGE: Step = { json: { data: { rows: [] }, pagination: {} } };

describe("an answer that fails costs another attempt", () => {
  test.each<[string, Step]>([
    ["429", { status: 429, json: { code: "rate_limited" } }],
    ["503", { status: 503, json: {} }],
    ["500", { status: 500, text: "" }],
    ["a challenge of the edge", { status: 403, text: "<html>" }],
    ["no connection", "unreachable"],
    ["garbage", { text: "<html>Just a moment</html>" }],
    ["half a body", { text: '{"data":[{"proxy_wallet":"0x' }],
    ["another shape", BROKEN_PAGE],
    ["an error told with status 200", { json: { error: "busy" } }],
    ["more rows without a cursor to them", { json: { data: [], pagination: { has_more: true, next_cursor: null } } }],
  ])("%s", async (_, step) => {
    const { provider, sent, time } = aScriptedProvider(step, GOOD);
    expect((await provider.listTrades("all", null)).rows).toHaveLength(1);
    expect(sent).toHaveLength(2);
    expect(time.slept).toHaveLength(1);
  });
});

test("rests double from about 400 ms, each with jitter of half to one and a half", async () => {
  const { provider, time } = aScriptedProvider("unreachable", "unreachable", "unreachable", GOOD);
  await provider.listTrades("all", null);
  const [first = 0, second = 0, third = 0] = time.slept;
  expect([first / 400, second / 800, third / 1600].every((factor) => factor >= 0.5 && factor < 1.5)).toBe(true);
});

test("after four attempts the provider is unavailable, and the failure carries no payload", async () => {
  const { provider, sent } = aScriptedProvider(...Array.from({ length: 4 }, (): Step => ({ text: "secret garbage" })));
  const failure = await provider.listTrades("all", null).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderUnavailable);
  expect(failure).toMatchObject({ retryAfterMs: null });
  expect(String(failure)).not.toContain("secret");
  expect(sent).toHaveLength(4);
});

test("a broken page is never an empty page", async () => {
  const { provider } = aScriptedProvider(BROKEN_PAGE, BROKEN_PAGE, BROKEN_PAGE, BROKEN_PAGE);
  await expect(provider.listTrades("all", null)).rejects.toBeInstanceOf(ProviderUnavailable);
});

test("a documented miss is an empty page", async () => {
  const { provider } = aScriptedProvider({ json: { data: null, pagination: { has_more: false, next_cursor: null } } });
  expect(await provider.listTrades("all", null)).toEqual({ rows: [], misfits: [], nextCursor: null });
});

describe("Retry-After", () => {
  const limited = (retryAfter: string): Step => ({ status: 429, headers: { "retry-after": retryAfter }, json: {} });

  test("is waited out to the millisecond", async () => {
    const { provider, time } = aScriptedProvider(limited("7"), GOOD);
    await provider.listTrades("all", null);
    expect(time.slept).toEqual([7000]);
  });

  test("may be a date", async () => {
    const { provider, time } = aScriptedProvider(limited(new Date(FAKE_START_MS + 4000).toUTCString()), GOOD);
    await provider.listTrades("all", null);
    expect(time.slept).toEqual([4000]);
  });

  test("longer than a read may take is handed to the caller at once", async () => {
    const { provider, sent, time } = aScriptedProvider(limited("120"));
    await expect(provider.listTrades("all", null)).rejects.toMatchObject({ name: "ProviderUnavailable", retryAfterMs: 120_000 });
    expect(sent).toHaveLength(1);
    expect(time.slept).toEqual([]);
  });

  test("keeps every other call from that host too, but not from another", async () => {
    const { provider, sent, time } = aScriptedProvider(limited("120"), { json: [] });
    await provider.listTrades("all", null).catch(() => undefined);
    time.advance(20_000);
    await expect(provider.listActivity("0x", null, null)).rejects.toMatchObject({ name: "ProviderUnavailable", retryAfterMs: 100_000 });
    expect(sent).toHaveLength(1);
    await provider.findBooks(["1001"]);
    expect(sent[1]?.url.host).toBe("clob.test");
  });

  test.each([
    ["seconds", "999999"],
    ["a date", new Date(FAKE_START_MS + 11 * 86_400_000).toUTCString()],
  ])("of days, in %s, keeps calls from that host for a quarter of an hour", async (_, retryAfter) => {
    const { provider, sent, time } = aScriptedProvider(limited(retryAfter), GOOD);
    await expect(provider.listTrades("all", null)).rejects.toMatchObject({ name: "ProviderUnavailable", retryAfterMs: 900_000 });
    time.advance(870_000);
    await expect(provider.listTrades("all", null)).rejects.toMatchObject({ name: "ProviderUnavailable", retryAfterMs: 30_000 });
    expect(sent).toHaveLength(1);
    time.advance(30_000);
    expect((await provider.listTrades("all", null)).rows).toHaveLength(1);
  });
});

test.each([400, 404, 405, 422])("status %i is a refusal, asked once", async (status) => {
  const { provider, sent } = aScriptedProvider({ status, json: { error: "cursor is not valid", code: "invalid_request" } });
  const failure = await provider.listTrades("all", "stale").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderRefused);
  expect(String(failure)).toContain("cursor is not valid");
  expect(sent).toHaveLength(1);
});

test("an attempt without an answer is given up after ten seconds, and the read after twenty-five", async () => {
  const { provider, sent, time } = aScriptedProvider("silent", "silent", "silent");
  const startedAt = time.now();
  const reading = provider.listTrades("all", null).catch((error: unknown) => error);
  for (let turn = 0; turn < 200 && sent.length < 3; turn++) {
    await Promise.resolve();
    if (time.pending > 0) time.advance(1000);
  }
  time.advance(10_000);
  const failure = await reading;
  expect(failure).toBeInstanceOf(ProviderUnavailable);
  expect(String(failure)).toMatch(/no answer within/);
  expect(sent).toHaveLength(3);
  expect(time.now() - startedAt).toBeLessThan(40_000);
  expect(time.pending).toBe(0);
});

test("a cursor that leads to itself is asked for again, then given up", async () => {
  const loop = page([aTradeRow()], "b");
  const passing = aScriptedProvider(loop, page([], "c"));
  expect((await passing.provider.listTrades("all", "b")).nextCursor).toBe("c");
  const lasting = aScriptedProvider(loop, loop, loop, loop);
  await expect(lasting.provider.listTrades("all", "b")).rejects.toBeInstanceOf(ProviderUnavailable);
});
