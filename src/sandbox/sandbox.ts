import type { Operation } from "../api/operation.ts";
import type { Config } from "../config.ts";
import { onceSettled } from "../lib/memo-settled.ts";
import { openRoutes } from "./find-route.ts";
import { handleSandboxRequest, type SandboxExchange } from "./handle-sandbox-request.ts";
import { parseSamples } from "./samples.ts";
import { sandboxPath } from "./sandbox-path.ts";
import { openSandboxDocument } from "./sandbox-document.ts";

/** The generated texts, each loaded by the first request that needs it. */
export interface SandboxSources {
  samples(): Promise<string>;
  apiDocument(): Promise<string>;
}

export type Sandbox = (exchange: SandboxExchange) => Promise<Response>;

export function openSandbox(config: Config, operations: readonly Operation[], sources: SandboxSources): Sandbox {
  const presentDocument = openSandboxDocument(() => sources.apiDocument(), config.sandboxBaseUrl);
  const open = onceSettled(async () => ({
    samples: await parseSamples(await sources.samples(), config),
    findRoute: openRoutes(operations.map((operation) => placeSuccessor(operation, sandboxPath(config)))),
  }));
  return async (exchange) => handleSandboxRequest(exchange, { config, presentDocument, ...(await open()) });
}

/** A deprecated path names its successor in the sandbox, not in the API on the same host. */
function placeSuccessor(operation: Operation, prefix: string): Operation {
  const { alias } = operation;
  if (alias === undefined) return operation;
  // Spreading a member of the union keeps its kind, which TypeScript cannot follow.
  return { ...operation, alias: { ...alias, successor: `${prefix}${alias.successor}` } } as Operation;
}

/**
 * A test for URLs of the sandbox. The scheme is not compared, so that a request without TLS never reaches the live API.
 */
export function sandboxTest(config: Pick<Config, "sandboxBaseUrl">): (url: URL) => boolean {
  const { host } = new URL(config.sandboxBaseUrl);
  const prefix = sandboxPath(config);
  return (url) => url.host === host && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
}
