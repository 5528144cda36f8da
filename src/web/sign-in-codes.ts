import { hashCredential } from "../auth/keys.ts";

/**
 * A mailed code belongs to the browser that asked for it, by the cookie that the browser got with it, and can be guessed at three times from
 * there and not at all from elsewhere. So a stranger can neither use up the guesses at the owner's code nor replace that code.
 *
 * Guessing: an address gets at most 10 codes in 15 minutes from strangers (`send-code.ts`), each with 3 guesses at 8 digits. Doing that for a
 * year without a pause, from as many networks as it takes, is 1,051,200 guesses: it succeeds with probability 0.0105, and mails the owner
 * 350,400 codes. From one network it is half of that.
 */
export const CODE_DIGITS = 8;
export const CODE_SECONDS = 600;
export const GUESSES = 3;
export const CODE_COOKIE = "code_request";
export const CODE_TICKET = "code request";

const CODES = 10 ** CODE_DIGITS;
const UINT32 = 2 ** 32;

/** A random code, each as likely as any other. */
export function makeCode(random: (numbers: Uint32Array<ArrayBuffer>) => Uint32Array): string {
  for (;;) {
    const [number = 0] = random(new Uint32Array(1));
    // The numbers above the last whole multiple would make the low codes likelier.
    if (number < UINT32 - (UINT32 % CODES)) return String(number % CODES).padStart(CODE_DIGITS, "0");
  }
}

/** What is stored of a code. It is bound to the request that it was mailed for and to the address, so that it opens nothing else. */
export const hashCode = (secret: string, request: { id: string; email: string }, code: string): Promise<string> =>
  hashCredential(secret, `code\n${request.id}\n${request.email}\n${code}`);
