import { readFileSync } from "node:fs";

/** The compatibility date of the Worker, as wrangler.toml has it: `YYYY-MM-DD`. */
export function compatibilityDate(): string {
  const toml = readFileSync(new URL("../wrangler.toml", import.meta.url), "utf8");
  const date = /^compatibility_date = "([\d-]{10})"$/m.exec(toml)?.[1];
  if (date === undefined) throw new Error("wrangler.toml has no compatibility_date");
  return date;
}
