/** A short text about this product. It must be true of the current behaviour. */
export interface ContentItem {
  readonly kind: "learn" | "glossary" | "comparison" | "research" | "strategy";
  /** Unique within its kind; the last segment of its URL. */
  readonly slug: string;
  readonly title: string;
  /** One or two sentences that are complete without the body. */
  readonly summary: string;
  /** Further sentences. */
  readonly body: readonly string[];
}
