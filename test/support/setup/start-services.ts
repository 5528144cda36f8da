import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { freePort } from "../../../scripts/services/free-port.ts";
import { applyMigrations } from "../../../scripts/services/postgres/apply-migrations.ts";
import { startNeonEndpoint } from "../../../scripts/services/postgres/neon-endpoint.ts";
import { startPostgres } from "../../../scripts/services/postgres/postgres.ts";
import { startUpstash } from "../../../scripts/services/redis/upstash-endpoint.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The services that the tests of a project share; each test file has its own database in them. */
    services: TestServices;
    /** Number of events that the stream publishes while its objects are evicted: STREAM_PUBLISHES. */
    streamPublishes: number;
  }
}

export interface TestServices {
  readonly postgresUrl: string;
  readonly templateDatabase: string;
  readonly neonHttpEndpoint: string;
  readonly neonSocketProxy: string;
  readonly redisUrl: string;
  readonly redisToken: string;
}

const TEMPLATE = "migrated_template";

/**
 * Starts Postgres with its Neon endpoint, and Redis, once for a project, and migrates a database to clone.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "test-postgres-"));
  const postgres = await startPostgres({ dataDir, port: await freePort(), durable: false, log: () => undefined });
  const neon = await startNeonEndpoint({ port: 0, databaseUrl: postgres.url });
  const upstash = await startUpstash({ port: 0, token: "test-token" });
  await createTemplate(postgres.url);
  project.provide("streamPublishes", Number(process.env["STREAM_PUBLISHES"] ?? 1_500));
  project.provide("services", {
    postgresUrl: postgres.url,
    templateDatabase: TEMPLATE,
    neonHttpEndpoint: neon.httpUrl,
    neonSocketProxy: neon.socketProxy,
    redisUrl: upstash.url,
    redisToken: upstash.token,
  });
  return async () => {
    await upstash.stop();
    await neon.stop();
    // Its data is not needed any more, so nothing has to be flushed to disk.
    await postgres.crash();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function createTemplate(postgresUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${TEMPLATE}`;
  await applyMigrations(url.href);
}
