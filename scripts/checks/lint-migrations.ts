import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { lintMigration } from "./lint-migration.ts";
import type { CommandResult } from "./run-command.ts";

const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

/**
 * Lints every migration of the journal. The journal's times must ascend: the migrator runs only what is
 * newer.
 */
export async function lintMigrations(folder: string): Promise<CommandResult> {
  const journal: unknown = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8"));
  const { entries } = Journal.parse(journal);
  const findings: string[] = [];
  for (const [index, { tag, when }] of entries.entries()) {
    if (when <= (entries[index - 1]?.when ?? 0))
      findings.push(`${tag}: older than the migration before it, so it would never run: generate it again`);
    const found = await lintMigration(readFileSync(join(folder, `${tag}.sql`), "utf8"));
    findings.push(...found.map((finding) => `${tag}: ${finding}`));
  }
  return { ok: findings.length === 0, output: findings.map((line) => `${line}\n`).join("") };
}
