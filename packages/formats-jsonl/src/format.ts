import { loadEncode } from "#coders";
import { recordFormat, type WritableFormat } from "@tfxio/format";
import { jsonContainer } from "./container.js";
import type { JsonlOptions } from "./options.js";
import { jsonPayload } from "./payload.js";

/**
 * JSON Lines, and JSON arrays of objects. Each object is a row. Without a schema, a batch has a column for each name in its
 * rows. Integers become Int64, other numbers Float64, strings Utf8, booleans Bool, lists List and objects Struct. A column with
 * only nulls becomes Null. With a schema, the columns are lists of Int64, Float32 (Float64 if the schema is inferred) or Utf8, or
 * structs, as the schema declares. A missing name and the value `null` both become null, and `[]` becomes an empty list. Row
 * positions are byte offsets.
 * @see RFC 8259; https://jsonlines.org
 */
export const jsonl: WritableFormat<JsonlOptions> = recordFormat(jsonContainer, jsonPayload, {
  id: "jsonl",
  module: import.meta.url,
  columnForm: "stored",
  createWriter: async (target, context) => (await loadEncode()).writeJson(target, context),
});
