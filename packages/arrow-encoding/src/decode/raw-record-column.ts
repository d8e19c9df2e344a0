import { ArgumentError } from "@tfxio/wire";
import { FeatureKind } from "@tfxio/wire/kernels";
import { type Field, Schema as ArrowSchema } from "apache-arrow";
import { type ExampleListType, exampleFields } from "../example/example-arrow-types.js";

/**
 * Creates a schema of `fields`. If `rawRecordColumn` is set, appends the field of a raw record column with that name.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) if a field already has the name `rawRecordColumn`.
 */
export function schemaWithRawRecords(
  fields: readonly Field[],
  rawRecordColumn: string | undefined,
  listType: ExampleListType,
): ArrowSchema {
  if (rawRecordColumn === undefined) return new ArrowSchema([...fields]);
  if (fields.some(({ name }) => name === rawRecordColumn)) {
    throw new ArgumentError(
      "invalid-argument",
      `The raw record column "${rawRecordColumn}" has the same name as another column.`,
      { reason: "raw-column-collision", argument: "rawRecordColumn" },
    );
  }
  const raw = exampleFields([{ name: rawRecordColumn, kind: FeatureKind.bytes }], listType);
  return new ArrowSchema([...fields, ...raw]);
}
