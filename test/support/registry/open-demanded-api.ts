import type { Operation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../database.ts";
import { aKey } from "../kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer, type Kernel } from "../kernel/open-kernel.ts";
import { aWorld, type World } from "../seed/world.ts";
import { requestTo, type ValueOf } from "./requests.ts";
import { readMatchedTrade, worldValues } from "./world-values.ts";

/** The running app over a database with a row of every kind, as client libraries meet it. */
export interface DemandedApi {
  readonly api: Kernel;
  readonly db: Database;
  readonly world: World;
  /** Sends an operation what it requires, and `query` beside it. */
  ask(operation: Operation, query?: string, headers?: Record<string, string>): Promise<Answer>;
  /** By its id. @throws when the registry has no such operation */
  askFor(id: string, query?: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, value: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Names that no operation requires by itself but one of which it needs. */
const offered: ValueOf = (name, { path }) => (name === "week" && path.endsWith("/weekly") ? "2026-47" : undefined);

export async function openDemandedApi(): Promise<DemandedApi> {
  const { databaseUrl, db } = await createTestDatabase();
  const world = await aWorld(db);
  const api = openKernel(openTestRuntime(databaseUrl), OPERATIONS, await aKey(db, { plan: "max" }));
  const required = worldValues(world, await readMatchedTrade(world, api.send), "full");
  const post = (path: string, value: unknown, headers: Record<string, string> = {}) =>
    api.send(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) });

  async function ask(operation: Operation, query = "", headers: Record<string, string> = {}): Promise<Answer> {
    const request = requestTo(operation, required, offered);
    const path = query === "" ? request.path : `${request.path}${request.path.includes("?") ? "&" : "?"}${query}`;
    return request.body === undefined ? api.send(path, { headers }) : post(path, request.body, headers);
  }

  return { api, db, world, ask, post, askFor: async (id, query, headers) => ask(operationOf(id), query, headers) };
}

export function operationOf(id: string): Operation {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`the registry has no operation ${id}`);
  return operation;
}

export const READS = OPERATIONS.filter(
  ({ kind, scope }) => kind !== "redirect" && kind !== "stream" && scope !== "webhooks" && scope !== "export",
);
export const LISTS = READS.filter(({ kind }) => kind === "list");
