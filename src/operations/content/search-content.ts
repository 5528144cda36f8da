import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { limitParam, textParam } from "../../api/request/query-params.ts";
import { CONTENT_ITEMS } from "./content-items.ts";
import { findContent } from "./find-content.ts";

const ContentSearchResult = z
  .object({
    content_id: z
      .string()
      .meta({ description: "Unique id: kind and slug, separated by a colon.", examples: ["learn:letter-grades"] }),
    kind: z
      .enum(["learn", "glossary", "comparison", "research", "strategy"])
      .meta({ description: "Kind of text.", examples: ["learn"] }),
    slug: z.string().meta({ description: "Slug, unique within the kind.", examples: ["letter-grades"] }),
    title: z.string().meta({ description: "Title of the text.", examples: ["What a letter grade means"] }),
    excerpt: z.string().meta({
      description: "Sentence of the text that matches the query best.",
      examples: ["A grade from S to F says whether a wallet's purchases win more often than the prices it pays imply."],
    }),
    url: z.string().meta({
      description: "URL of the text on the website.",
      examples: ["https://www.example.com/learn/letter-grades"],
    }),
  })
  .meta({ id: "ContentSearchResult", description: "One help text about this product." });

export const searchContent = defineOperation({
  kind: "list",
  id: "searchContent",
  method: "get",
  path: "/api/v1/content/search",
  tag: "Markets",
  summary: "Search the help texts about this product.",
  description:
    "Searches the help texts about grades, figures, lists and terms. Misspelled and incomplete words match " +
    "similar words. Returns one page, best match first, without scores.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    q: textParam({ min: 1, max: 256, required: true }).meta({
      description: "Search words; a blank value is refused.",
      example: "letter grade",
    }),
    limit: limitParam({ max: 50, default: 10 }),
  },
  reasons: [],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: "search_content",
  item: ContentSearchResult,
  cursor: null,
  async handle({ query }, { config }) {
    if (query.q.trim() === "") throw new ApiError("invalid_query", { param: "q", message: "q must not be blank." });
    const found = findContent(CONTENT_ITEMS, query.q, query.limit);
    return {
      data: found.map(({ item: { kind, slug, title }, excerpt }) => ({
        content_id: `${kind}:${slug}`,
        kind,
        slug,
        title,
        excerpt,
        url: `${config.webBaseUrl}/${kind}/${slug}`,
      })),
      next: null,
    };
  },
});
