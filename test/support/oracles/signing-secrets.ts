import { rotationStatus, type EndpointSecrets } from "../../../src/webhooks/rules/secret-rotation.ts";

/** The secrets that sign an attempt that starts now, the active one first. */
export function signingSecrets(secrets: EndpointSecrets, nowMs: number): readonly string[] {
  const { secret, previous } = secrets;
  return previous !== null && rotationStatus(secrets, nowMs) === "overlap" ? [secret, previous] : [secret];
}
