import { applyMigrations } from "./services/migrate.ts";

// Brings the database that DATABASE_URL names to the newest schema.
const databaseUrl = process.env["DATABASE_URL"];
if (databaseUrl === undefined) {
  console.error("Set DATABASE_URL to the database to migrate.");
  process.exit(1);
}
await applyMigrations(databaseUrl);
console.log("The schema is up to date.");
