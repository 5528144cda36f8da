/**
 * Text as a terminal may show it. Market titles and names come from strangers: a control character in them could move
 * the cursor or change what was printed before.
 */
export const safeText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === "\n" ? "\n" : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
