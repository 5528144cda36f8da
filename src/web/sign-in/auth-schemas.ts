import { z } from "zod";
import { CODE_DIGITS } from "./sign-in-code-format.ts";

/**
 * Schemas of the sign-in routes. Every field has an upper bound, and only parsed fields reach the library.
 */
const email = z.email().max(254).toLowerCase();
/** The library generates ids and tokens of 32 characters. */
const id = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/);
/** A display name without control characters. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "Control characters are not allowed");

const base64Url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/);
const CREDENTIAL_ID_CHARACTERS = 1_364; // 1,023 bytes, the maximum of WebAuthn, in base64url
const RESPONSE_CHARACTERS = 20_000;
const credentialId = base64Url(CREDENTIAL_ID_CHARACTERS);

/** A browser's `PublicKeyCredential.toJSON()`. */
const credential = <Response extends z.ZodType>(response: Response) =>
  z.strictObject({
    id: credentialId,
    rawId: credentialId,
    type: z.literal("public-key"),
    response,
    authenticatorAttachment: z.enum(["platform", "cross-platform"]).nullish(),
    // No extension is requested, so extension results are discarded.
    clientExtensionResults: z.looseObject({}).transform(() => ({})),
  });

const attestation = z.strictObject({
  clientDataJSON: base64Url(RESPONSE_CHARACTERS),
  attestationObject: base64Url(RESPONSE_CHARACTERS),
  transports: z
    .array(
      z
        .string()
        .max(20)
        .regex(/^[a-z-]+$/),
    )
    .max(10)
    .optional(),
  authenticatorData: base64Url(RESPONSE_CHARACTERS).optional(),
  publicKey: base64Url(RESPONSE_CHARACTERS).nullish(),
  publicKeyAlgorithm: z.int().optional(),
});

const assertion = z.strictObject({
  clientDataJSON: base64Url(RESPONSE_CHARACTERS),
  authenticatorData: base64Url(RESPONSE_CHARACTERS),
  signature: base64Url(RESPONSE_CHARACTERS),
  userHandle: base64Url(200).nullish(),
});

export const EmptyObject = z.strictObject({});
export const CodeRequest = z.strictObject({ email, type: z.literal("sign-in") });
export const CodeEntry = z.strictObject({
  email,
  otp: z.string().regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), `Expected ${CODE_DIGITS} digits`),
});
export const SessionRef = z.strictObject({ token: id });
export const PasskeyRef = z.strictObject({ id });
export const PasskeyName = z.strictObject({ id, name });
export const PasskeyRegistration = z.strictObject({ response: credential(attestation), name: name.optional() });
export const PasskeySignIn = z.strictObject({ response: credential(assertion) });

const flag = z.enum(["true", "false"]).optional();

export const SessionQuery = z.strictObject({ disableCookieCache: flag, disableRefresh: flag });
export const RegistrationQuery = z.strictObject({
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional(),
  name: name.optional(),
});
