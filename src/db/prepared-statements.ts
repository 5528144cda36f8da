import type { PreparedStatement } from "./statement-batch.ts";

/** Each takes memory of the session until it ends. */
const MAX_STATEMENTS = 100;

/** Names are unique within the process, so that two objects never give a session the same one. */
let count = 0;

/** The prepared statements of one session, by text. Statements beyond the maximum are not prepared. */
export class PreparedStatements {
  readonly #byText = new Map<string, PreparedStatement>();

  find(text: string): PreparedStatement | null {
    let statement = this.#byText.get(text) ?? null;
    if (statement === null && this.#byText.size < MAX_STATEMENTS) {
      statement = { name: `s${++count}`, isSent: false };
      this.#byText.set(text, statement);
    }
    return statement;
  }
}
