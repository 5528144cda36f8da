import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

export interface Bundle {
  readonly script: string;
  /** Text modules by the name under which the script imports them. */
  readonly texts: Readonly<Record<string, string>>;
  /** Modules that the script imports lazily, by the same names. */
  readonly scripts: Readonly<Record<string, string>>;
}

/** The product as `wrangler deploy` bundles it. */
export function bundleProduct(): Bundle {
  const outDir = mkdtempSync(join(tmpdir(), "bench-bundle-"));
  try {
    execFileSync(
      process.execPath,
      ["node_modules/wrangler/bin/wrangler.js", "deploy", "--dry-run", "--minify", "--outdir", outDir],
      {
        stdio: "ignore",
        env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
      },
    );
    const names = readdirSync(outDir, { recursive: true, encoding: "utf8" });
    const read = (ending: string) =>
      Object.fromEntries(
        names.filter((name) => name.endsWith(ending)).map((name) => [name, readFileSync(join(outDir, name), "utf8")]),
      );
    return {
      script: readFileSync(join(outDir, "worker.js"), "utf8"),
      texts: read(".txt"),
      scripts: read(".mjs"),
    };
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** The bare routes. */
export const bundleFloor = (): Promise<Bundle> => bundleScript("scripts/bench/reads/bare-worker.ts");

/** Bundles one of our own Workers from its entry point. */
export async function bundleScript(entryPoint: string): Promise<Bundle> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    format: "esm",
    external: ["cloudflare:workers"],
    write: false,
  });
  return { script: outputFiles[0]?.text ?? "", texts: {}, scripts: {} };
}
