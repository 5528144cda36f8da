import { applyMigrations } from "../services/postgres/apply-migrations.ts";

// Migrates the database of DATABASE_URL to the newest schema.
const databaseUrl = process.env["DATABASE_URL"];
if (databaseUrl === undefined) {
  console.error("Set DATABASE_URL to the database to migrate.");
  process.exit(1);
}
await applyMigrations(databaseUrl);
console.log("The schema is up to date.");
