import { editDistance } from "../../lib/edit-distance.ts";
import type { ContentItem } from "./content-item.ts";

/** Weight of a matching word by field. */
const WEIGHTS = { title: 8, summary: 3, body: 1 } as const;
/** Factor on the weight for a prefix match and for a misspelled word. */
const PREFIX_FACTOR = 0.75;
const MISSPELLED_FACTOR = 0.5;
/** Minimum word length for one allowed typing error, and for two. */
const ONE_TYPO_LENGTH = 4;
const TWO_TYPOS_LENGTH = 8;
/** Minimum length of a prefix match. */
const MIN_PREFIX_LENGTH = 3;
const MAX_TERMS = 16;

/** Words without search value. */
const STOP_WORDS = new Set(
  "a an and are as at be by can do does for from how i in is it me my of on or our the this to was we what when which who why with you your".split(
    " ",
  ),
);

export interface ContentMatch {
  readonly item: ContentItem;
  /** The sentence that matches best: the summary, unless a body sentence matches more terms. */
  readonly excerpt: string;
}

/**
 * Finds the items that match all terms, exactly or similarly; without such an item, those that match the most
 * terms. Best score first, equal scores in the given order.
 *
 * @returns an empty list when no item matches any term
 */
export function findContent(items: readonly ContentItem[], query: string, limit: number): readonly ContentMatch[] {
  const words = wordsOf(query);
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  const terms = [...new Set(significant.length === 0 ? words : significant)].slice(0, MAX_TERMS);
  const scored = items.map((item) => ({ item, ...scoreOf(item, terms) })).filter(({ matched }) => matched > 0);
  const most = Math.max(0, ...scored.map(({ matched }) => matched));
  return scored
    .filter(({ matched }) => matched === most)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => ({ item, excerpt: excerptOf(item, terms) }));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function scoreOf({ title, summary, body }: ContentItem, terms: readonly string[]): { matched: number; score: number } {
  const fields = [
    { words: wordsOf(title), weight: WEIGHTS.title },
    { words: wordsOf(summary), weight: WEIGHTS.summary },
    { words: body.flatMap(wordsOf), weight: WEIGHTS.body },
  ];
  const scores = terms.map((term) => Math.max(...fields.map(({ words, weight }) => weight * similarity(term, words))));
  return { matched: scores.filter((score) => score > 0).length, score: scores.reduce((sum, score) => sum + score, 0) };
}

/** 1 for an exact match, less for a prefix or a misspelled word, 0 for no match. */
function similarity(term: string, words: readonly string[]): number {
  if (words.includes(term)) return 1;
  if (term.length >= MIN_PREFIX_LENGTH && words.some((word) => word.startsWith(term))) return PREFIX_FACTOR;
  const maxTypos = term.length >= TWO_TYPOS_LENGTH ? 2 : term.length >= ONE_TYPO_LENGTH ? 1 : 0;
  return maxTypos > 0 &&
    words.some((word) => word.length >= ONE_TYPO_LENGTH && editDistance(term, word, maxTypos) <= maxTypos)
    ? MISSPELLED_FACTOR
    : 0;
}

function excerptOf({ summary, body }: ContentItem, terms: readonly string[]): string {
  const scoreOfSentence = (sentence: string) =>
    terms.reduce((sum, term) => sum + similarity(term, wordsOf(sentence)), 0);
  return body.reduce(
    (best, sentence) => (scoreOfSentence(sentence) > scoreOfSentence(best) ? sentence : best),
    summary,
  );
}
