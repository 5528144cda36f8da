import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

/*
 * Bundles the website into its own module, which the Worker loads on the first request for the website.
 * Inside the Worker's bundle it would be parsed at every start: esbuild does not split the bundle, and it
 * wraps modules that are used both by the API and behind a dynamic import.
 */
const OUT = "src/generated/web-app.mjs";

const { outputFiles } = await build({
  entryPoints: ["src/web/web-app.ts"],
  outfile: OUT,
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
const text = outputFiles[0]?.text ?? "";
// wrangler dev rebuilds when a file below src changes, so an unconditional write would loop forever.
if (!existsSync(OUT) || readFileSync(OUT, "utf8") !== text) writeFileSync(OUT, text);
