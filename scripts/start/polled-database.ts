import pg from "pg";

/** One session, opened again whenever it broke. */
export interface PolledDatabase {
  /** @returns null while the database is away */
  findRows<Row extends pg.QueryResultRow>(statement: string): Promise<Row[] | null>;
  end(): Promise<void>;
}

export function openPolledDatabase(databaseUrl: string): PolledDatabase {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // A session may end while it is idle: when everything is stopped, or the database goes away for a while.
  pool.on("error", () => undefined);
  return {
    async findRows<Row extends pg.QueryResultRow>(statement: string) {
      try {
        return (await pool.query<Row>(statement)).rows;
      } catch (error) {
        // Class 57P is a server that starts or stops; what is not the server's word is a connection that failed. The rest is a mistake here.
        if (error instanceof pg.DatabaseError && !error.code?.startsWith("57P")) throw error;
        return null;
      }
    },
    end: () => pool.end(),
  };
}
