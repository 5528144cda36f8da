import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/*
 * Who may import whom (ARCHITECTURE.md has the same table in words). A box is the first row whose path the file starts with; it may
 * always import itself.
 */
const LEAVES = ["src/domain", "src/scoring", "src/messages", "src/ports", "src/lib", "src/config.ts", "src/context.ts", "src/env.ts"];

const TABLE: readonly { readonly box: string; readonly may: readonly string[] }[] = [
  { box: "src/worker.ts", may: ["src", "durable-objects", "queues"] },
  { box: "src/app.ts", may: ["src/api", "src/operations/index.ts", "src/web", "src/runtime.ts", "src/generated", ...LEAVES] },
  { box: "src/web", may: ["src/api", "src/auth", "src/queries", "src/db", "src/runtime.ts", ...LEAVES] },
  { box: "src/runtime.ts", may: ["src/db", ...LEAVES] },
  { box: "src/config.ts", may: [] },
  { box: "src/context.ts", may: ["src/config.ts", "src/db", "src/domain", "src/ports", "src/lib"] },
  // The bindings name the classes and messages they carry, as types.
  { box: "src/env.ts", may: ["durable-objects", "src/messages"] },
  { box: "src/operations", may: ["src/api", "src/queries", ...LEAVES] },
  { box: "src/queries", may: ["src/db", ...LEAVES] },
  { box: "src/api", may: ["src/auth", "src/db", "src/queries/idempotency.ts", "src/runtime.ts", ...LEAVES] },
  { box: "src/auth", may: ["src/api/errors.ts", "src/queries/credentials.ts", "src/runtime.ts", ...LEAVES] },
  { box: "src/ingest", may: ["src/db", ...LEAVES] },
  { box: "src/webhooks", may: ["src/db", ...LEAVES] },
  { box: "src/providers", may: LEAVES },
  { box: "src/db", may: LEAVES },
  { box: "src/ports", may: LEAVES },
  { box: "src/domain", may: ["src/domain", "src/scoring"] },
  { box: "src/scoring", may: [] },
  { box: "src/messages", may: ["src/domain"] },
  { box: "src/lib", may: [] },
  { box: "src/generated", may: [] },
  { box: "durable-objects", may: ["src/ingest", "src/webhooks", "src/providers", "src/db", ...LEAVES] },
  { box: "queues", may: ["src/ingest", "src/webhooks", "src/providers", "src/db", ...LEAVES] },
  // What audits the product's figures computes them by itself: a key's form is all that it takes from the product.
  { box: "scripts/audit", may: ["src/auth/keys.ts"] },
  { box: "scripts/audit.ts", may: ["scripts/audit"] },
];

const ROOTS = ["src", "durable-objects", "queues", "scripts/audit", "scripts/audit.ts"];
const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** Every import that the table does not allow, a line each. */
export function findForbiddenImports(root: string): string[] {
  return ROOTS.flatMap((folder) => listSources(join(root, folder))).flatMap((file) => {
    const from = relative(root, file);
    const row = TABLE.find(({ box }) => isWithin(from, box));
    if (row === undefined) return [`${from}: belongs to no box of the import table`];
    return importsOf(file)
      .map((target) => relative(root, target))
      .filter((target) => !isWithin(target, row.box) && !row.may.some((allowed) => isWithin(target, allowed)))
      .map((target) => `${from} imports ${target}, which ${row.box} may not`);
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
