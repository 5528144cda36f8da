import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import { makeSigningSecret } from "../../domain/webhooks/make-secret.ts";
import { asksForRest, decideRotation, type RotationStep } from "../../domain/webhooks/secret-rotation.ts";
import { openEndpointSecret, sealEndpointSecret } from "../../lib/endpoint-secrets.ts";
import type { EndpointRef, EndpointRow } from "../../queries/webhooks/endpoint-row.ts";
import { findSecrets, storeSecrets } from "../../queries/webhooks/secrets.ts";
import { changeAtRest } from "./at-rest.ts";
import { noEndpoint, ownEndpoint, randomBytes, sealedFor } from "./owned.ts";

/** An endpoint that keeps changing between decision and record is given up on. */
const MOST_DECISIONS = 10;

export interface ChangedSecret {
  readonly row: EndpointRow;
  /** For its owner, once; null where none is to be shown. */
  readonly signingSecret: string | null;
}

/**
 * Takes one step of a change of an endpoint's signing secret.
 *
 * @throws ApiError not_found, or the reason for which the step cannot be taken now
 */
export async function changeSecret(kind: RotationStep["kind"], id: number, context: OperationContext): Promise<ChangedSecret> {
  const ref = ownEndpoint(context.principal, id);
  const owner = sealedFor(ref, context);
  const step: RotationStep =
    kind === "prepare" || kind === "rotate"
      ? { kind, fresh: await sealEndpointSecret("signing secret", makeSigningSecret(randomBytes), owner, randomBytes) }
      : { kind };
  const { row, shown } = await changeAtRest(ref, () => takeStep(step, ref, context), context);
  return { row, signingSecret: shown === null ? null : await openEndpointSecret("signing secret", shown, owner) };
}

interface TakenStep {
  readonly row: EndpointRow;
  /** Sealed. */
  readonly shown: string | null;
}

/**
 * Decided on the secrets as they were read, and stored only over these.
 *
 * @returns null while a delivery is under way that the step has to wait for
 */
async function takeStep(step: RotationStep, ref: EndpointRef, { db, webhooks }: OperationContext): Promise<TakenStep | null> {
  // Not the request's own time: it may have waited for deliveries, and an overlap is an hour from its beginning.
  const now = new Date(webhooks.now());
  for (let decided = 0; decided < MOST_DECISIONS; decided++) {
    const found = await findSecrets(db, ref, now);
    if (found === null) throw noEndpoint(ref.id);
    const decision = decideRotation(found.secrets, step, now.getTime(), found.isBusy);
    switch (decision.kind) {
      case "not_prepared":
        throw new ApiError("webhook_secret_rotation_not_prepared", { param: "secret_rotation" });
      case "overlap_active":
        throw new ApiError("webhook_secret_rotation_overlap_active", { param: "secret_rotation" });
      case "delivery_in_progress":
        return null;
      case "settled": {
        const change = { seen: found.secrets, next: decision.secrets, atRest: asksForRest(step) };
        const row = await storeSecrets(db, ref, change, now);
        if (row !== null) return { row, shown: decision.shown };
      }
    }
  }
  throw new Error(`the secrets of webhook endpoint ${ref.id} do not stand still`);
}
