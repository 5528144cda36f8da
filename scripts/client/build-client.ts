import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The entry points. `index` is the whole client; `verify` adds the checks of proofs. */
const ENTRIES = ["index", "verify"] as const;

/** Most bytes of `index.js` after gzip. */
export const MAX_INDEX_BYTES = 15 * 1024;

/** An entry point as one module without imports, for any runtime with fetch and Web Crypto. */
export async function bundleEntry(entry: (typeof ENTRIES)[number]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, `src/client/${entry}.ts`)],
    ...{ bundle: true, minify: true, format: "esm", platform: "neutral", target: "es2022", write: false },
  });
  return outputFiles[0]?.text ?? "";
}

/** Writes the package of the client. @returns the bytes of each entry point after gzip */
export async function buildClient(outDir: string): Promise<Record<string, number>> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const sizes: Record<string, number> = {};
  for (const entry of ENTRIES) {
    const code = await bundleEntry(entry);
    await writeFile(join(outDir, `${entry}.js`), code);
    sizes[entry] = gzipSync(code, { level: 9 }).length;
  }
  await writeDeclarations(join(outDir, "types"));
  await writeFile(join(outDir, "package.json"), `${JSON.stringify(await packageFacts(), null, 2)}\n`);
  return sizes;
}

async function writeDeclarations(outDir: string): Promise<void> {
  const files = ENTRIES.map((entry) => join(root, `src/client/${entry}.ts`));
  const options = [
    ...["--declaration", "--emitDeclarationOnly", "--rewriteRelativeImportExtensions", "--ignoreConfig"],
    ...["--strict", "--skipLibCheck", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"],
    ...["--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2024"],
    ...["--types", "@cloudflare/workers-types", "--rootDir", join(root, "src/client"), "--outDir", outDir],
  ];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, ...options, ...files], { cwd: root });
}

async function packageFacts(): Promise<object> {
  const { version, license } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const exportOf = (entry: string) => ({ types: `./types/${entry}.d.ts`, default: `./${entry}.js` });
  return {
    ...{ name: "prediction-market-activity-client", version, license, type: "module", sideEffects: false },
    exports: { ".": exportOf("index"), "./verify": exportOf("verify") },
  };
}
