import { type Builder, type Data, makeBuilder } from "apache-arrow";
import { listTypeOf } from "./arrow-fields.js";
import type { CreateColumn, FeatureValues } from "./object-decoder.js";

/** A list column through arrow-js builders: the route its documentation shows. */
export const builderColumn: CreateColumn = (column, int64) => {
  // The builder's type depends on the column; a list builder takes arrays of the item's values, or null.
  const start = (): Builder =>
    makeBuilder({ type: listTypeOf(column.kind), nullValues: [null] }) as unknown as Builder;
  const items =
    column.kind === "int64"
      ? (values: FeatureValues) => values && Array.from(values, (value) => int64.toBigInt(value))
      : (values: FeatureValues) => values;
  let builder = start();
  return {
    append: (values) => {
      builder.append(items(values));
    },
    finish: () => {
      const data = builder.finish().flush() as Data;
      builder = start();
      return data;
    },
  };
};
