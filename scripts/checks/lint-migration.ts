import { parse, type AlterTableCmd, type ColumnDef, type Constraint, type Node } from "libpg-query";
import { readMarkers, type MigrationMarkers } from "../services/postgres/migration-markers.ts";

/**
 * What is known when a statement is judged: the markers of its file and what earlier statements of the file
 * did.
 */
interface Migration extends MigrationMarkers {
  /** Tables that the file has created: they are empty and no release uses them. */
  readonly created: Set<string>;
  /** Tables to which the file has added a constraint, and `table.constraint` that it has validated. */
  readonly constrained: Set<string>;
  readonly validated: Set<string>;
}

const BREAK = "--> statement-breakpoint";

/**
 * Judges a migration by Postgres' own parse tree: what would lock a table for long, what running code of the
 * previous release would not survive, and what cannot be repeated after an interruption.
 *
 * @returns one line per finding, empty when there is none
 */
export async function lintMigration(text: string): Promise<string[]> {
  const migration: Migration = {
    ...readMarkers(text),
    created: new Set(),
    constrained: new Set(),
    validated: new Set(),
  };
  const findings: string[] = [];
  for (const chunk of text.split(BREAK)) {
    const { stmts = [] } = await parse(chunk);
    if (migration.withoutTransaction && stmts.length > 1)
      findings.push(`separate the statements by ${BREAK}: several at once are one transaction`);
    for (const { stmt } of stmts) if (stmt !== undefined) findings.push(...judge(stmt, migration));
  }
  return findings;
}

function judge(statement: Node, migration: Migration): string[] {
  const findings = [...judgeRemoval(statement, migration), ...judgeRepetition(statement, migration)];
  if ("CreateStmt" in statement) migration.created.add(statement.CreateStmt.relation?.relname ?? "");
  if ("DoStmt" in statement) findings.push("DO hides its statements from this check: write them out");
  findings.push(...judgeIndex(statement, migration));
  if ("AlterTableStmt" in statement) {
    const table = statement.AlterTableStmt.relation?.relname ?? "";
    if (!migration.created.has(table))
      for (const command of commandsOf(statement)) findings.push(...judgeCommand(table, command, migration));
  }
  return findings;
}

const commandsOf = (statement: Node): AlterTableCmd[] =>
  "AlterTableStmt" in statement
    ? (statement.AlterTableStmt.cmds ?? []).flatMap((node) => ("AlterTableCmd" in node ? [node.AlterTableCmd] : []))
    : [];

function judgeIndex(statement: Node, { created, withoutTransaction }: Migration): string[] {
  const isIndex = "IndexStmt" in statement;
  const isDrop = "DropStmt" in statement && statement.DropStmt.removeType === "OBJECT_INDEX";
  if (!isIndex && !isDrop) return [];
  const isConcurrent = isIndex ? statement.IndexStmt.concurrent === true : statement.DropStmt.concurrent === true;
  if (isIndex && !isConcurrent && created.has(statement.IndexStmt.relation?.relname ?? "")) return [];
  if (!isConcurrent)
    return [
      isIndex
        ? "CREATE INDEX blocks writes until it is built: add CONCURRENTLY"
        : "DROP INDEX blocks reads and writes while it waits: add CONCURRENTLY",
    ];
  return withoutTransaction ? [] : ["CONCURRENTLY cannot run in a transaction: begin the file with -- no-transaction"];
}

function judgeCommand(table: string, command: AlterTableCmd, migration: Migration): string[] {
  const { name = "", def } = command;
  switch (command.subtype) {
    case "AT_AddColumn":
      return def !== undefined && "ColumnDef" in def ? judgeColumn(def.ColumnDef) : [];
    case "AT_AlterColumnType":
      return ["a column's new type rewrites the table and breaks running code: add a column, copy, switch, drop"];
    case "AT_SetNotNull":
      return migration.validated.has(`${table}.${table}_${name}_not_null`)
        ? []
        : [
            "SET NOT NULL reads the whole table under a lock: validate CHECK (… IS NOT NULL) in this file first, " +
              `as ${table}_${name}_not_null`,
          ];
    case "AT_AddConstraint":
      migration.constrained.add(table);
      return def !== undefined && "Constraint" in def ? judgeConstraint(def.Constraint) : [];
    case "AT_ValidateConstraint":
      migration.validated.add(`${table}.${name}`);
      return migration.constrained.has(table) && !migration.withoutTransaction
        ? ["VALIDATE in the transaction that added the constraint keeps its lock: validate in the next migration"]
        : [];
    default:
      return [];
  }
}

const VALIDATED = new Set(["CONSTR_FOREIGN", "CONSTR_CHECK", "CONSTR_NOTNULL"]);
const INDEXED = new Set(["CONSTR_UNIQUE", "CONSTR_PRIMARY", "CONSTR_EXCLUSION"]);

function judgeConstraint({ contype = "CONSTR_NULL", skip_validation, indexname }: Constraint): string[] {
  if (VALIDATED.has(contype) && skip_validation !== true)
    return ["ADD CONSTRAINT reads the whole table under a lock: add it NOT VALID, VALIDATE it in the next migration"];
  if (INDEXED.has(contype) && indexname === undefined)
    return ["the constraint builds its index under a lock: create it CONCURRENTLY, then ADD CONSTRAINT … USING INDEX"];
  return [];
}

const SERIAL = new Set(["serial", "bigserial", "smallserial", "serial4", "serial8", "serial2"]);

function judgeColumn({ constraints = [], typeName }: ColumnDef): string[] {
  const rules = constraints.flatMap((node) => ("Constraint" in node ? [node.Constraint] : []));
  const kinds = new Set(rules.map(({ contype }) => contype));
  const findings: string[] = [];
  const isFilled = kinds.has("CONSTR_DEFAULT") || kinds.has("CONSTR_GENERATED") || kinds.has("CONSTR_IDENTITY");
  if (kinds.has("CONSTR_NOTNULL") && !isFilled)
    findings.push("a NOT NULL column without a default fails on existing rows and on inserts of running code");
  const isSerial = (typeName?.names ?? []).some((part) => "String" in part && SERIAL.has(part.String.sval ?? ""));
  const rewrites =
    isSerial ||
    kinds.has("CONSTR_IDENTITY") ||
    rules.some(({ contype, generated_kind }) => contype === "CONSTR_GENERATED" && generated_kind !== "v") ||
    rules.some(({ contype, raw_expr }) => contype === "CONSTR_DEFAULT" && hasVolatileCall(raw_expr));
  if (rewrites)
    findings.push("a volatile default rewrites the table under a lock: add the column without it and fill it later");
  for (const { contype = "CONSTR_NULL" } of rules)
    if (INDEXED.has(contype) || contype === "CONSTR_FOREIGN" || contype === "CONSTR_CHECK")
      findings.push("a constraint of a new column is checked under a lock: add the column first, the constraint later");
  return findings;
}

/** Functions that give one value for the whole statement. Any other function is taken for volatile. */
const STABLE = new Set(["now", "transaction_timestamp", "statement_timestamp"]);

function hasVolatileCall(expression: unknown): boolean {
  if (typeof expression !== "object" || expression === null) return false;
  if ("FuncCall" in expression) {
    const { funcname } = (expression as Extract<Node, { FuncCall: unknown }>).FuncCall;
    const last = funcname?.at(-1);
    if (last === undefined || !("String" in last) || !STABLE.has(last.String.sval ?? "")) return true;
  }
  return Object.values(expression).some(hasVolatileCall);
}

const REMOVED = new Set([
  "OBJECT_TABLE",
  "OBJECT_VIEW",
  "OBJECT_MATVIEW",
  "OBJECT_TYPE",
  "OBJECT_SEQUENCE",
  "OBJECT_SCHEMA",
]);
const RENAMED = new Set(["OBJECT_COLUMN", ...REMOVED]);

/** What running code may still use. */
function judgeRemoval(statement: Node, { contractRelease, created }: Migration): string[] {
  if (contractRelease !== null) return [];
  const removes =
    ("DropStmt" in statement && REMOVED.has(statement.DropStmt.removeType ?? "")) ||
    "TruncateStmt" in statement ||
    commandsOf(statement).some(({ subtype }) => subtype === "AT_DropColumn");
  const renames =
    ("RenameStmt" in statement &&
      RENAMED.has(statement.RenameStmt.renameType ?? "") &&
      !created.has(statement.RenameStmt.relation?.relname ?? "")) ||
    "AlterObjectSchemaStmt" in statement;
  return [
    ...(removes ? ["running code may use what is removed: mark the file -- contract: RELEASE once none does"] : []),
    ...(renames ? ["a rename breaks running code: add the new one, switch, then drop the old one"] : []),
  ];
}

const REPEATABLE_COMMANDS = new Set(["AT_ValidateConstraint", "AT_SetNotNull", "AT_DropNotNull", "AT_ColumnDefault"]);

/** After an interruption, a file without a transaction runs again from its first statement. */
function judgeRepetition(statement: Node, { withoutTransaction }: Migration): string[] {
  if (!withoutTransaction || isRepeatable(statement)) return [];
  return ["without a transaction a statement must be repeatable: IF [NOT] EXISTS, ON CONFLICT, or another file"];
}

function isRepeatable(statement: Node): boolean {
  if ("IndexStmt" in statement) return statement.IndexStmt.if_not_exists === true;
  if ("DropStmt" in statement) return statement.DropStmt.missing_ok === true;
  if ("CreateStmt" in statement) return statement.CreateStmt.if_not_exists === true;
  if ("InsertStmt" in statement) return statement.InsertStmt.onConflictClause !== undefined;
  if ("AlterTableStmt" in statement)
    return commandsOf(statement).every(
      ({ subtype = "AT_AddColumn", missing_ok }) => REPEATABLE_COMMANDS.has(subtype) || missing_ok === true,
    );
  return ["UpdateStmt", "DeleteStmt", "VacuumStmt", "VariableSetStmt"].some((kind) => kind in statement);
}
