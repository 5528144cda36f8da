/**
 * What a command makes of its command line. A mistake there is said in one line, with the way the command is used, and ends the process with 2.
 *
 * @param parse throws an Error for a mistake
 */
export function argumentsOrExit<T>(parse: (argv: readonly string[]) => T, usage: string): T {
  try {
    return parse(process.argv.slice(2));
  } catch (error) {
    const [mistake] = (error instanceof Error ? error.message : String(error)).split("\n");
    console.error(`${mistake} Usage: ${usage}`);
    process.exit(2);
  }
}
