import { env } from "cloudflare:workers";
import type { Database } from "../../../src/db/client.ts";
import type { Env } from "../../../src/env.ts";
import { runExportJob, type ExportPorts } from "../../../src/exports/run-export-job.ts";
import type { ExportMessage } from "../../../src/messages/export-message.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { openExportPorts } from "../../../src/platform/artifacts/export-ports.ts";
import { R2ArtifactStore } from "../../../src/platform/artifacts/r2-artifact-store.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";
import { aKey, type KeyFacts } from "../kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel, type KernelResponse } from "../kernel/open-kernel.ts";
import { SILENT_LOG } from "./silent-log.ts";

export interface ExportApi {
  readonly db: Database;
  readonly database: TestDatabase;
  readonly kernel: Kernel;
  readonly key: string;
  readonly messages: ExportMessage[];
  get(path: string, key?: string | null, headers?: Record<string, string>): Promise<KernelResponse>;
  post(path: string, value?: unknown, key?: string): Promise<KernelResponse>;
  /** Runs the consumer for every message that was enqueued, with the simulator of R2. */
  consume(ports?: Partial<ExportPorts>): Promise<void>;
  /** Fetches a link of ours with no header but these. @returns the bytes as they are stored */
  fetchLink(link: string, headers?: Record<string, string>, method?: string): Promise<LinkResponse>;
  anOwner(facts?: Partial<KeyFacts>): Promise<string>;
}

export interface LinkResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** The API with its files in the simulator of R2, and a queue that the test consumes. */
export async function openExportApi(): Promise<ExportApi> {
  const database = await createTestDatabase();
  const { db } = database;
  const messages: ExportMessage[] = [];
  const runtime = openTestRuntime(database.databaseUrl);
  const store = new R2ArtifactStore((env as Env).ARTIFACTS);
  const links = openExportPorts(runtime.config, env as Env);
  const exports = { ...links, enqueue: async (message: ExportMessage) => void messages.push(message) };
  const kernel = openKernel({ ...runtime, exports, artifacts: store }, OPERATIONS);
  const key = await aKey(db);
  return {
    ...{ db, database, kernel, key, messages },
    get: (path, as = key, headers = {}) => kernel.send(path, { key: as, headers }),
    post: (path, value, as = key) =>
      kernel.send(path, {
        ...{ method: "POST", key: as },
        headers: value === undefined ? {} : { "content-type": "application/json" },
        body: value === undefined ? null : JSON.stringify(value),
      }),
    async consume(ports = {}) {
      for (const { job_id } of messages.splice(0)) {
        const pool = database.openPool();
        await runExportJob(job_id, {
          ...{ db, pool, store, log: SILENT_LOG },
          now: () => new Date(),
          newId: () => crypto.randomUUID(),
          signingKey: runtime.config.archiveSigningKey,
          ...ports,
        });
      }
    },
    async fetchLink(link, headers = {}, method = "GET") {
      const { pathname, search } = new URL(link);
      const response = await kernel.fetch(new Request(`http://api.test${pathname}${search}`, { method, headers }));
      return {
        status: response.status,
        headers: response.headers,
        bytes: new Uint8Array(await response.arrayBuffer()),
      };
    },
    anOwner: (facts) => aKey(db, facts),
  };
}
