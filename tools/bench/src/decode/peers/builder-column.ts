import { type Builder, makeBuilder } from "apache-arrow";
import { listTypeOf } from "./arrow-fields.js";
import type { CreateColumn, FeatureValues } from "./object-decoder.js";

/** Creates a list column with a builder of arrow-js, as the arrow-js documentation recommends. */
export const builderColumn: CreateColumn = (column, int64) => {
  const start = (): Builder => makeBuilder({ type: listTypeOf(column.kind), nullValues: [null] });
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
      const data = builder.finish().flush();
      builder = start();
      return data;
    },
  };
};
