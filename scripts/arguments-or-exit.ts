/**
 * Parses the command line of a command. On a mistake it prints one line with the usage and exits with 2.
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
