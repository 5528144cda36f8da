import { existsSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { replaceFiles } from "./replace-files.ts";

/*
 * Bundles the website and the OAuth endpoints into modules of their own, which the Worker loads on the first
 * request for them. Inside the Worker's bundle they would be parsed at every start: esbuild does not split the
 * bundle, and it wraps modules that are used both by the API and behind a dynamic import.
 */
const { outputFiles } = await build({
  entryPoints: { "web-app": "src/web/web-app.ts", "oauth-app": "src/oauth/oauth-app.ts" },
  outdir: "src/generated",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2024",
  platform: "neutral",
  mainFields: ["module", "main"],
  // The same conditions as wrangler.
  conditions: ["workerd", "worker", "browser"],
  external: ["node:*", "cloudflare:*"],
  logLevel: "warning",
});
// wrangler dev rebuilds when a file below src changes, so an unconditional write would loop forever.
const changed = outputFiles.filter(({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text);
replaceFiles(changed.map(({ path, text }) => [path, text]));
