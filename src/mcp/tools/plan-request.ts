import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation, type Operation } from "../../api/operation.ts";
import { parseBody } from "../../api/request/read-body.ts";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import type { Principal } from "../../context.ts";
import type { BudgetState, MeterVerdict } from "../../platform/objects/meter.ts";
import type { Json } from "../protocol/json-rpc.ts";
import { checkArguments, type ArgumentSchema } from "./check-arguments.ts";
import { buildRequest, type RestRequest } from "./build-request.ts";
import type { ToolOperation } from "./tool.ts";

const RequestPlanRequest = z
  .strictObject({
    tool: z.string().max(100).meta({ description: "The name of the planned tool.", example: "get_trader" }),
    arguments: z
      .looseObject({})
      .default({})
      .meta({ description: "The arguments of the planned call. None when omitted.", example: { address: "trd_12" } }),
  })
  .meta({ id: "RequestPlanRequest", description: "A call to plan." });

const Budget = z.object({
  limit: z.int().meta({ description: "Units in the whole period.", example: 100 }),
  remaining: z.int().meta({ description: "Units left.", example: 98 }),
  reset_at: z.iso.datetime().meta({ description: "When the period ends, UTC.", example: "2026-11-20T12:01:00.000Z" }),
});

const RequestPlan = z
  .object({
    tool: z.string().meta({ description: "The planned tool.", example: "get_trader" }),
    method: z.string().meta({ description: "The HTTP method of the same REST request.", example: "GET" }),
    path: z.string().nullable().meta({
      description: "Path and query of the same REST request; null when the arguments do not match.",
      example: "/api/v1/trader/trd_12",
    }),
    problem: z
      .object({
        param: z.string().meta({ description: "The argument at fault.", example: "limit" }),
        message: z.string().meta({ description: "What is wrong.", example: "limit must be of type integer." }),
      })
      .nullable()
      .meta({ description: "The first argument that does not match the tool's schema; null when all match." }),
    cost: z.int().meta({
      description: "The `meta.cost` of the call. Every call counts as one request of the minute.",
      example: 1,
    }),
    batch_units: z
      .int()
      .nullable()
      .meta({ description: "Units of the minute's batch budget; null for tools that are no batch.", example: null }),
    missing_scope: z
      .enum(SCOPES)
      .nullable()
      .meta({ description: "The scope that the key lacks for the call; null when it has it.", example: null }),
    missing_plan: z
      .enum(["pro", "max"])
      .nullable()
      .meta({ description: "The plan that the account lacks for the call; null when it has it.", example: null }),
    max_cache_age_s: z.int().meta({
      description:
        "The greatest age in seconds that the served response can have on top of the age of its data; 0 when it is " +
        "computed for each call. A response with `data_quality` or `as_of` states the age of its data itself.",
      example: 2,
    }),
    budgets: z
      .object({
        minute: Budget.meta({ description: "Requests of the account in the sliding minute." }),
        month: Budget.meta({ description: "Requests of the account in this month." }),
      })
      .meta({ description: "What is left before the call." }),
  })
  .meta({ id: "RequestPlan", description: "What a call would cost, and what is left to spend." });

/** A stale response is served for this long while it is recomputed. */
const REVALIDATION_SECONDS = 2;

/**
 * The operation behind the tool `plan_request`. It spends none of the budgets that it reports, because it costs
 * nothing; like the usage operation it is limited to 100 calls a minute.
 */
export function definePlanRequest(
  findTool: (name: string) => ToolOperation | undefined,
  loadSchemas: () => Promise<Readonly<Record<string, ArgumentSchema>>>,
): Operation {
  return defineOperation({
    kind: "single",
    id: "planRequest",
    method: "post",
    path: "/api/v1/mcp",
    tag: "MCP",
    summary: "Plan a tool call before running it.",
    description:
      "Says what the call would cost, how old its answer can be, whether the key may make it, and which budgets are " +
      "left. Runs nothing and takes nothing from the quota.",
    access: "key",
    scope: "read",
    plan: "pro",
    cost: 0,
    params: {},
    query: {},
    reasons: ["not_found"],
    conditional: false,
    cacheSeconds: 0,
    mcpTool: "plan_request",
    reportsAccounting: false,
    object: "request_plan",
    data: RequestPlan,
    body: RequestPlanRequest,
    async handle({ body }, { principal, admission }) {
      if (principal === null || admission === null) throw new Error("a plan requires an authenticated principal");
      const operation = findTool(body.tool);
      const schema = (await loadSchemas())[body.tool];
      if (operation === undefined || schema === undefined)
        throw new ApiError("not_found", {
          param: "tool",
          message: "No tool has this name. tools/list names all tools.",
        });
      return { data: presentPlan({ operation, schema, args: body.arguments }, principal, admission) };
    },
  });
}

interface PlannedCall {
  readonly operation: ToolOperation;
  readonly schema: ArgumentSchema;
  readonly args: Json;
}

function presentPlan(
  { operation, schema, args }: PlannedCall,
  { scopes, entitledPlan }: Principal,
  { primary, quota }: MeterVerdict,
): z.input<typeof RequestPlan> {
  const { mcpTool, method, cost, scope, plan, cacheSeconds, staleWhileRevalidate } = operation;
  const problem = checkArguments(schema, args);
  const rest = problem === null ? buildRequest(operation, args) : null;
  return {
    tool: mcpTool ?? "",
    method: method.toUpperCase(),
    path: rest?.target ?? null,
    problem,
    cost,
    batch_units: countUnits(operation, rest),
    missing_scope: scope === null || scopes.includes(scope) ? null : scope,
    missing_plan: plan === "max" && entitledPlan !== "max" ? "max" : null,
    max_cache_age_s: cacheSeconds + (cacheSeconds > 0 && staleWhileRevalidate === true ? REVALIDATION_SECONDS : 0),
    budgets: { minute: presentBudget(primary), month: presentBudget(quota) },
  };
}

function countUnits(operation: ToolOperation, rest: RestRequest | null): number | null {
  if (operation.kind !== "single" || operation.batchUnits === undefined || operation.body === undefined) return null;
  return rest?.body == null ? null : operation.batchUnits(parseBody(operation.body, JSON.parse(rest.body)));
}

const presentBudget = ({ limit, remaining, resetAtMs }: BudgetState) => ({
  limit,
  remaining,
  reset_at: new Date(resetAtMs).toISOString(),
});
