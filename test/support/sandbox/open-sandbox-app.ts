import { createApp } from "../../../src/app.ts";
import { parseConfig } from "../../../src/config.ts";
import type { Env } from "../../../src/env.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { IpBudget } from "../../../src/platform/rate-limit/ip-budget.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { TEST_VARIABLES } from "../api/test-variables.ts";
import { UNLIMITED } from "../api/unlimited.ts";

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when it is not JSON. */
  readonly body: any;
}

export interface SandboxApp {
  /** Sends a request to a path of the sandbox. */
  send(path: string, init?: RequestInit): Promise<SandboxResponse>;
  /** The whole app, for requests to other origins. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** The ports of the runtime that requests have touched, without configuration and the IP budget. */
  readonly touched: string[];
}

/** The app over a runtime whose every port fails: any read or write is noticed. */
export function openSandboxApp(
  overrides: Record<string, string> = {},
  ipBudget: IpBudget = UNLIMITED.ipBudget,
  bindings: Pick<Env, "ASSETS"> = {},
): SandboxApp {
  const config = parseConfig({ ...TEST_VARIABLES, ...overrides });
  const touched: string[] = [];
  const given: Partial<Runtime> = { config, ipBudget, metrics: UNLIMITED.metrics };
  const runtime = new Proxy(given, {
    get(target, name) {
      if (name in target) return target[name as keyof Runtime];
      touched.push(String(name));
      throw new Error(`the sandbox has no ${String(name)}`);
    },
  }) as Runtime;
  const app = createApp(runtime, OPERATIONS);
  const context = {
    waitUntil: () => void touched.push("waitUntil"),
    passThroughOnException: () => undefined,
    props: {},
  };
  const fetchApp = async (url: string, init?: RequestInit) => app.fetch(new Request(url, init), bindings, context);
  return {
    touched,
    fetch: fetchApp,
    async send(path, init) {
      const response = await fetchApp(`${config.sandboxBaseUrl}${path}`, init);
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
    },
  };
}
