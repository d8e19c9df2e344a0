import type { PayloadPlan, PayloadRequest } from "@tfxio/format";
import { ArgumentError } from "@tfxio/wire";
import { type Field, Schema as ArrowSchema } from "apache-arrow";
import { arrowSchemaOf, rawRecordField } from "./batch/arrow-schema.js";
import { resolveMessageType } from "./descriptor/message-types.js";
import type { ProtobufOptions } from "./options.js";
import { messageShape } from "./plan/message-shape.js";
import { selectBySchema } from "./plan/schema-selection.js";
import { selectColumns } from "./plan/select-columns.js";
import { ProtobufSession } from "./session/protobuf-session.js";

/**
 * Plans the decoding of messages: selects the columns, and derives the Arrow schema. The schema of all batches is known in
 * advance.
 * @throws {ArgumentError} `invalid-argument`: `unknown-message`, `column-path`, `duplicate-path`, `map-key`, `recursive-type`,
 *   `too-many-columns`, `raw-column-collision`.
 * @throws {SchemaError} `schema-invalid` (`descriptor`); `schema-mismatch`: `unknown-column`, `wrong-kind`, `unlisted-feature`.
 */
export function planMessages(request: PayloadRequest, options: ProtobufOptions): PayloadPlan {
  const { schema, columns, unlisted, rawRecordColumn } = request;
  const { maxRecursion, messagePaths, listType, onMalformed } = options;
  const { registry, message } = resolveMessageType(options);
  const choice = { type: messageShape(message), registry, columns, maxRecursion, messagePaths };
  const selected =
    schema === undefined ? selectColumns(choice) : selectBySchema({ ...choice, schema, unlisted });
  const arrowSchema = arrowSchemaOf(selected, listType);
  const rawField = rawRecordColumn === undefined ? undefined : rawRecordField(rawRecordColumn, listType);
  if (rawField !== undefined) assertNoCollision(rawField, arrowSchema);
  return {
    arrowSchema: rawField ? new ArrowSchema([...arrowSchema.fields, rawField]) : arrowSchema,
    skipsRecords: onMalformed === "skip",
    createSession: () => new ProtobufSession({ selected, options, arrowSchema, rawRecordField: rawField }),
  };
}

/** @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) if a column has the name of the raw record column. */
function assertNoCollision({ name }: Field, { fields }: ArrowSchema): void {
  if (!fields.some((field) => field.name === name)) return;
  throw new ArgumentError(
    "invalid-argument",
    `The raw record column "${name}" has the same name as another column.`,
    {
      reason: "raw-column-collision",
      argument: "rawRecordColumn",
    },
  );
}
