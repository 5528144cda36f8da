import pg from "pg";

/** One session, reopened after a failure. */
export interface PolledDatabase {
  /** @returns null while the database is unavailable */
  findRows<Row extends pg.QueryResultRow>(statement: string): Promise<Row[] | null>;
  end(): Promise<void>;
}

export function openPolledDatabase(databaseUrl: string): PolledDatabase {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // A session may end while idle, when everything stops or the database is restarted.
  pool.on("error", () => undefined);
  return {
    async findRows<Row extends pg.QueryResultRow>(statement: string) {
      try {
        return (await pool.query<Row>(statement)).rows;
      } catch (error) {
        // Class 57P is a server that starts or stops, and an error without a server code is a failed
        // connection. Any other error is a mistake here.
        if (error instanceof pg.DatabaseError && !error.code?.startsWith("57P")) throw error;
        return null;
      }
    },
    end: () => pool.end(),
  };
}
