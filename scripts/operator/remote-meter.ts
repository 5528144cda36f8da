import { OPERATOR_PATH, SIGNATURE_HEADER, signOperatorCall } from "../../src/auth/operator-signature.ts";
import type { OperatorCall } from "../../src/api/operator-call.ts";
import { MeterUnavailable, type Meter } from "../../src/platform/objects/meter.ts";

const TIMEOUT_MS = 5_000;

/** The meters of a running product, over its signed route. */
export function openRemoteMeter(apiBaseUrl: string, secret: string): Pick<Meter, "refuse" | "forget"> {
  const call = async (change: OperatorCall): Promise<void> => {
    const body = JSON.stringify(change);
    const response = await fetch(new URL(OPERATOR_PATH, apiBaseUrl), {
      method: "POST",
      headers: { "content-type": "application/json", [SIGNATURE_HEADER]: await signOperatorCall(secret, body) },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new MeterUnavailable(`${apiBaseUrl} did not respond`, { cause });
    });
    if (response.status !== 204)
      throw new MeterUnavailable(`${apiBaseUrl} answered ${response.status}: check API_BASE_URL and CREDENTIAL_SECRET`);
  };
  return {
    refuse: async (account_id, hashes) => {
      if (hashes.length > 0) await call({ action: "refuse", account_id, hashes: [...hashes], at_ms: Date.now() });
    },
    forget: (account_id) => call({ action: "forget", account_id, at_ms: Date.now() }),
  };
}
