import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/client.ts";
import { recordOf } from "../../src/domain/accounts/credential-record.ts";
import type { AccessCheck, AccessDecision } from "../../src/domain/accounts/decide-access.ts";
import type { Env } from "../../src/env.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import { DurableObjectMeter } from "../../src/platform/objects/durable-object-meter.ts";
import { listCredentials } from "../../src/queries/accounts/credentials.ts";

/** With the meter's own timeout, well below that of a check. */
const READ_TIMEOUT_MS = 2_000;

/** Asks the meter of an account about several credentials. See `DurableObjectMeter.authorizeAll`. */
export function authorizeAccount(
  env: Env,
  accountId: number,
  checks: readonly AccessCheck[],
): Promise<(AccessDecision | null)[]> {
  return new DurableObjectMeter(env.USER_METER).authorizeAll(accountId, checks, async (hashes) => {
    const db = openDatabase(parseConfig(env), READ_TIMEOUT_MS);
    const rows = await listCredentials(db, hashes).catch((error: unknown) => {
      consoleLog.warn("stream.credentials_unavailable", { account_id: accountId, error: describeError(error) });
      throw error;
    });
    return hashes.map((hash) => recordOf(rows.find((row) => row.hash === hash) ?? null));
  });
}
