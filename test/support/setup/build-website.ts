import { execFileSync } from "node:child_process";

/** Builds the website. The Worker's source imports it, and wrangler builds it only for its own commands. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/build/build-web.mjs"]);
}
