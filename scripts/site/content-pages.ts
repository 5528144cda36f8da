import type { ContentFacts } from "./site-facts.ts";
import type { SitePage } from "./site-page.ts";

const KINDS: Readonly<Record<string, string>> = {
  learn: "How figures are made",
  glossary: "Terms",
  comparison: "Comparisons",
  research: "Research",
  strategy: "Strategies",
};

/** The help texts that `content/search` finds: a page for each, and a list of each kind. */
export function contentPages(items: readonly ContentFacts[]): SitePage[] {
  return [...Map.groupBy(items, ({ kind }) => kind)].flatMap(([kind, members]) => [
    {
      path: `/${kind}`,
      markdown: [
        `# ${titleOf(kind)}`,
        "Short texts about this product. [`GET /api/v1/content/search`](/docs/reference/markets#searchContent) searches all of them.",
        members.map(({ slug, title, summary }) => `- [${title}](/${kind}/${slug}): ${summary}`).join("\n"),
      ].join("\n\n"),
    },
    ...members.map(({ slug, title, summary, body }) => ({
      path: `/${kind}/${slug}`,
      markdown: [
        `# ${title}`,
        summary,
        ...body,
        `More: [${titleOf(kind)}](/${kind}) · [Methodology](/docs/methodology) · [API reference](/docs/reference)`,
      ].join("\n\n"),
    })),
  ]);
}

function titleOf(kind: string): string {
  const title = KINDS[kind];
  if (title === undefined) throw new Error(`no title is known for texts of the kind ${kind}`);
  return title;
}

export const CONTENT_LINKS = Object.entries(KINDS).map(([kind, label]) => ({ path: `/${kind}`, label }));
