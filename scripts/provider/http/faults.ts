/**
 * A failure that the endpoint injects, for tests of its readers. A fault applies to the next matching calls,
 * `times` of them.
 *
 * - `status`: an error response; 429 and 503 carry `Retry-After`
 * - `garbage`: 200 with HTML; `truncated_json`: 200 with half a body; `cut`: the connection ends in mid-body
 * - `closed`: the connection ends before a response; `silent`: no response, or a live socket that stays
 *   open without messages
 * - `slow`: the correct response after `delayMs`
 * - `short_page`: fewer rows, the cursor continues after them; `repeated_page`: the route's previous
 *   response again
 * - `unordered_rows`: the page's rows in reverse; `malformed_records`: broken rows among the page's own
 */
export interface Fault {
  /** A prefix of the path: `/data/v2/trades`, `/gamma`, `/rtds`; `/` matches everything. */
  readonly path: string;
  readonly kind: FaultKind;
  /** How many calls it applies to; 1 when absent, `Infinity` until the faults are replaced. */
  readonly times?: number;
  /** Matching calls to pass through first. */
  readonly skip?: number;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly delayMs?: number;
  /** How many broken rows are inserted. */
  readonly records?: number;
}

export const FAULT_KINDS = [
  "status",
  "garbage",
  "truncated_json",
  "cut",
  "closed",
  "silent",
  "slow",
  "short_page",
  "repeated_page",
  "unordered_rows",
  "malformed_records",
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export class FaultPlan {
  #pending: { fault: Fault; skip: number; left: number }[] = [];
  readonly #lastBody = new Map<string, unknown>();

  set(faults: readonly Fault[]): void {
    this.#pending = faults.map((fault) => ({ fault, skip: fault.skip ?? 0, left: fault.times ?? 1 }));
  }

  /** The fault for this call, counted as used. */
  take(path: string): Fault | null {
    for (const entry of this.#pending) {
      if (entry.left <= 0 || !path.startsWith(entry.fault.path)) continue;
      if (entry.skip > 0) {
        entry.skip -= 1;
        continue;
      }
      entry.left -= 1;
      return entry.fault;
    }
    return null;
  }

  /** The body to send for the correct one. Remembers the correct one for `repeated_page`. */
  alterBody(path: string, body: unknown, fault: Fault | null): unknown {
    const before = this.#lastBody.get(path);
    this.#lastBody.set(path, body);
    switch (fault?.kind) {
      case "repeated_page":
        return before ?? body;
      case "unordered_rows":
        return withRows(body, (rows) => rows.toReversed());
      case "malformed_records":
        return withRows(body, (rows) => spread(rows, brokenRows(rows[0], fault.records ?? 3)));
      default:
        return body;
    }
  }
}

/** The body with the rows of its page replaced, whichever field holds them. */
function withRows(body: unknown, change: (rows: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(body)) return change(body);
  if (typeof body !== "object" || body === null) return body;
  const page = Object.entries(body).find(
    ([name, value]) => ["data", "markets", "events"].includes(name) && Array.isArray(value),
  );
  return page === undefined ? body : { ...body, [page[0]]: change(page[1]) };
}

/** Records that are broken in different ways, each still one row. */
function brokenRows(sample: unknown, count: number): readonly unknown[] {
  const like = typeof sample === "object" && sample !== null ? sample : {};
  const forms: readonly unknown[] = [
    { ...like, price: "not a number", conditionId: 7, condition_id: "0xnot-a-condition" },
    { ...like, proxy_wallet: "nobody", id: null, question: null },
    null,
    { unexpected: true },
    { ...like, size: -1, timestamp: "yesterday", outcomes: "[", clobTokenIds: 3 },
  ];
  return Array.from({ length: count }, (_, index) => forms[index % forms.length]);
}

function spread(rows: readonly unknown[], broken: readonly unknown[]): readonly unknown[] {
  const mixed = [...rows];
  broken.forEach((row, index) => mixed.splice(Math.min(index * 3, mixed.length), 0, row));
  return mixed;
}
