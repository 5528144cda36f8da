/** Deeper than any body of the contract, and far below the depth that would exhaust a schema's call stack. */
const MAX_DEPTH = 32;

/** Matches a string of well-formed JSON. The capture group is the colon after a member name. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/**
 * Finds what makes well-formed JSON unsafe to use: duplicate names (parsers disagree on which value to take),
 * nesting beyond MAX_DEPTH, `__proto__`, and texts that Postgres cannot store.
 *
 * @param value the result of `JSON.parse(text)`
 * @returns an error message for the client, or null
 */
export function findJsonFault(text: string, value: unknown): string | null {
  const walk: Walk = { names: 0, fault: null };
  visit(value, 0, walk);
  if (walk.fault !== null) return walk.fault;
  return countNames(text) > walk.names ? "The body has an object with a duplicate member name." : null;
}

interface Walk {
  /** Total number of members of all objects visited. */
  names: number;
  fault: string | null;
}

function visit(value: unknown, depth: number, walk: Walk): void {
  if (typeof value === "string") checkText(value, walk);
  if (typeof value !== "object" || value === null || walk.fault !== null) return;
  if (depth === MAX_DEPTH) {
    walk.fault = `The body is nested more than ${MAX_DEPTH} levels deep.`;
    return;
  }
  if (!Array.isArray(value)) {
    for (const name of Object.keys(value)) {
      walk.names++;
      if (name === "__proto__") walk.fault = "The body has a member named __proto__.";
      checkText(name, walk);
    }
  }
  for (const part of Object.values(value)) visit(part, depth + 1, walk);
}

function checkText(text: string, walk: Walk): void {
  if (text.includes("\0") || !text.isWellFormed())
    walk.fault = "The body has a string with a NUL character or an unpaired surrogate.";
}

function countNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) count++;
  return count;
}
