/** Markup that is safe to send. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

type Value = string | Html | readonly Html[] | null;

/** A template of markup. Texts are escaped, so attributes must be quoted; null is empty. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const rendered = parts.map((part, index) => part + (index < values.length ? render(values[index] ?? null) : ""));
  return new Html(rendered.join(""));
}

function render(value: Value): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string") return value.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? "");
  return value.map(({ text }) => text).join("");
}
