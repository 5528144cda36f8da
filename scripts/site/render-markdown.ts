import { createRequire } from "node:module";
import { Marked, type Tokens } from "marked";
import { describeFence } from "./code-fence.ts";

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(text: string, options: { language: string }): { value: string };
}

// Not imported: its types add those of browsers to the whole project.
const require = createRequire(import.meta.url);
const hljs = require("highlight.js/lib/core") as Highlighter;
hljs.registerLanguage("sh", require("highlight.js/lib/languages/bash"));
hljs.registerLanguage("js", require("highlight.js/lib/languages/javascript"));
hljs.registerLanguage("json", require("highlight.js/lib/languages/json"));
hljs.registerLanguage("py", require("highlight.js/lib/languages/python"));
hljs.registerLanguage("sql", require("highlight.js/lib/languages/sql"));

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly summary: string;
  readonly headings: readonly Heading[];
  /** Everything below the title. */
  readonly html: string;
}

/** The only HTML that pages may contain; any other is shown as text. */
const ALLOWED_HTML = /^\s*(<\/?details>|<summary>[^<]*<\/summary>|\s)+$/;

/**
 * A page from its Markdown. A heading's id is its text as on GitHub, or the one that it states: `## Text {#id}`.
 *
 * @throws Error without a title, with a second one, or with two equal ids
 */
export function renderMarkdown(markdown: string): RenderedPage {
  const headings: Heading[] = [];
  let title: string | null = null;
  const used = new Set<string>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: raw }: Tokens.Heading): string {
        const [, text = raw, stated] = /^(.*?)(?:\s*\{#([\w-]+)\})?$/.exec(raw) ?? [];
        const plain = plainText(text);
        if (depth === 1) {
          if (title !== null) throw new Error(`a second title: ${plain}`);
          title = plain;
          return "";
        }
        const id = stated ?? slugOf(plain, used);
        if (used.has(id)) throw new Error(`two headings have the id ${id}`);
        used.add(id);
        headings.push({ depth, id, text: plain });
        const inner = stated === undefined ? this.parser.parseInline(tokens) : marked.parseInline(text);
        return `<h${depth} id="${id}">${inner as string} <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain)}">#</a></h${depth}>\n`;
      },
      code({ text, lang }: Tokens.Code): string {
        const { language, label } = describeFence(lang ?? "");
        const body = hljs.getLanguage(language) === undefined ? escapeHtml(text) : highlight(text, language);
        return `<div class="code"><span class="code-label">${label}</span><pre tabindex="0"><code>${body}</code></pre></div>\n`;
      },
      table({ header, align, rows }: Tokens.Table): string {
        const cells = (row: readonly Tokens.TableCell[], tag: "td" | "th") =>
          row
            .map(({ tokens }, column) => {
              const side = align[column] === "right" ? ' class="right"' : "";
              const name = plainText(header[column]?.text ?? "");
              // On a phone a row becomes a list, and each value needs its column's name.
              const label = tag === "td" && column > 0 && name !== "" ? ` data-label="${escapeHtml(name)}"` : "";
              const scope = tag === "th" ? ' scope="col"' : label;
              return `<${tag}${scope}${side}>${this.parser.parseInline(tokens)}</${tag}>`;
            })
            .join("");
        const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table>\n<thead><tr>${cells(header, "th")}</tr></thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        return ALLOWED_HTML.test(text) ? text : escapeHtml(text);
      },
      image({ text }: Tokens.Image): string {
        throw new Error(`pages have no images: ${text}`);
      },
    },
  });
  const html = marked.parse(markdown) as string;
  if (title === null) throw new Error(`a page without a title: ${markdown.slice(0, 80)}`);
  const paragraph = /<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "";
  return { title, summary: unescapeHtml(paragraph.replaceAll(/<[^>]+>/g, "")).replaceAll(/\s+/g, " "), headings, html };
}

/** The id of a heading as GitHub makes it. */
function slugOf(text: string, used: ReadonlySet<string>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  for (let number = 0; ; number += 1) {
    const id = number === 0 ? slug : `${slug}-${number}`;
    if (!used.has(id)) return id;
  }
}

const highlight = (text: string, language: string): string => hljs.highlight(text, { language }).value;

const plainText = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const unescapeHtml = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
