/** What the first line of a code block says. */
export interface Fence {
  readonly language: string;
  /**
   * `run`: executed by the test of the documentation. `response`: the shape of what the block before it prints.
   * `no-run`: not executed, for a stated reason. Null in languages that are never executed.
   */
  readonly use: "run" | "response" | "no-run" | null;
  readonly reason: string | null;
  /** For readers. */
  readonly label: string;
}

const EXECUTABLE: Readonly<Record<string, string>> = { sh: "Shell", js: "JavaScript", py: "Python", json: "JSON" };
const OTHER: Readonly<Record<string, string>> = { sql: "SQL", text: "Text", "": "Text" };

/**
 * @param info such as `sh run`, `json response` or `sh no-run="needs a file"`
 * @throws Error for an unknown language, and for an executable one that does not say whether it is executed
 */
export function describeFence(info: string): Fence {
  const [language = "", ...rest] = info.trim().split(/\s+/);
  const marker = rest.join(" ");
  const name = EXECUTABLE[language];
  if (name === undefined) {
    const label = OTHER[language];
    if (label === undefined || marker !== "") throw new Error(`unknown code block: ${info}`);
    return { language, use: null, reason: null, label };
  }
  if (marker === "run" && language !== "json") return { language, use: "run", reason: null, label: name };
  if (marker === "response" && language === "json")
    return { language, use: "response", reason: null, label: "Response" };
  const [, reason] = /^no-run="([^"]+)"$/.exec(marker) ?? [];
  if (reason === undefined) throw new Error(`this code block does not say whether it is executed: ${info}`);
  return { language, use: "no-run", reason, label: name };
}
