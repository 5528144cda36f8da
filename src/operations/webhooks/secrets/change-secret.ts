import { ApiError } from "../../../api/errors.ts";
import type { OperationContext } from "../../../context.ts";
import { generateSigningSecret } from "../../../webhooks/rules/generate-secret.ts";
import { requiresIdleEndpoint, decideRotation, type RotationStep } from "../../../webhooks/rules/secret-rotation.ts";
import { openEndpointSecret, sealEndpointSecret } from "../../../lib/crypto/endpoint-secrets.ts";
import type { EndpointRef, EndpointRow } from "../../../queries/webhooks/endpoint-row.ts";
import { findSecrets, storeSecrets } from "../../../queries/webhooks/secrets.ts";
import { changeWhileIdle } from "../shared/change-while-idle.ts";
import { endpointNotFound, endpointRefOf, randomBytes, sealOwnerOf } from "../shared/endpoint-access.ts";

/** Limits the retries when the secrets change between the read and the write. */
const MAX_DECISIONS = 10;

export interface SecretChangeResult {
  readonly row: EndpointRow;
  /** Shown to the owner once; null when the step shows no secret. */
  readonly signingSecret: string | null;
}

/**
 * Runs one step of the rotation of an endpoint's signing secret.
 *
 * @throws ApiError not_found, or the reason why the step is not possible now
 */
export async function changeSecret(
  kind: RotationStep["kind"],
  id: number,
  context: OperationContext,
): Promise<SecretChangeResult> {
  const ref = endpointRefOf(context.principal, id);
  const owner = sealOwnerOf(ref, context);
  const step: RotationStep =
    kind === "prepare" || kind === "rotate"
      ? {
          kind,
          fresh: await sealEndpointSecret("signing secret", generateSigningSecret(randomBytes), owner, randomBytes),
        }
      : { kind };
  const { row, shown } = await changeWhileIdle(ref, () => takeStep(step, ref, context), context);
  return { row, signingSecret: shown === null ? null : await openEndpointSecret("signing secret", shown, owner) };
}

interface StepResult {
  readonly row: EndpointRow;
  /** The secret to show, sealed; null when the step shows none. */
  readonly shown: string | null;
}

/**
 * Decides on the secrets that it has read, and stores the result only if they are unchanged (optimistic
 * concurrency).
 *
 * @returns null when the step must wait for a delivery in flight
 */
async function takeStep(
  step: RotationStep,
  ref: EndpointRef,
  { db, webhooks }: OperationContext,
): Promise<StepResult | null> {
  // Not the time of the request: it may have waited for deliveries, and the overlap lasts an hour from its
  // start.
  const now = new Date(webhooks.now());
  for (let attempt = 0; attempt < MAX_DECISIONS; attempt++) {
    const found = await findSecrets(db, ref, now);
    if (found === null) throw endpointNotFound(ref.id);
    const decision = decideRotation(found.secrets, step, now.getTime(), found.isBusy);
    switch (decision.kind) {
      case "not_prepared":
        throw new ApiError("webhook_secret_rotation_not_prepared", { param: "secret_rotation" });
      case "overlap_active":
        throw new ApiError("webhook_secret_rotation_overlap_active", { param: "secret_rotation" });
      case "delivery_in_progress":
        return null;
      case "settled": {
        const change = { seen: found.secrets, next: decision.secrets, atRest: requiresIdleEndpoint(step) };
        const row = await storeSecrets(db, ref, change, now);
        if (row !== null) return { row, shown: decision.shown };
      }
    }
  }
  // A delivery began between each read and its write, or the secrets changed: the step waits in both cases.
  if (requiresIdleEndpoint(step)) return null;
  throw new Error(`the secrets of webhook endpoint ${ref.id} changed ${MAX_DECISIONS} times during the rotation`);
}
