import { expect, test } from "vitest";
import { StatementBatch, type BatchedStatement } from "../../../src/db/statement-batch.ts";

const aStatement = (text: string): BatchedStatement => ({
  text,
  prepared: null,
  values: [],
  isArrayMode: false,
  getTypeParser: () => String,
  resolve: () => undefined,
  reject: () => undefined,
});

function aWire() {
  const calls: string[] = [];
  const record = (name: string) => () => void calls.push(name);
  const wire = {
    parse: record("parse"),
    bind: record("bind"),
    describe: record("describe"),
    execute: record("execute"),
    sync: record("sync"),
  };
  return { calls, wire, stream: { cork: record("cork"), uncork: record("uncork") } };
}

const MESSAGES = [...["parse", "bind", "describe", "execute"], ...["parse", "bind", "describe", "execute"], "sync"];

test("the messages of a batch leave a TCP socket in one write", () => {
  const { calls, wire, stream } = aWire();
  new StatementBatch([aStatement("select 1"), aStatement("select 2")], 1_000).submit({ ...wire, stream });
  expect(calls).toEqual(["cork", ...MESSAGES, "uncork"]);
});

test("a batch does not need a socket that can buffer", () => {
  const { calls, wire } = aWire();
  new StatementBatch([aStatement("select 1"), aStatement("select 2")], 1_000).submit({ ...wire, stream: {} });
  expect(calls).toEqual(MESSAGES);
});
