import { afterAll } from "vitest";
import { dropTestDatabases } from "./database.ts";

afterAll(dropTestDatabases, 120_000);
