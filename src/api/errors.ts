/** The error catalogue. One row a reason: the kernel owner completes the table. */
export type Reason = string;
