import { editDistance } from "../../lib/edit-distance.ts";
import type { ContentItem } from "./content-item.ts";

/** What a word is worth where it was found. */
const WEIGHTS = { title: 8, summary: 3, body: 1 } as const;
/** What is left of it when the word was only begun, or misspelt. */
const BEGUN = 0.75;
const MISSPELT = 0.5;
/** Words of so many letters may have one mistake, and two from the second length on. */
const ONE_MISTAKE = 4;
const TWO_MISTAKES = 8;
/** A word is begun with at least so many letters. */
const SHORTEST_BEGINNING = 3;
const MOST_WORDS = 16;

/** Words that say nothing about what is looked for. */
const EMPTY_WORDS = new Set(
  "a an and are as at be by can do does for from how i in is it me my of on or our the this to was we what when which who why with you your".split(
    " ",
  ),
);

export interface FoundContent {
  readonly item: ContentItem;
  /** The sentence of it that answers best: its summary unless another has more of the words. */
  readonly excerpt: string;
}

/**
 * The items that have all the words, or one like each of them; when none has, those with the most of them. Best first, then in the order given.
 *
 * @returns none for words that no item has anything of
 */
export function findContent(items: readonly ContentItem[], words: string, limit: number): readonly FoundContent[] {
  const wanted = wordsOf(words);
  const telling = wanted.filter((word) => !EMPTY_WORDS.has(word));
  const terms = [...new Set(telling.length === 0 ? wanted : telling)].slice(0, MOST_WORDS);
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
  const scores = terms.map((term) => Math.max(...fields.map(({ words, weight }) => weight * likeness(term, words))));
  return { matched: scores.filter((score) => score > 0).length, score: scores.reduce((sum, score) => sum + score, 0) };
}

/** 1 for a word that is there, less for one that is only begun or misspelt, 0 for one that is not there. */
function likeness(term: string, words: readonly string[]): number {
  if (words.includes(term)) return 1;
  if (term.length >= SHORTEST_BEGINNING && words.some((word) => word.startsWith(term))) return BEGUN;
  const mistakes = term.length >= TWO_MISTAKES ? 2 : term.length >= ONE_MISTAKE ? 1 : 0;
  return mistakes > 0 && words.some((word) => word.length >= ONE_MISTAKE && editDistance(term, word, mistakes) <= mistakes) ? MISSPELT : 0;
}

function excerptOf({ summary, body }: ContentItem, terms: readonly string[]): string {
  const scoreOfSentence = (sentence: string) => terms.reduce((sum, term) => sum + likeness(term, wordsOf(sentence)), 0);
  return body.reduce((best, sentence) => (scoreOfSentence(sentence) > scoreOfSentence(best) ? sentence : best), summary);
}
