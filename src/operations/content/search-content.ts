import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { limitParam, textParam } from "../../api/params.ts";
import { CONTENT_ITEMS } from "./content-items.ts";
import { findContent } from "./find-content.ts";

const ContentSearchResult = z
  .object({
    content_id: z.string().meta({ description: "Its kind and slug with a colon between: unique.", examples: ["learn:letter-grades"] }),
    kind: z
      .enum(["learn", "glossary", "comparison", "research", "strategy"])
      .meta({ description: "What sort of text it is.", examples: ["learn"] }),
    slug: z.string().meta({ description: "Its name within its kind.", examples: ["letter-grades"] }),
    title: z.string().meta({ description: "Its title.", examples: ["What a letter grade means"] }),
    excerpt: z.string().meta({
      description: "The sentence of it that answers best.",
      examples: ["A grade from S to F says whether a wallet's purchases win more often than the prices it pays imply."],
    }),
    url: z.string().meta({ description: "Where it is on the website.", examples: ["https://www.example.com/learn/letter-grades"] }),
  })
  .meta({ id: "ContentSearchResult", description: "One of our own texts about this product." });

export const searchContent = defineOperation({
  kind: "list",
  id: "searchContent",
  method: "get",
  path: "/api/v1/content/search",
  tag: "Markets",
  summary: "Find our own texts about this product.",
  description:
    "Searches what we have written about grades, figures, lists and terms. Misspelt and unfinished words are taken for what they are like. One page, best first, without scores.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    q: textParam({ min: 1, max: 256, required: true }).meta({
      description: "What to look for, in words; blanks alone are refused.",
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
