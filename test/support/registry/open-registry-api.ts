import type { Operation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import { API_OPERATIONS, OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../database.ts";
import { aKey } from "../kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse, type Kernel } from "../kernel/open-kernel.ts";
import { aWorld, type World } from "../seed/world.ts";
import { registryRequestTo, type ValueOf } from "./registry-requests.ts";
import { readMatchedTrade, worldValues } from "./world-values.ts";

/** The running app over a database with a row of every kind, as client libraries use it. */
export interface RegistryApi {
  readonly api: Kernel;
  readonly db: Database;
  readonly world: World;
  /** Sends a request with everything the operation requires, plus `query`. */
  request(operation: Operation, query?: string, headers?: Record<string, string>): Promise<KernelResponse>;
  /** The same by operation id. @throws when the registry has no such operation */
  requestById(id: string, query?: string, headers?: Record<string, string>): Promise<KernelResponse>;
  post(path: string, value: unknown, headers?: Record<string, string>): Promise<KernelResponse>;
}

/** Optional names of which an operation still needs one. */
const offered: ValueOf = (name, { path }) => (name === "week" && path.endsWith("/weekly") ? "2026-47" : undefined);

export async function openRegistryApi(): Promise<RegistryApi> {
  const { databaseUrl, db } = await createTestDatabase();
  const world = await aWorld(db);
  const api = openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db, { plan: "max" }));
  const required = worldValues(world, await readMatchedTrade(world, api.send), "full");
  const post = (path: string, value: unknown, headers: Record<string, string> = {}) =>
    api.send(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(value),
    });

  async function ask(operation: Operation, query = "", headers: Record<string, string> = {}): Promise<KernelResponse> {
    const request = registryRequestTo(operation, required, offered);
    const path = query === "" ? request.path : `${request.path}${request.path.includes("?") ? "&" : "?"}${query}`;
    return request.body === undefined ? api.send(path, { headers }) : post(path, request.body, headers);
  }

  return {
    api,
    db,
    world,
    request: ask,
    post,
    requestById: async (id, query, headers) => ask(operationOf(id), query, headers),
  };
}

export function operationOf(id: string): Operation {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`the registry has no operation ${id}`);
  return operation;
}

export const READS = API_OPERATIONS.filter(
  ({ kind, scope }) =>
    kind !== "redirect" && kind !== "retired" && kind !== "stream" && scope !== "webhooks" && scope !== "export",
);
export const LISTS = READS.filter(({ kind }) => kind === "list");
