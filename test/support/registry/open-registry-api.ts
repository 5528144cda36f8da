import type { Operation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import { API_OPERATIONS, OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";
import { aKey } from "../kernel/keys.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { openKernel, openTestRuntime, type KernelResponse, type Kernel } from "../kernel/open-kernel.ts";
import { aWorld, type World } from "../seed/world.ts";
import { registryRequestTo, toolArgumentsOf, type ValueOf } from "./registry-requests.ts";
import { readMatchedTrade, worldValues } from "./world-values.ts";

/** The running app over a database with a row of every kind, as client libraries use it. */
export interface RegistryApi {
  readonly api: Kernel;
  readonly db: Database;
  readonly database: TestDatabase;
  /** Of the Max plan, with all scopes. */
  readonly key: string;
  readonly world: World;
  /** Sends a request with everything the operation requires, plus `query`. Null as `key` sends none. */
  request(
    operation: Operation,
    query?: string,
    headers?: Record<string, string>,
    key?: string | null,
  ): Promise<KernelResponse>;
  /** The same by operation id. @throws when the registry has no such operation */
  requestById(id: string, query?: string, headers?: Record<string, string>): Promise<KernelResponse>;
  /** The arguments of a tool for the same request. */
  argumentsOf(operation: Operation): Record<string, unknown>;
  post(path: string, value: unknown, headers?: Record<string, string>): Promise<KernelResponse>;
}

/** Optional names of which an operation still needs one. */
const offered: ValueOf = (name, { path }) => (name === "week" && path.endsWith("/weekly") ? "2026-47" : undefined);

/** @param adapt changes the runtime before the app opens over it */
export async function openRegistryApi(
  adapt: (runtime: Runtime) => Runtime = (runtime) => runtime,
): Promise<RegistryApi> {
  const database = await createTestDatabase();
  const { databaseUrl, db } = database;
  const world = await aWorld(db);
  const maxKey = await aKey(db, { plan: "max" });
  const api = openKernel(adapt(openTestRuntime(databaseUrl)), OPERATIONS, maxKey);
  const required = worldValues(world, await readMatchedTrade(world, api.send), "full");
  const post = (path: string, value: unknown, headers: Record<string, string> = {}, key: string | null = maxKey) =>
    api.send(path, {
      ...{ method: "POST", key },
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(value),
    });

  async function ask(
    operation: Operation,
    query = "",
    headers: Record<string, string> = {},
    key: string | null = maxKey,
  ): Promise<KernelResponse> {
    const request = registryRequestTo(operation, required, offered);
    const path = query === "" ? request.path : `${request.path}${request.path.includes("?") ? "&" : "?"}${query}`;
    return request.body === undefined ? api.send(path, { headers, key }) : post(path, request.body, headers, key);
  }

  return {
    api,
    db,
    database,
    key: maxKey,
    world,
    request: ask,
    argumentsOf: (operation) => toolArgumentsOf(operation, required, offered),
    post: (path, value, headers) => post(path, value, headers),
    requestById: async (id, query, headers) => ask(operationOf(id), query, headers),
  };
}

export function operationOf(id: string): Operation {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`the registry has no operation ${id}`);
  return operation;
}

/** A POST reads when it is a batch. */
const isRead = (operation: Operation): boolean =>
  operation.method === "get" || (operation.kind === "single" && operation.batchUnits !== undefined);

export const READS = API_OPERATIONS.filter(isRead).filter(
  ({ kind, scope, tag }) =>
    kind !== "redirect" &&
    kind !== "retired" &&
    kind !== "stream" &&
    scope !== "webhooks" &&
    scope !== "export" &&
    // Like webhooks, they read what the account has stored itself.
    tag !== "Watchlists",
);
export const LISTS = READS.filter(({ kind }) => kind === "list");
