import { z } from "zod";
import { CODE_DIGITS } from "./sign-in-codes.ts";

/** What the routes of the sign-in take. All of it has a bound, and nothing else gets to the library. */
const email = z.email().max(254).toLowerCase();
/** The library makes ids and tokens of 32 characters. */
const id = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/);
/** Text that people read in lists: no control characters. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "Control characters are not allowed");

const base64Url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);
const CREDENTIAL_ID_CHARACTERS = 1_364; // 1,023 bytes, the most that WebAuthn allows
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
    // No extension is asked for, so that none is answered.
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

export const Nothing = z.strictObject({});
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
