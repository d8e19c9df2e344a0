import { invalidArgument } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { Path } from "../path/path.js";
import { wrongField } from "../expression/errors.js";
import { describeType, type FieldType } from "../prensor/nodes.js";
import { aRecordBatch } from "../prensor/schema-rules.js";
import { typeOfArrow } from "./arrow-types.js";
import { batchFields } from "./batch-reader.js";
import type { QuerySource } from "./query-source.js";
import { fieldNamesOf, type MessageType, type SourceField } from "./source-type.js";

/** Creates a source of record batches with one schema. Without `bound`, the caller passes a batch to each run. */
export function batchSource(name: string, arrowSchema: ArrowSchema, bound?: RecordBatch): QuerySource {
  const type = typeOfArrow(arrowSchema);
  return {
    kind: "batch",
    name,
    arrowSchema,
    ...(bound && { bound }),
    fieldNames: fieldNamesOf(type),
    prepare: () => Promise.resolve({ read: (data) => readBatch(name, type, data, arrowSchema) }),
  };
}

function readBatch(
  name: string,
  type: MessageType,
  data: unknown,
  arrowSchema: ArrowSchema,
): ReturnType<Awaited<ReturnType<QuerySource["prepare"]>>["read"]> {
  if (!aRecordBatch.holds(data)) throw invalidArgument(name, aRecordBatch.expected, data);
  const batch = data as RecordBatch;
  const fields = batchFields(batch);
  const found = batch.schema === arrowSchema ? undefined : typeOfArrow(batch.schema);
  return {
    size: batch.numRows,
    numSkipped: 0,
    field: (path) => {
      const declared = fieldTypeAt(type, path);
      if (found !== undefined) assertDeclared(path, declared, fieldAt(found, path)?.type);
      return fields.field(path, declared);
    },
    payload: () => {
      throw new Error("a batch has no payloads");
    },
  };
}

/** Returns the type of the field at a path, which must exist. */
export function fieldTypeAt(root: MessageType, path: Path): FieldType {
  const field = fieldAt(root, path);
  if (field === undefined) throw new Error(`no field ${path}`);
  return field.type;
}

function fieldAt(root: MessageType, path: Path): SourceField | undefined {
  let message: MessageType | undefined = root;
  let field: SourceField | undefined;
  for (const step of path.steps) {
    field = message?.child(step);
    message = field?.message;
  }
  return field;
}

/**
 * Asserts that a field of a batch has its declared type. Bool and uint8 count as the same type, because in lists,
 * only field metadata distinguishes them. Ignores a field that the batch lacks, because the reader reports it.
 * @throws {SchemaError} `schema-mismatch` (`declared-type`).
 */
function assertDeclared(path: Path, declared: FieldType, found: FieldType | undefined): void {
  if (found === undefined || storedType(declared) === storedType(found)) return;
  throw wrongField("declared-type", path, describeType(declared), found);
}

function storedType(type: FieldType): string {
  return describeType(type.kind === "leaf" && type.dtype === "bool" ? { ...type, dtype: "uint8" } : type);
}
