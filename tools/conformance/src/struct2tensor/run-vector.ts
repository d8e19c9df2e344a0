import { ColumnPath } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { differenceOf } from "../difference.js";
import { categoryOf } from "../error-categories.js";
import { NotBuiltYet, type Outcome, outcomeOf } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { type ColumnJson, decodeCase, type MessageCase } from "./message-case.js";
import { nodeOf } from "./nodes.js";
import { columnsNotation, rowsNotation } from "./notation.js";

/** Runs a case about batches of messages, or about an expression that is no more than columns of them. */
export async function runMessageVector(vector: VectorCase): Promise<Outcome> {
  const { expect } = vector.body as unknown as MessageCase;
  try {
    const batch = await decodeCase(vector, columnsOf(vector));
    if (expect.error !== undefined) {
      return { status: "failed", detail: `expected ${expect.error.code}, got a batch` };
    }
    return outcomeOf(differenceFrom(batch, expect) ?? (await differenceOfFields(vector, expect)));
  } catch (error) {
    if (error instanceof NotBuiltYet) return { status: "skipped", reason: error.message };
    if (!isTfxioError(error) || expect.error === undefined) throw error;
    const { code, reason } = error;
    const found = {
      code: categoryOf("struct2tensor", { code, ...(reason && { reason }) }) ?? `${code}/${reason}`,
      record: "recordIndex" in error ? error.recordIndex : undefined,
    };
    const { record = found.record } = expect.error;
    return outcomeOf(differenceOf({ code: expect.error.code, record }, found, "error"));
  }
}

/** The columns that a case needs: those it projects to, or those whose nodes it looks at. */
function columnsOf({ body }: VectorCase): readonly string[] | undefined {
  const { projection, query = [], expect } = body as unknown as MessageCase;
  const [first, ...others] = query;
  if (others.length > 0 || (first !== undefined && first.op !== "project")) {
    throw new NotBuiltYet(`expressions: ${query.map(({ op }) => op).join(", ")}`);
  }
  const nodes = Object.keys(expect.nodes ?? {}).filter((path) => ColumnPath.parse(path).length > 0);
  return projection ?? first?.paths ?? (nodes.length > 0 ? withoutPrefixes(nodes) : undefined);
}

/** A message that is only passed through is no column that is asked for whole. */
function withoutPrefixes(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)));
}

function differenceFrom(batch: RecordBatch, expect: MessageCase["expect"]): string | undefined {
  const { schema, rows, nodes = {}, ragged = {} } = expect;
  const found: unknown[] = [];
  const wanted: unknown[] = [];
  if (schema !== undefined) {
    found.push(columnsNotation(batch.schema.fields), rowsNotation(batch));
    wanted.push(schema, rows);
  }
  for (const [path, node] of Object.entries(nodes)) {
    found.push(nodeOf(batch, path, node));
    wanted.push(node);
  }
  for (const [path, lists] of Object.entries(ragged)) {
    if (ColumnPath.parse(path).length > 1) continue;
    found.push(rowsNotation(batch).map((row) => (row as Readonly<Record<string, unknown>>)[path] ?? []));
    wanted.push(lists);
  }
  return differenceOf(wanted, found);
}

/** Which fields there are without asking, and which not even on request. */
async function differenceOfFields(
  vector: VectorCase,
  { knownFields = {}, absent = [] }: MessageCase["expect"],
): Promise<string | undefined> {
  for (const path of absent) {
    const found = await decodeCase(vector, [path]).then(
      () => "a column",
      ({ reason }: { readonly reason?: string }) => reason,
    );
    if (found !== "unknown-column") return `${path}: expected no such column, found ${found}`;
  }
  if (Object.keys(knownFields).length === 0) return undefined;
  const batch = await decodeCase(vector, undefined);
  const found = Object.keys(knownFields).map((path) => [path, fieldsBelow(batch, path)]);
  return differenceOf(knownFields, Object.fromEntries(found), "knownFields");
}

/** Names of the fields of a message, sorted. */
function fieldsBelow(batch: RecordBatch, path: string): readonly string[] {
  let fields: readonly ColumnJson[] = columnsNotation(batch.schema.fields);
  for (const step of ColumnPath.parse(path).steps) {
    const list = fields.find(({ name }) => name === step)?.list;
    if (list === undefined || typeof list === "string") return [];
    fields = list.struct;
  }
  return fields.map(({ name }) => name).sort();
}
