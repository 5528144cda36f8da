import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

/*
 * Bundles the website into a module of its own, which the Worker loads when the website is asked for. Inside the Worker's bundle its parsing
 * would be a part of every start: esbuild splits nothing, and what is both in the API and behind a dynamic import gets wrapped.
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
  // As wrangler resolves packages.
  conditions: ["workerd", "worker", "browser"],
  external: ["node:*", "cloudflare:*"],
  logLevel: "warning",
});
const text = outputFiles[0]?.text ?? "";
// wrangler dev builds again when a file below src changes; one written anew would have it build for ever.
if (!existsSync(OUT) || readFileSync(OUT, "utf8") !== text) writeFileSync(OUT, text);
