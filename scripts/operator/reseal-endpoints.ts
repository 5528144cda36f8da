import { sql } from "drizzle-orm";
import { z } from "zod";
import { webhookEndpoints } from "../../src/db/schema.ts";
import { columnName, integer, run, selectRows } from "../../src/db/sql.ts";
import { openEndpointSecret, sealEndpointSecret, type EndpointSecret } from "../../src/lib/crypto/endpoint-secrets.ts";
import { keyIdOf, type KeyRing } from "../../src/lib/crypto/key-ring.ts";
import { sealingKeyIdOf } from "../../src/lib/crypto/sealed-text.ts";
import { OperatorError } from "./arguments.ts";
import type { Store } from "./open-store.ts";

const BATCH = 200;
const MAX_PASSES = 5;
type Random = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

const e = webhookEndpoints;
const SealedRow = z.object({
  id: integer,
  account_id: integer,
  verification_token_sealed: z.string(),
  secret_sealed: z.string(),
  staged_secret_sealed: z.string().nullable(),
  previous_secret_sealed: z.string().nullable(),
});
type SealedRow = z.output<typeof SealedRow>;
type SealedColumn = Exclude<keyof SealedRow, "id" | "account_id">;

const KINDS: Readonly<Record<SealedColumn, EndpointSecret>> = {
  verification_token_sealed: "verification token",
  secret_sealed: "signing secret",
  staged_secret_sealed: "signing secret",
  previous_secret_sealed: "signing secret",
};

/**
 * Seals every secret of webhook endpoints with the current secret. A row that changes meanwhile is read again. It
 * may be interrupted and repeated.
 *
 * @throws OperatorError when a secret does not open; all others are sealed again
 */
export async function resealEndpoints({ db, credentialKeys: keys }: Store, random: Random): Promise<string> {
  if (keys === null)
    throw new OperatorError("Set CREDENTIAL_SECRET and CREDENTIAL_SECRET_PREVIOUS as the Worker has them.");
  const currentId = await keyIdOf(keys.current);
  const failures = new Map<number, string>();
  let resealed = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    let changed = 0;
    for (let after = 0; ;) {
      const rows = await listRows(db, after);
      for (const row of rows) {
        const next = await resealRow(row, keys, currentId, random).catch((error: Error) => {
          failures.set(row.id, error.message);
          return null;
        });
        if (next === null) continue;
        if (await storeRow(db, row, next)) resealed += 1;
        else changed += 1;
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    if (changed === 0) break;
  }
  const done = `Sealed with the key ${currentId} now: the secrets of ${resealed} webhook endpoints.`;
  if (failures.size === 0) return done;
  const lines = [...failures].map(([id, message]) => `  endpoint ${id}: ${message}`);
  throw new OperatorError(`${done} ${failures.size} cannot be opened:\n${lines.join("\n")}`);
}

const listRows = (db: Store["db"], after: number): Promise<SealedRow[]> =>
  selectRows(
    db,
    sql`select ${e.id}, ${e.accountId}, ${e.verificationTokenSealed}, ${e.secretSealed}, ${e.stagedSecretSealed},
      ${e.previousSecretSealed} from ${e} where ${e.id} > ${after} order by ${e.id} limit ${BATCH}`,
    SealedRow,
  );

/** @returns the row with its new texts; null when all are sealed with the current secret */
async function resealRow(row: SealedRow, keys: KeyRing, currentId: string, random: Random): Promise<SealedRow | null> {
  const owner = { accountId: row.account_id, credentialKeys: keys };
  const next = { ...row };
  // The keys of an object literal are exactly those of its type.
  for (const [column, kind] of Object.entries(KINDS) as [SealedColumn, EndpointSecret][]) {
    const sealed = row[column];
    if (sealed === null || sealingKeyIdOf(sealed) === currentId) continue;
    next[column] = await sealEndpointSecret(kind, await openEndpointSecret(kind, sealed, owner), owner, random);
  }
  return Object.values(next).every((value, index) => value === Object.values(row)[index]) ? null : next;
}

/** @returns false when the row has changed since it was read */
async function storeRow(db: Store["db"], seen: SealedRow, next: SealedRow): Promise<boolean> {
  const updated = await run(
    db,
    sql`update ${e} set ${columnName(e.verificationTokenSealed)} = ${next.verification_token_sealed},
        ${columnName(e.secretSealed)} = ${next.secret_sealed},
        ${columnName(e.stagedSecretSealed)} = ${next.staged_secret_sealed},
        ${columnName(e.previousSecretSealed)} = ${next.previous_secret_sealed}
      where ${e.id} = ${seen.id} and ${e.verificationTokenSealed} = ${seen.verification_token_sealed}
        and ${e.secretSealed} = ${seen.secret_sealed}
        and ${e.stagedSecretSealed} is not distinct from ${seen.staged_secret_sealed}
        and ${e.previousSecretSealed} is not distinct from ${seen.previous_secret_sealed}`,
  );
  return updated === 1;
}
