import { execFileSync } from "node:child_process";

/** Builds the website and its pages, which wrangler builds only for its own commands. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/build/build-web.ts"]);
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/build/build-site.ts"]);
}
