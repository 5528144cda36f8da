import pg from "pg";
import { argumentsOrExit } from "../arguments-or-exit.ts";
import { parseSqlArguments, readVariables, USAGE, type SqlRequest } from "./arguments.ts";
import { findExample } from "./find-example.ts";
import { presentPlan, presentStatement } from "./present-statement.ts";
import { findReadOperation, listReadOperations } from "./read-operations.ts";
import { explain, runRead } from "./run-read.ts";

// Lists the read operations, or prints the statements of one of them with their plans.
const request = argumentsOrExit(parseSqlArguments, USAGE);
if (request === null) {
  console.log(listReadOperations());
} else {
  await printStatements(request).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}

async function printStatements({ operation, path, withPlans, dataDir }: SqlRequest): Promise<void> {
  const variables = readVariables(process.env, dataDir);
  const client = new pg.Client({ connectionString: variables["DATABASE_URL"] });
  await client.connect();
  try {
    const run = { client, variables };
    const ask = async (asked: string): Promise<unknown> => {
      const asking = findReadOperation(asked.split("?")[0] ?? "");
      if (asking === null) throw new Error(`No read operation serves ${asked}.`);
      return JSON.parse((await runRead(asking, { path: asked }, run)).body ?? "null");
    };
    const example = await findExample({ operation, path }, client, ask);
    const { statements, error } = await runRead(operation, example, run);
    console.log(`-- ${operation.method.toUpperCase()} ${example.path}`);
    if (example.body !== undefined) console.log(`-- ${JSON.stringify(example.body)}`);
    // A handler that waits for something sends the same statement again.
    const distinct = new Map(statements.map((statement) => [JSON.stringify(statement), statement]));
    if (distinct.size === 0) console.log("-- no statement");
    for (const statement of distinct.values()) {
      console.log(`\n${presentStatement(statement)}`);
      if (withPlans) console.log(`\n${presentPlan(await explain(client, statement))}`);
    }
    if (error !== null) throw new Error(`The response is the error ${error.reason}: ${error.message}`);
  } finally {
    await client.end();
  }
}
