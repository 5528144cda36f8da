import { parseArgs } from "node:util";
import { z } from "zod";

export const USAGE = `npm run archive -- --verify [--day YYYY-MM-DD] [--url URL] [--data DIR]

Rebuilds archived days from Postgres and compares files, Merkle roots and signatures with the signed manifests. Prints one
line a file and exits with 1 when something differs. Without --day it checks every archived day. With --url, the public
address of the bucket, it also downloads each stored file and compares its SHA-256. Rows that have left Postgres
(ARCHIVE_RETENTION_DAYS) are verified from the files alone; without --url they are listed as UNSEEN.

It uses the database of DATABASE_URL; without it, the running product of the data directory DIR (.local).`;

export interface ArchiveArguments {
  /** Null for all days. */
  readonly day: string | null;
  readonly url: string | null;
  readonly dataDir: string;
}

const Values = z.object({
  verify: z.literal(true, "The only action is --verify."),
  day: z.iso.date("--day is not a date.").optional(),
  url: z.url({ protocol: /^https?$/, error: "--url is not a URL." }).optional(),
  data: z.string(),
});

/** @throws Error with the mistake in its first line */
export function parseArchiveArguments(argv: readonly string[]): ArchiveArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      verify: { type: "boolean", default: false },
      day: { type: "string" },
      url: { type: "string" },
      data: { type: "string", default: ".local" },
    },
  });
  const parsed = Values.safeParse(values);
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message);
  const { day = null, url = null, data } = parsed.data;
  return { day, url: url === null ? null : url.replace(/\/+$/, ""), dataDir: data };
}
