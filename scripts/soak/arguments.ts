import { parseArgs } from "node:util";

export const USAGE = "npm run soak -- [--fills N] [--seed N]";

/** @throws Error for a mistake in the arguments, as one line */
export function parseSoakArguments(argv: readonly string[]): { readonly fills: number; readonly seed: number } {
  const { values } = parseArgs({
    args: [...argv],
    options: { fills: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
  });
  return { fills: wholeNumber("--fills", values.fills), seed: wholeNumber("--seed", values.seed) };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} is a whole number above 0, not ${text}.`);
  return Number(text);
}
