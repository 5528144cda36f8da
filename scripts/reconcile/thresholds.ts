/**
 * Below these the command fails. The provider's rounding is known to the last digit (docs/reconciliation.md), so a position whose fills
 * are complete and whose figures it does not explain is a mistake of ours, or a fact we do not book: one is enough to look.
 */
export const LEAST_EXPLAINED_SHARE = 1;

/** A run that compared nothing has shown nothing. */
export const LEAST_COMPLETE_POSITIONS = 1;

/** Of the rows in files of a known shape. More means that a shape has changed, and figures go missing without a difference to show. */
export const MOST_UNREADABLE_SHARE = 0.01;
