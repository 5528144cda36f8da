import {
  BROAD_TAGS,
  CATEGORIES,
  DECISIVE_TAGS,
  PLACE_TAGS,
  SPORT_TAGS,
  TOPIC_TAGS,
  type Category,
  type TagTable,
} from "./category-tags.ts";

/** Moves when markets would fall into other categories than before. */
export const TAXONOMY_VERSION = "categories-1";

/** From the tags that settle the matter to those that merely hint. */
const TIERS: readonly TagTable[] = [DECISIVE_TAGS, SPORT_TAGS, TOPIC_TAGS, BROAD_TAGS, PLACE_TAGS];

/** Sports after which the provider names competitions: `soccer-el1`, `cricket-t20`. */
const NAMING_SPORTS: readonly Category[] = [
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
 * The bucket of a market with these tag slugs: the most specific tag decides, and between equally specific ones the bucket that stands
 * first in `CATEGORIES`.
 *
 * @returns null when no tag belongs to a bucket ("sports" alone names no sport)
 */
export function categoryOfTags(tags: readonly string[]): Category | null {
  const slugs = tags.map(slugOf);
  for (const tier of TIERS) {
    const category = CATEGORIES.find((candidate) => slugs.some((slug) => holds(tier, candidate, slug)));
    if (category !== undefined) return category;
  }
  return null;
}

/**
 * A category as a caller wrote it, in our spelling: variants, leagues and other cases fold. A name we do not know stays as it is, and so
 * does a subject: "bitcoin" is within Crypto, not another word for it.
 */
export function foldCategory(value: string): string {
  const slug = slugOf(value);
  const category = CATEGORIES.find(
    (candidate) => slugOf(candidate) === slug || holds(SPORT_TAGS, candidate, slug) || holds(BROAD_TAGS, candidate, slug),
  );
  return category ?? value;
}

/** Categories whose other names are taken as them on ranked lists. */
const FOLDED: readonly Category[] = ["Politics", "Pop Culture", "Science & Tech", "Stocks"];

/**
 * A category as a caller of the leaderboard wrote it. Names of politics, culture, science and business fold in any case, with Geopolitics apart; every other
 * name stays exactly as it is written. Source: the contract.
 */
export function foldSection(value: string): string {
  const slug = slugOf(value);
  return FOLDED.find((candidate) => slugOf(candidate) === slug || holds(BROAD_TAGS, candidate, slug)) ?? value;
}

function holds(tier: TagTable, category: Category, slug: string): boolean {
  if (slug === "") return false;
  if (` ${tier[category] ?? ""} `.includes(` ${slug} `)) return true;
  return tier === SPORT_TAGS && NAMING_SPORTS.includes(category) && slug.startsWith(`${slugOf(category)}-`);
}

/** "Science & Tech" is `science-tech`. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
