import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFiles } from "./replace-files.ts";

/*
 * Writes the pages of the website to dist/site, from which Workers static assets serves them. Nothing is read twice:
 * while the sources are unchanged it only compares their hash.
 *   node scripts/build/build-site.ts
 */
const root = join(import.meta.dirname, "../..");
const target = join(root, "dist/site");
const stamp = join(root, "dist/site.sha256");

const within = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
const sources = [
  ...within("docs"),
  ...within("scripts/site"),
  join(root, "scripts/build/build-site.ts"),
  join(root, "src/generated/openapi.txt"),
  join(root, "src/generated/site-facts.json"),
  join(root, "src/generated/sandbox-samples.txt"),
  join(root, "package-lock.json"),
];
const hash = createHash("sha256");
for (const source of sources) hash.update(`${source}\0`).update(readFileSync(source));
const digest = hash.digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== digest) {
  const [{ buildSite }, { readApiDocument }, { readSiteFacts }] = await Promise.all([
    import("../site/build-site.ts"),
    import("../site/reference/api-document.ts"),
    import("../site/site-facts.ts"),
  ]);
  const files = new Map(
    [...buildSite(readApiDocument(), readSiteFacts())].map(([path, text]) => [join(target, path), text]),
  );
  replaceFiles(files);
  for (const path of within("dist/site")) if (!files.has(path)) rmSync(path, { force: true });
  replaceFiles([[stamp, digest]]);
}
