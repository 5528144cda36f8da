import type { Database } from "../../../src/db/client.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { openApi, type TestApiResponse, type ApiUnderTest } from "./api-under-test.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";

export interface FreshApi {
  readonly api: ApiUnderTest;
  readonly db: Database;
  readonly openPool: TestDatabase["openPool"];
}

/** The full API over a separate database. */
export async function openFreshApi(): Promise<FreshApi> {
  const database = await createTestDatabase();
  return { api: await openApi(database.db, OPERATIONS), db: database.db, openPool: database.openPool };
}

/** The ids of a list's rows, in response order. */
export const idsOf = (answer: TestApiResponse): string[] => answer.body.data.map((row: { id: string }) => row.id);

/** Status, reason and parameter of an error response. */
export const errorOf = ({ status, body }: TestApiResponse) => ({
  status,
  reason: body.error?.reason,
  param: body.error?.param,
});
