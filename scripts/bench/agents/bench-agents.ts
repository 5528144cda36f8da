import type { BenchServices } from "../bench-services.ts";
import { bundleFloor, type Bundle } from "../bundles.ts";
import { measureLatency, measureLoad, median } from "../reads/measure-load.ts";
import { startReadWorkers } from "../reads/read-workers.ts";

const CONNECTIONS = 16;
const JSON_TYPE = { "content-type": "application/json" };
/** An estimate for JSON: the tokenizers of language models have 3 to 4 bytes of JSON in a token. */
const BYTES_PER_TOKEN = 4;

interface Target {
  readonly name: string;
  readonly path: string;
  /** The JSON of a POST; null for a GET. */
  readonly body: string | null;
  /** The host that the request names; that of its address when absent. */
  readonly host?: string;
}

const rpc = (method: string, params: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

const REST: Target = { name: "GET /api/v1/large-trades", path: "/api/v1/large-trades", body: null };
const MCP: Target = {
  name: "tools/call get_large_trades",
  path: "/api/v1/mcp",
  body: rpc("tools/call", { name: "get_large_trades", arguments: {} }),
};
const SANDBOX: Target = {
  name: "sandbox GET /api/v1/large-trades",
  path: "/api/v1/large-trades",
  body: null,
  host: "sandbox.bench",
};

/**
 * What agents use, on workerd. Aim: a tool call takes at most 1.2 times the same REST read. Both take turns, so that a
 * slower machine slows both.
 */
export async function benchAgents(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  isSmall: boolean,
): Promise<void> {
  const workers = await startReadWorkers(product, await bundleFloor(), {
    ...variables,
    SANDBOX_BASE_URL: `http://${SANDBOX.host}`,
  });
  try {
    await printSizes(workers.product);
    await compareLatency(workers.product, services.callers, isSmall ? 200 : 4_000);
    await compareLoad(workers.product, services.callers, isSmall ? 1 : 3, isSmall ? 1 : 5);
  } finally {
    await workers.stop();
  }
}

async function send(base: string, { path, body }: Target, caller: Record<string, string>): Promise<string> {
  const response = await fetch(`${base}${path}`, {
    method: body === null ? "GET" : "POST",
    headers: body === null ? caller : { ...caller, ...JSON_TYPE },
    body,
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true'))
    throw new Error(`${path} responded with ${response.status}: ${text}`);
  return text;
}

async function compareLatency(base: string, callers: BenchServices["callers"], requests: number): Promise<void> {
  const times = { rest: [] as number[], mcp: [] as number[] };
  for (let turn = 0; turn < requests; turn += 1) {
    // Each caller sends one of each, first the one, then the other: the first of them also opens its budget object.
    const caller = callers[Math.floor(turn / 2) % callers.length] ?? {};
    const isRest = turn % 4 === 0 || turn % 4 === 3;
    const start = performance.now();
    await send(base, isRest ? REST : MCP, caller);
    times[isRest ? "rest" : "mcp"].push(performance.now() - start);
  }
  const [rest, mcp] = [median(times.rest), median(times.mcp)];
  console.log(
    `concurrency 1: ${MCP.name} p50 ${mcp.toFixed(2)} ms, ${REST.name} p50 ${rest.toFixed(2)} ms: ${(mcp / rest).toFixed(2)} times`,
  );
}

async function compareLoad(
  base: string,
  callers: BenchServices["callers"],
  rounds: number,
  seconds: number,
): Promise<void> {
  // Warms every caller's credential and creates its objects.
  await measureLatency(`${base}${REST.path}`, callers, { requests: callers.length, concurrency: CONNECTIONS });
  const targets = [REST, MCP, SANDBOX];
  const rates = targets.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { path, body, host }] of targets.entries()) {
      const named = host === undefined ? callers : callers.map((caller) => withSandboxHost(caller, host));
      const load = { url: `${base}${path}`, callers: named, connections: CONNECTIONS, seconds };
      const { requestsPerSecond, failed } = await measureLoad(body === null ? load : { ...load, body });
      if (failed > 0) throw new Error(`${failed} requests to ${path} failed`);
      rates[index]?.push(requestsPerSecond);
    }
  }
  const [rest = Number.NaN] = rates.map(median);
  for (const [index, { name }] of targets.entries()) {
    const rate = median(rates[index] ?? []);
    console.log(`${name}: ${Math.round(rate)} requests/s, ${(rest / rate).toFixed(2)} times the REST read`);
  }
}

/** Without the key: it is a live one, which the sandbox refuses. */
function withSandboxHost(
  { authorization: _, ...caller }: Record<string, string>,
  host: string,
): Record<string, string> {
  return { ...caller, host };
}

async function printSizes(base: string): Promise<void> {
  const text = await send(base, { name: "", path: "/api/v1/mcp", body: rpc("tools/list", {}) }, {});
  const { result } = JSON.parse(text) as { result: { tools: { outputSchema?: object }[] } };
  const withoutOutputs = JSON.stringify(result.tools.map(({ outputSchema: _, ...tool }) => tool));
  const describe = (json: string) => `${json.length} bytes, about ${Math.round(json.length / BYTES_PER_TOKEN)} tokens`;
  console.log(
    `tools/list: ${result.tools.length} tools, ${describe(text)}; what a model reads, without output schemas: ${describe(withoutOutputs)}`,
  );
}
