/** Fills the array with random bytes and returns it. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

const SECRET_BYTES = 32;
const TOKEN_BYTES = 16;

/**
 * A signing secret: `whsec_` and 32 random bytes as 43 characters that decode equally in base64 and
 * base64url, because receivers use either. A secret with a character of only one of the alphabets is drawn
 * again (three of four draws), which leaves more than 253 bits of entropy.
 */
export function generateSigningSecret(random: RandomBytes): string {
  for (;;) {
    const text = btoa(String.fromCharCode(...random(new Uint8Array(SECRET_BYTES)))).replace(/=+$/, "");
    if (!/[+/]/.test(text)) return `whsec_${text}`;
  }
}

/** A token with which an owner proves control of an endpoint: `whv_` and 32 hex digits. */
export function generateVerificationToken(random: RandomBytes): string {
  const hex = Array.from(random(new Uint8Array(TOKEN_BYTES)), (byte) => byte.toString(16).padStart(2, "0"));
  return `whv_${hex.join("")}`;
}
