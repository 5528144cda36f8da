import type { ArgumentSchema } from "./tools/check-arguments.ts";

type Text = () => Promise<{ default: string }>;

/** Reads a text of the build once, at the first request that needs it. */
function lazily<T>(read: Text, parse: (text: string) => T): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => (loaded ??= read().then(({ default: text }) => parse(text)));
}

/** The result of `tools/list` as JSON. */
export const loadToolList = lazily(
  () => import("../generated/mcp-tools.txt"),
  (text) => text.trim(),
);

/** The input schemas by tool. */
export const loadInputSchemas = lazily(
  () => import("../generated/mcp-inputs.txt"),
  (text) => JSON.parse(text) as Readonly<Record<string, ArgumentSchema>>,
);

/** docs/methodology.md. */
export const loadMethodology = lazily(
  () => import("../generated/methodology.txt"),
  (text) => text,
);
