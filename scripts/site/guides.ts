import { readFileSync } from "node:fs";

/** Pages from Markdown of the repository: name on the site, file below docs, label in the navigation. */
export const GUIDES = [
  { group: "Start", name: "", file: "site/index.md", label: "Overview" },
  { group: "Start", name: "quickstart", file: "site/quickstart.md", label: "Quickstart" },
  { group: "Start", name: "authentication", file: "site/authentication.md", label: "Authentication" },
  { group: "Start", name: "sandbox", file: "site/sandbox.md", label: "Sandbox" },
  { group: "Guides", name: "oauth", file: "oauth.md", label: "OAuth for applications" },
  { group: "Guides", name: "requests", file: "site/requests.md", label: "Requests and responses" },
  { group: "Guides", name: "pagination", file: "site/pagination.md", label: "Pagination" },
  { group: "Guides", name: "limits", file: "site/limits.md", label: "Limits" },
  { group: "Guides", name: "errors", file: "site/errors.md", label: "Errors" },
  { group: "Guides", name: "stream", file: "site/stream.md", label: "Stream" },
  { group: "Guides", name: "webhooks", file: "site/webhooks.md", label: "Webhooks" },
  { group: "Guides", name: "datasets", file: "site/datasets.md", label: "Datasets and exports" },
  { group: "Guides", name: "mcp", file: "site/mcp.md", label: "MCP for agents" },
  { group: "Guides", name: "versions", file: "site/versions.md", label: "Versions" },
  { group: "How figures are made", name: "methodology", file: "methodology.md", label: "Methodology" },
  { group: "How figures are made", name: "signals", file: "signals.md", label: "Flags and strategies" },
  { group: "How figures are made", name: "edge", file: "edge.md", label: "Sports edge" },
  { group: "How figures are made", name: "reconciliation", file: "reconciliation.md", label: "Reconciliation" },
  { group: "Details", name: "archive", file: "archive.md", label: "The archive" },
  { group: "Details", name: "files", file: "files.md", label: "Files and proofs" },
  { group: "Details", name: "mcp-protocol", file: "mcp.md", label: "MCP protocol" },
] as const;

/** Titles of documents whose first heading is that of their first part. */
const TITLES: Readonly<Record<string, string>> = { methodology: "Methodology", signals: "Flags and strategies" };

/** The Markdown of a guide, with links that work on the site. */
export function readGuide({ name, file }: (typeof GUIDES)[number]): string {
  const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
  const title = TITLES[name];
  const whole = title === undefined ? text : `# ${title}\n\n${oneLevelDeeper(text)}`;
  return file.startsWith("site/") ? whole : withSiteLinks(whole);
}

const oneLevelDeeper = (text: string): string => text.replaceAll(/^(#+ )/gm, "#$1");

/** Links between documents become links between pages; a link to any other file of the repository becomes its text. */
const withSiteLinks = (text: string): string =>
  text.replaceAll(/\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g, (_, label: string, file: string, anchor = "") => {
    if (file === "verify.mjs") return `[${label}](/docs/verify.mjs)`;
    const page = GUIDES.find((guide) => guide.file === file);
    return page === undefined ? label : `[${label}](/docs/${page.name}${anchor})`;
  });
