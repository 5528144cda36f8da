import { hashCredential } from "../../auth/api-key-format.ts";

/**
 * A mailed code is bound by a cookie to the browser that requested it. It can be guessed three times in that
 * browser and in no other. A stranger can therefore neither use up the guesses at the owner's code nor
 * replace that code.
 *
 * Brute force: strangers can request at most 10 codes in 15 minutes for an address (`send-code.ts`), each
 * with 3 guesses at 8 digits. One year without a pause, from any number of networks, is 1,051,200 guesses: it
 * succeeds with probability 0.0105 and mails 350,400 codes to the owner. From one network it is half of that.
 */
export const CODE_DIGITS = 8;
export const CODE_SECONDS = 600;
export const MAX_CODE_GUESSES = 3;
export const CODE_COOKIE = "code_request";
export const CODE_TICKET = "code request";

const CODES = 10 ** CODE_DIGITS;
const UINT32 = 2 ** 32;

/** A uniformly distributed random code. */
export function generateCode(random: (numbers: Uint32Array<ArrayBuffer>) => Uint32Array): string {
  for (;;) {
    const [number = 0] = random(new Uint32Array(1));
    // Rejection sampling: numbers above the last whole multiple of CODES would favour low codes.
    if (number < UINT32 - (UINT32 % CODES)) return String(number % CODES).padStart(CODE_DIGITS, "0");
  }
}

/** The stored hash of a code. It is bound to the code request and to the address. */
export const hashCode = (secret: string, request: { id: string; email: string }, code: string): Promise<string> =>
  hashCredential(secret, `code\n${request.id}\n${request.email}\n${code}`);
