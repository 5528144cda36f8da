import type { ArgumentSchema } from "./tools/check-arguments.ts";

type Import = () => Promise<{ default: string }>;

/** Texts of the build, each loaded by the first request that needs it. */
export interface McpTexts {
  /** The result of `tools/list` as JSON. */
  loadToolList(): Promise<string>;
  /** The input schemas by tool. */
  loadInputSchemas(): Promise<Readonly<Record<string, ArgumentSchema>>>;
  /** docs/methodology.md. */
  loadMethodology(): Promise<string>;
}

export function openMcpTexts(imports: {
  readonly toolList: Import;
  readonly inputSchemas: Import;
  readonly methodology: Import;
}): McpTexts {
  return {
    loadToolList: lazily(imports.toolList, (text) => text.trim()),
    // Our own build wrote the file.
    loadInputSchemas: lazily(
      imports.inputSchemas,
      (text) => JSON.parse(text) as Readonly<Record<string, ArgumentSchema>>,
    ),
    loadMethodology: lazily(imports.methodology, (text) => text),
  };
}

function lazily<T>(read: Import, parse: (text: string) => T): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => (loaded ??= read().then(({ default: text }) => parse(text)));
}
