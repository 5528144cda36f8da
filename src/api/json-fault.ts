/** Deeper than any body of the contract, and far from what would exhaust the stack of a schema. */
const MAX_DEPTH = 32;

/** A string, and whether it is a member's name. Matches the strings of well-formed JSON only. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/**
 * What makes well-formed JSON unsafe to read: names given twice, of which parsers keep different ones, nesting beyond MAX_DEPTH,
 * `__proto__`, and texts that Postgres cannot store.
 *
 * @param value what `JSON.parse` made of `text`
 * @returns a sentence for the client, or null
 */
export function findJsonFault(text: string, value: unknown): string | null {
  const walk: Walk = { names: 0, fault: null };
  visit(value, 0, walk);
  if (walk.fault !== null) return walk.fault;
  return countNames(text) > walk.names ? "The body has an object that names a member twice." : null;
}

interface Walk {
  /** How many members the objects visited have, together. */
  names: number;
  fault: string | null;
}

function visit(value: unknown, depth: number, walk: Walk): void {
  if (typeof value === "string") checkText(value, walk);
  if (typeof value !== "object" || value === null || walk.fault !== null) return;
  if (depth === MAX_DEPTH) {
    walk.fault = `The body is nested more than ${MAX_DEPTH} deep.`;
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
  if (text.includes("\0") || !text.isWellFormed()) walk.fault = "The body has a text with a NUL character or half a surrogate pair.";
}

function countNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) count++;
  return count;
}
