import { readFile } from "node:fs/promises";
import { verifyEntries } from "./verify-entries.ts";

const USAGE = `npm run verify-pick -- FILE|URL

Checks every opened entry of a pick ledger: SHA-256 of the payload's canonical JSON followed by the nonce has to be the
commitment hash. FILE or URL is a response of /api/v1/pick-of-the-day/ledger, one entry of it, or any JSON with entries.

Exit code 1: an entry does not match, or there is none to check.`;

const [source] = process.argv.slice(2);
if (source === undefined || source === "--help") console.log(USAGE);
else {
  const { matching, differing, sealed, uncommitted } = verifyEntries(await read(source));
  for (const name of differing) console.log(`DIFFERS  ${name}`);
  console.log(
    `${matching.length} opened entries match, ${differing.length} differ. ${sealed} sealed, ${uncommitted} uncommitted.`,
  );
  process.exitCode = differing.length > 0 || matching.length === 0 ? 1 : 0;
}

async function read(from: string): Promise<unknown> {
  if (!/^https?:/.test(from)) return JSON.parse(await readFile(from, "utf8"));
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from} responded ${response.status}`);
  return response.json();
}
