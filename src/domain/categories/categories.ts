import {
  BROAD_TAGS,
  CATEGORIES,
  DECISIVE_TAGS,
  REGION_TAGS,
  SPORT_TAGS,
  TOPIC_TAGS,
  type Category,
  type TagTable,
} from "./category-tags.ts";

/** Changes whenever some market would get another category. */
export const TAXONOMY_VERSION = "categories-1";

/** Tag tables from the most specific to the least specific. */
const TIERS: readonly TagTable[] = [DECISIVE_TAGS, SPORT_TAGS, TOPIC_TAGS, BROAD_TAGS, REGION_TAGS];

/** Sports that the provider uses as a prefix of competition tags: `soccer-el1`, `cricket-t20`. */
const PREFIX_SPORTS: readonly Category[] = [
  "Soccer",
  "Cricket",
  "Basketball",
  "Baseball",
  "Hockey",
  "Tennis",
  "Table Tennis",
  "Golf",
  "Esports",
];

/**
 * The category of a market with these tag slugs: the most specific tag decides. Between equally specific
 * tags, the category that comes first in `CATEGORIES` wins.
 *
 * @returns null when no tag belongs to a category ("sports" alone does not say which sport)
 */
export function categoryOfTags(tags: readonly string[]): Category | null {
  const slugs = tags.map(slugOf);
  for (const tier of TIERS) {
    const category = CATEGORIES.find((candidate) => slugs.some((slug) => hasTag(tier, candidate, slug)));
    if (category !== undefined) return category;
  }
  return null;
}

/**
 * Normalises a category from a client to our spelling: variants, leagues and case. An unknown name is
 * returned unchanged, and so is a topic: "bitcoin" is within Crypto, not a synonym of it.
 */
export function normalizeCategory(value: string): string {
  const slug = slugOf(value);
  const category = CATEGORIES.find(
    (candidate) =>
      slugOf(candidate) === slug || hasTag(SPORT_TAGS, candidate, slug) || hasTag(BROAD_TAGS, candidate, slug),
  );
  return category ?? value;
}

/** Categories whose synonyms are accepted on ranked lists. */
const CATEGORIES_WITH_SYNONYMS: readonly Category[] = ["Politics", "Pop Culture", "Science & Tech", "Stocks"];

/**
 * Normalises a category from a client of the leaderboard. Synonyms of politics, culture, science and business
 * are accepted in any case, with Geopolitics separate; every other name stays exactly as written. Source: the
 * contract.
 */
export function normalizeLeaderboardCategory(value: string): string {
  const slug = slugOf(value);
  return (
    CATEGORIES_WITH_SYNONYMS.find((candidate) => slugOf(candidate) === slug || hasTag(BROAD_TAGS, candidate, slug)) ??
    value
  );
}

function hasTag(tier: TagTable, category: Category, slug: string): boolean {
  if (slug === "") return false;
  if (` ${tier[category] ?? ""} `.includes(` ${slug} `)) return true;
  return tier === SPORT_TAGS && PREFIX_SPORTS.includes(category) && slug.startsWith(`${slugOf(category)}-`);
}

/** "Science & Tech" becomes `science-tech`. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
