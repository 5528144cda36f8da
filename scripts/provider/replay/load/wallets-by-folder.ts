import path from "node:path";
import { z } from "zod";
import type { RecordedFile } from "./read-directory.ts";

const Owner = z.union([
  z.object({ wallet: z.string() }).transform((row) => row.wallet),
  z.object({ user: z.string() }).transform((row) => row.user),
  z.object({ proxyWallet: z.string() }).transform((row) => row.proxyWallet),
]);

/** The wallet, in lower case, of each folder whose files contain only one wallet. */
export function walletsByFolder(files: readonly RecordedFile[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { name, rows } of files) {
    const folder = path.posix.dirname(name);
    const wallets = found.get(folder) ?? new Set<string>();
    found.set(folder, wallets);
    for (const { value } of rows) {
      const owner = Owner.safeParse(value).data;
      if (owner !== undefined) wallets.add(owner.toLowerCase());
    }
  }
  return new Map(
    [...found].flatMap(([folder, [wallet, ...others]]) =>
      wallet === undefined || others.length > 0 ? [] : [[folder, wallet]],
    ),
  );
}
