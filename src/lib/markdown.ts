/**
 * A text as a Markdown code span, where nothing in it has a meaning: no structure, no link, no image, no HTML. Text that others wrote goes
 * into our documents in no other way.
 *
 * Line breaks and other control characters, which could end the line, and marks that reorder or hide letters become spaces. The fence is one
 * backtick longer than the longest run inside (CommonMark 0.31, section 6.1).
 */
export function codeSpan(text: string): string {
  const plain = text.toWellFormed().replaceAll(UNSAFE, " ").trim();
  const fence = "`".repeat(Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  // A span is never empty, and a fence must not touch a backtick of its content.
  return plain === "" ? "` `" : `${fence} ${plain} ${fence}`;
}

/** Controls, line and paragraph separators, and the characters that change direction or show nothing. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * A value as JSON in an indented code block. JSON has no line break inside a text, so that nothing in it can leave the block; line breaks that
 * only some renderers know, and marks that reorder or hide letters, are written as escapes too.
 */
export function jsonBlock(value: unknown): string {
  const json = JSON.stringify(value, null, 2).replaceAll(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return json
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}

/** As UNSAFE, one at a time, but for the controls that JSON escapes itself. */
const HIDDEN = /[\u007f-\u009f\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
