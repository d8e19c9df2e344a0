import { conformedSchema } from "@tfxio/arrow-encoding";
import type { PayloadPlan, PayloadRequest } from "@tfxio/format";
import { Schema as ArrowSchema } from "apache-arrow";
import { Column } from "./columns/column.js";
import { arrowFields } from "./columns/column-data.js";
import { type Declared, declaredFields } from "./columns/declared.js";
import { assertListed, wantedColumns } from "./columns/wanted-columns.js";
import { withRawRecords } from "./decode/raw-records.js";
import { RowSession } from "./decode/row-session.js";
import type { JsonRowOptions } from "./options.js";

/**
 * Plans the columns to read. With a schema, each feature except STRUCT becomes a list: INT is List<Int64>, FLOAT is List<Float32>
 * (Float64 for an inferred schema), and BYTES is List<Utf8>. Each further level of `value_counts` adds a level of lists. STRUCT
 * becomes a struct, which is inside lists if the feature has value counts. In a list column, a value without brackets becomes a
 * list of one. Without a schema, the rows of each batch determine its columns, and `arrowSchema` is undefined.
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`) for a feature without a supported type; `schema-mismatch`
 * (`unknown-column`) for a requested column that the schema does not have.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) if a column to read has the name of the raw record column.
 */
export function planJson(request: PayloadRequest, options: JsonRowOptions): PayloadPlan {
  const { schema, isInferred = false, columns, unlisted, rawRecordColumn, limits } = request;
  const conformed = schema && conformedSchema(schema);
  const wanted = wantedColumns(columns);
  if (conformed !== undefined) assertListed(wanted, conformed.fields);
  const fields = conformed && declaredFields(schema, conformed, isInferred ? "float" : "single");
  const declared: Declared | undefined = fields && { kind: "struct", fields };
  const createRoot = (): Column =>
    new Column(
      { path: "", wanted, unlisted, isInList: false, count: { numColumns: 0, numInLists: 0 } },
      declared,
    );
  const rules = { ...options, maxColumns: limits.maxColumns, rawRecordColumn };
  return {
    arrowSchema: declared && new ArrowSchema(withRawRecords(arrowFields(createRoot()), rawRecordColumn)),
    // Blank lines are records without a row.
    skipsRecords: true,
    createSession: () => new RowSession(createRoot(), rules),
  };
}
