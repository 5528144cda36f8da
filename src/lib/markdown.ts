/**
 * A text as a Markdown code span, so that it cannot contain structure, links, images or HTML. Third-party
 * text enters our documents only in this way.
 *
 * Line breaks and other control characters, which could end the line, and characters that reorder or hide
 * letters become spaces. The fence is one backtick longer than the longest run inside (CommonMark 0.31,
 * section 6.1).
 */
export function codeSpan(text: string): string {
  const plain = text.toWellFormed().replaceAll(UNSAFE, " ").trim();
  const fence = "`".repeat(Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  // A code span must not be empty, and its fence must not touch a backtick of the content.
  return plain === "" ? "` `" : `${fence} ${plain} ${fence}`;
}

/** Control characters, line and paragraph separators, direction marks and invisible characters. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * A value as JSON in an indented code block. JSON strings have no line breaks, so no content can end the
 * block. Line breaks that only some renderers know, and characters that reorder or hide letters, are escaped
 * too.
 */
export function jsonBlock(value: unknown): string {
  const json = JSON.stringify(value, null, 2).replaceAll(
    HIDDEN,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return json
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}

/** Like UNSAFE, one character per match, without the control characters that JSON already escapes. */
const HIDDEN = /[\u007f-\u009f\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
