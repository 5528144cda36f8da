import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { placeServices, type DistantServices } from "../../../../scripts/bench/distance/distant-services.ts";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function aService(answer: string): Promise<string> {
  const server = createServer((_, response) => response.end(answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function variablesOf(): Promise<Record<string, string>> {
  const [postgres, redis, provider] = [await aService("postgres"), await aService("redis"), await aService("provider")];
  return {
    NEON_HTTP_ENDPOINT: `http://${postgres}/sql`,
    NEON_SOCKET_PROXY: `${postgres}/v2`,
    UPSTASH_REDIS_REST_URL: `http://${redis}`,
    PROVIDER_GAMMA_URL: `http://${provider}/gamma`,
    PROVIDER_DATA_URL: `http://${provider}/data`,
    PROVIDER_CLOB_URL: `http://${provider}/clob`,
    PROVIDER_TRADES_SOCKET_URL: `ws://${provider}/rtds`,
    PROVIDER_SPORTS_SOCKET_URL: `ws://${provider}/sports`,
    FEED_POLL_SECONDS: "10",
  };
}

async function place(variables: Record<string, string>, roundTripMs: number): Promise<DistantServices> {
  const services = await placeServices(variables, roundTripMs);
  stops.push(() => services.stop());
  return services;
}

test("each service answers a round trip later, under the same path", async () => {
  const variables = await variablesOf();
  const { variables: moved } = await place(variables, 40);
  for (const [name, answer] of [
    ["NEON_HTTP_ENDPOINT", "postgres"],
    ["UPSTASH_REDIS_REST_URL", "redis"],
    ["PROVIDER_DATA_URL", "provider"],
  ] as const) {
    const startedAt = performance.now();
    expect(await (await fetch(moved[name] ?? "")).text()).toBe(answer);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(39);
  }
  const paths = (given: Record<string, string>) => Object.values(given).map((text) => text.replace(/:\d+/, ""));
  expect(paths(moved)).toEqual(paths(variables));
  expect(moved["PROVIDER_CLOB_URL"]).not.toBe(variables["PROVIDER_CLOB_URL"]);
});

test("without a distance the variables are the same", async () => {
  const variables = await variablesOf();
  expect((await place(variables, 0)).variables).toEqual(variables);
});

test("a service that is missing or on another machine is an error", async () => {
  const variables = await variablesOf();
  const elsewhere = { ...variables, PROVIDER_CLOB_URL: "https://clob.test" };
  await expect(placeServices(elsewhere, 5)).rejects.toThrow("PROVIDER_CLOB_URL names no service on this machine");
});
