import type { Database } from "../../src/db/client.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import { openApi, type Answer, type ApiUnderTest } from "./api-under-test.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export interface FreshApi {
  readonly api: ApiUnderTest;
  readonly db: Database;
  readonly openPool: TestDatabase["openPool"];
}

/** The whole API over a database of its own. */
export async function openFreshApi(): Promise<FreshApi> {
  const database = await createTestDatabase();
  return { api: await openApi(database.db, OPERATIONS), db: database.db, openPool: database.openPool };
}

/** The ids of a list's rows, in the order they were served. */
export const idsOf = (answer: Answer): string[] => answer.body.data.map((row: { id: string }) => row.id);

/** What matters of a refusal. */
export const refusalOf = ({ status, body }: Answer) => ({ status, reason: body.error?.reason, param: body.error?.param });
