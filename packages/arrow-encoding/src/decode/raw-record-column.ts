import { ArgumentError } from "@tfxio/wire";
import { FeatureKind } from "@tfxio/wire/kernels";
import { type Field, Schema as ArrowSchema } from "apache-arrow";
import { type ExampleListType, exampleFields } from "../example/example-arrow-types.js";

/**
 * The schema of these columns, with the raw record column last if requested.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) if another column has its name.
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
