import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/*
 * The import rules (ARCHITECTURE.md has the same table in words). A file belongs to the first row whose path
 * it starts with, and may always import from its own row.
 */
const LEAVES = [
  "src/domain",
  "src/scoring",
  "src/messages",
  "src/platform",
  "src/stream",
  "src/events/registry.ts",
  "src/events/event-body.ts",
  "src/webhooks/rules",
  "src/lib",
  "src/config.ts",
  "src/context.ts",
  "src/env.ts",
];

const TABLE: readonly { readonly box: string; readonly may: readonly string[] }[] = [
  { box: "src/worker.ts", may: ["src", "durable-objects", "queues"] },
  {
    box: "src/app.ts",
    may: [
      "src/api",
      "src/operations/index.ts",
      "src/mcp",
      "src/web",
      "src/oauth/mount-oauth.ts",
      "src/sandbox",
      "src/agent-files.ts",
      "src/site.ts",
      "src/runtime.ts",
      "src/auth/operator-signature.ts",
      "src/generated",
      ...LEAVES,
    ],
  },
  { box: "src/agent-files.ts", may: ["src/api", "src/sandbox/samples.ts", "src/generated", ...LEAVES] },
  { box: "src/site.ts", may: ["src/api", "src/sandbox/samples.ts", ...LEAVES] },
  // Neither src/db nor src/queries nor the runtime: the sandbox reads and stores nothing.
  { box: "src/sandbox", may: ["src/api", "src/auth/api-key-format.ts", "src/auth/authenticate.ts", ...LEAVES] },
  // The protocol is pure; the rest runs operations through the kernel.
  { box: "src/mcp/protocol", may: [] },
  { box: "src/mcp", may: ["src/api", "src/auth", ...LEAVES] },
  { box: "src/web", may: ["src/api", "src/auth", "src/oauth", "src/queries", "src/db", "src/runtime.ts", ...LEAVES] },
  // The rules are pure; flows, clients and endpoints read and write.
  { box: "src/oauth/rules", may: ["src/oauth/oauth-error.ts", "src/auth/api-key-format.ts", ...LEAVES] },
  { box: "src/oauth", may: ["src/api", "src/auth", "src/queries", "src/db", "src/runtime.ts", ...LEAVES] },
  { box: "src/runtime.ts", may: ["src/auth/known-credentials.ts", "src/db", ...LEAVES] },
  {
    box: "src/measure-minute.ts",
    may: [
      "src/db",
      "src/jobs",
      "src/queries/health.ts",
      "src/queries/health-history.ts",
      "src/queries/lock-waits.ts",
      ...LEAVES,
    ],
  },
  { box: "src/config.ts", may: ["src/domain/regions.ts", "src/lib/crypto/key-ring.ts"] },
  { box: "src/context.ts", may: ["src/config.ts", "src/db", "src/domain", "src/platform", "src/lib"] },
  // The bindings name the classes and messages that they carry, as types.
  { box: "src/env.ts", may: ["durable-objects", "src/messages"] },
  // Health judges the registered jobs; the registration of agents generates sandbox keys.
  {
    box: "src/operations/system",
    may: ["src/operations", "src/jobs", "src/auth/api-key-format.ts", "src/api", "src/queries", ...LEAVES],
  },
  // Grants end like keys: Redis refuses their tokens first.
  { box: "src/operations/grants", may: ["src/operations", "src/auth", "src/api", "src/queries", ...LEAVES] },
  // Key operations generate keys, and make Redis refuse revoked ones.
  { box: "src/operations/keys", may: ["src/auth", "src/api", "src/queries", ...LEAVES] },
  { box: "src/operations", may: ["src/api", "src/queries", ...LEAVES] },
  { box: "src/queries", may: ["src/db", "src/events/outbox", ...LEAVES] },
  {
    box: "src/api",
    may: ["src/auth", "src/db", "src/queries/accounts/idempotency-records.ts", "src/runtime.ts", ...LEAVES],
  },
  {
    box: "src/auth",
    may: [
      "src/api/errors.ts",
      "src/queries/accounts/account.ts",
      "src/queries/accounts/credentials.ts",
      "src/runtime.ts",
      ...LEAVES,
    ],
  },
  { box: "src/jobs", may: ["src/ingest", "src/exports", "src/events/outbox", "src/providers", "src/db", ...LEAVES] },
  { box: "src/ingest", may: ["src/events/outbox", "src/db", ...LEAVES] },
  // The rules are pure; delivery, verification and fan-out read and write.
  { box: "src/webhooks/rules", may: ["src/events/registry.ts", "src/domain", "src/scoring", "src/lib"] },
  { box: "src/webhooks", may: ["src/events/outbox", "src/db", ...LEAVES] },
  { box: "src/exports", may: ["src/events/outbox", "src/db", ...LEAVES] },
  { box: "src/events/outbox", may: ["src/db", ...LEAVES] },
  { box: "src/events", may: ["src/domain", "src/scoring"] },
  { box: "src/stream", may: ["src/events/registry.ts", "src/domain", "src/scoring"] },
  { box: "src/providers", may: LEAVES },
  // The journal says which migrations the build needs.
  { box: "src/db", may: ["migrations/meta/_journal.json", ...LEAVES] },
  { box: "src/platform", may: LEAVES },
  { box: "src/domain", may: ["src/domain", "src/scoring"] },
  { box: "src/scoring", may: [] },
  { box: "src/messages", may: ["src/domain"] },
  { box: "src/lib", may: [] },
  // Published on its own: it knows the product by its API document only.
  { box: "src/client", may: [] },
  { box: "src/generated", may: [] },
  {
    box: "durable-objects",
    may: [
      "src/jobs",
      "src/ingest",
      "src/webhooks",
      "src/events/outbox",
      "src/providers",
      "src/queries/accounts",
      "src/db",
      ...LEAVES,
    ],
  },
  { box: "queues", may: ["src/ingest", "src/webhooks", "src/exports", "src/providers", "src/db", ...LEAVES] },
  // The audit computes figures independently: of the product it imports only the format of a key.
  { box: "scripts/audit", may: ["src/auth/api-key-format.ts", "src/lib/slots.ts"] },
];

const ROOTS = ["src", "durable-objects", "queues", "scripts/audit"];
const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** Every import that the table forbids, one line each. */
export function findForbiddenImports(root: string): string[] {
  return ROOTS.flatMap((folder) => listSources(join(root, folder))).flatMap((file) => {
    const from = relative(root, file);
    const row = TABLE.find(({ box }) => isWithin(from, box));
    if (row === undefined) return [`${from}: no row of the import table matches`];
    return importsOf(file)
      .map((target) => relative(root, target))
      .filter((target) => !isWithin(target, row.box) && !row.may.some((allowed) => isWithin(target, allowed)))
      .map((target) => `${from} imports ${target}, which the import table forbids for ${row.box}`);
  });
}

const isWithin = (path: string, box: string): boolean => path === box || path.startsWith(`${box}/`);

function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, target = ""]) => resolve(dirname(file), target));
}

function listSources(folder: string): string[] {
  if (folder.endsWith(".ts")) return [folder];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}
