import type { Random } from "../../seeded.js";
import { chance, oneOf } from "./hostile-features.js";
import { listType, type Maker, nestedRow, rowsOf, valuesOf, valueType } from "./random-columns.js";

const partitionDtype = (below: Random): string =>
  oneOf(below, ["", "row_partition_dtype: INT32", "row_partition_dtype: INT64"]);

/** Creates a column and its ragged representation. The column has lists of one to three levels, sometimes inside structs. */
export const ragged: Maker = (below, numRows) => {
  const type = valueType(below);
  const depth = oneOf(below, [1, 1, 2, 3]);
  const lists = listType(below, type, depth);
  const row = (): unknown => nestedRow(below, type, depth, 20);
  if (chance(below, 70)) {
    return {
      columns: [{ name: "v", type: lists, values: rowsOf(numRows, row) }],
      representation: `ragged_tensor { feature_path { step: "v" } ${partitionDtype(below)} }`,
    };
  }
  const structs = (): unknown =>
    chance(below, 15) ? null : rowsOf(below(3), () => (chance(below, 10) ? null : { s: row() }));
  return {
    columns: [
      {
        name: "v",
        type: listType(below, { struct: [{ name: "s", type: lists }] }),
        values: rowsOf(numRows, structs),
      },
    ],
    representation: `ragged_tensor { feature_path { step: "v" step: "s" } ${partitionDtype(below)} }`,
  };
};

/** Creates a column of flat lists. Its representation divides them by uniform row lengths, columns of row lengths, or both. */
export const partitioned: Maker = (below, numRows) => {
  const type = valueType(below);
  const partitions = rowsOf<number | undefined>(oneOf(below, [1, 1, 2, 3]), () =>
    chance(below, 50) ? oneOf(below, [1, 2, 3]) : undefined,
  );
  const lengths: unknown[][] = partitions.map(() => []);
  const values = rowsOf(numRows, () => {
    let count = below(3);
    for (const [index, uniform] of partitions.entries()) {
      if (uniform !== undefined) count *= uniform;
      else {
        const row = rowsOf<number>(count, () => below(3));
        lengths[index]?.push(row.length === 0 && chance(below, 50) ? null : row.map(String));
        count = row.reduce((sum, length) => sum + length, 0);
      }
    }
    if (chance(below, 3)) count++;
    return count === 0 && chance(below, 50) ? null : valuesOf(below, type, count);
  });
  const texts = partitions.map((uniform, index) =>
    uniform === undefined
      ? `partition { row_length: "l${index}" }`
      : `partition { uniform_row_length: ${uniform} }`,
  );
  return {
    columns: [
      { name: "v", type: listType(below, type), values },
      ...lengths.flatMap((column, index) =>
        column.length === 0 ? [] : [{ name: `l${index}`, type: listType(below, "int64"), values: column }],
      ),
    ],
    representation: `ragged_tensor { feature_path { step: "v" } ${texts.join(" ")} ${partitionDtype(below)} }`,
  };
};
