/** A short text of our own about this product. What it says holds of the product as it is. */
export interface ContentItem {
  readonly kind: "learn" | "glossary" | "comparison" | "research" | "strategy";
  /** Unique within its kind, and the last part of its address. */
  readonly slug: string;
  readonly title: string;
  /** One or two sentences that stand alone. */
  readonly summary: string;
  /** Sentences that say the rest. */
  readonly body: readonly string[];
}
