import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "../context.ts";
import { runVerify } from "../run-verify.ts";

/** Runs docs/verify.mjs. A row or a pick may be named by its id: then its proof is read with the login. */
export async function verify(context: CommandContext): Promise<void> {
  const { positionals, values, signal, output } = context;
  const dir = await mkdtemp(join(tmpdir(), "activity-"));
  try {
    const key = typeof values["public-key"] === "string" ? ["--key", values["public-key"]] : [];
    output.text(await runVerify([...(await argumentsOf(context, positionals, dir)), ...key], signal));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function argumentsOf(
  { client, signal }: CommandContext,
  positionals: readonly string[],
  dir: string,
): Promise<readonly string[]> {
  const [kind, id, ...rest] = positionals;
  const store = async (name: string, value: unknown) => {
    const path = join(dir, name);
    await writeFile(path, JSON.stringify(value));
    return path;
  };
  const proofOf = async (rowId: string) =>
    store("proof.json", await client().getRowProof({ row_id: rowId }, { signal }));
  if (kind === "row" && /^[a-z]+_\d+$/.test(id ?? "") && rest.length === 0) return ["row", await proofOf(id ?? "")];
  if (kind === "pick" && /^\d+$/.test(id ?? "") && rest.length === 0) {
    const entry = await client().getPickOfTheDayLedgerEntry({ pick_id: id ?? "" }, { signal });
    return ["pick", await store("entry.json", entry), await proofOf(`pick_${id}`)];
  }
  return positionals;
}
