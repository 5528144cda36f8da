/**
 * The command fails below these. The provider's rounding is known to the last digit (docs/reconciliation.md),
 * so a position with complete fills that it does not explain is our mistake, or a fact that we do not book.
 */
export const MIN_EXPLAINED_SHARE = 1;

/** A run without a compared position proves nothing. */
export const MIN_COMPLETE_POSITIONS = 1;

/**
 * Share of the rows in files of a known shape. More means that a shape has changed and figures go missing
 * unnoticed.
 */
export const MAX_UNREADABLE_SHARE = 0.01;
