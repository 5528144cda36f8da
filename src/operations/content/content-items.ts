import type { ContentItem } from "./content-item.ts";
import { COMPARISON } from "./items/comparison.ts";
import { GLOSSARY } from "./items/glossary.ts";
import { LEARN } from "./items/learn.ts";
import { RESEARCH } from "./items/research.ts";
import { STRATEGY } from "./items/strategy.ts";

/** All content items. The order breaks ties between equal search scores. */
export const CONTENT_ITEMS: readonly ContentItem[] = [...LEARN, ...GLOSSARY, ...COMPARISON, ...RESEARCH, ...STRATEGY];
