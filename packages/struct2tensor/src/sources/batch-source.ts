import { invalidArgument } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { Path } from "../path/path.js";
import type { FieldType } from "../prensor/nodes.js";
import { aRecordBatch } from "../prensor/schema-rules.js";
import { typeOfArrow } from "./arrow-types.js";
import { batchFields } from "./batch-reader.js";
import type { QuerySource } from "./query-source.js";
import { fieldNamesOf, type MessageType, type SourceField } from "./source-type.js";

/** Creates a source of record batches with one schema. Without `bound`, the batch is passed on each run. */
export function batchSource(name: string, arrowSchema: ArrowSchema, bound?: RecordBatch): QuerySource {
  const type = typeOfArrow(arrowSchema);
  return {
    kind: "batch",
    name,
    arrowSchema,
    ...(bound && { bound }),
    fieldNames: fieldNamesOf(type),
    prepare: () => Promise.resolve({ read: (data) => readBatch(name, type, data) }),
  };
}

function readBatch(
  name: string,
  type: MessageType,
  data: unknown,
): ReturnType<Awaited<ReturnType<QuerySource["prepare"]>>["read"]> {
  if (!aRecordBatch.holds(data)) throw invalidArgument(name, aRecordBatch.expected, data);
  const batch = data as RecordBatch;
  const fields = batchFields(batch);
  return {
    size: batch.numRows,
    numSkipped: 0,
    field: (path) => fields.field(path, fieldTypeAt(type, path)),
    payload: () => {
      throw new Error("a batch has no payloads");
    },
  };
}

/** Returns the type of the field at a path, which must exist. */
export function fieldTypeAt(root: MessageType, path: Path): FieldType {
  let message: MessageType | undefined = root;
  let field: SourceField | undefined;
  for (const step of path.steps) {
    field = message?.child(step);
    message = field?.message;
  }
  if (field === undefined) throw new Error(`no field ${path}`);
  return field.type;
}
