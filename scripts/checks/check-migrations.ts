import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { runCommand } from "./run-command.ts";

/** Checks that the stored migrations match the schema: drizzle-kit generates nothing. */
export async function checkMigrations(): Promise<{ ok: boolean; output: string }> {
  const copy = mkdtempSync(join(tmpdir(), "migrations-"));
  try {
    cpSync("migrations", join(copy, "migrations"), { recursive: true });
    const before = readdirSync(join(copy, "migrations")).length;
    const config = join(copy, "drizzle.config.json");
    const schema = [resolve("src/db/schema.ts"), resolve("src/db/sign-in-tables.ts")];
    // drizzle-kit resolves `out` relative to the working directory, even when it is absolute.
    const out = relative(process.cwd(), join(copy, "migrations"));
    writeFileSync(config, JSON.stringify({ dialect: "postgresql", schema, out }));
    const { output } = await runCommand(process.execPath, [
      "node_modules/drizzle-kit/bin.cjs",
      "generate",
      "--config",
      config,
    ]);
    const written = readdirSync(join(copy, "migrations")).length - before;
    // drizzle-kit exits with 0 also after a failure.
    const ok = written === 0 && output.includes("No schema changes");
    return { ok, output: written > 0 ? "The schema has changed: run npm run migrate:generate.\n" : output };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
