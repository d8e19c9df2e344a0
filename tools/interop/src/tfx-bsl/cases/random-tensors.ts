import type { VectorCase } from "@tfxio-tools/conformance/vector-file";
import { encodeMessage, parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { type Random, seeded } from "../../seeded.js";
import { chance, oneOf } from "./hostile-features.js";
import {
  type Column,
  listType,
  type Maker,
  nestedRow,
  rowsOf,
  type ValueType,
  valuesOf,
  valueType,
} from "./random-columns.js";
import { partitioned, ragged } from "./random-ragged.js";
import { asked } from "../vectors.js";

function defaultValue(below: Random, type: ValueType): string {
  const kind = chance(below, 95) ? type : valueType(below);
  if (kind.includes("binary")) return 'default_value { bytes_value: "\\377d" }';
  return kind.includes("float") ? "default_value { float_value: 2.5 }" : "default_value { int_value: 3 }";
}

const dense: Maker = (below, numRows) => {
  const type = valueType(below);
  const shape = rowsOf<number>(oneOf(below, [0, 1, 1, 2, 3]), () => oneOf(below, [0, 1, 1, 2, 3]));
  const size = shape.reduce((product, dimension) => product * dimension, 1);
  const hasDefault = chance(below, 60);
  const nullPercent = hasDefault ? 30 : 3;
  const row = (): unknown => {
    if (chance(below, nullPercent)) return null;
    return valuesOf(below, type, chance(below, 3) ? below(5) : size);
  };
  const fill = hasDefault ? defaultValue(below, type) : "";
  const dimensions = shape.map((dimension) => `dim { size: ${dimension} }`).join(" ");
  return {
    columns: [{ name: "v", type: listType(below, type), values: rowsOf(numRows, row) }],
    representation: `dense_tensor { column_name: "v" shape { ${dimensions} } ${fill} }`,
  };
};

const varlenSparse: Maker = (below, numRows) => {
  const type = valueType(below);
  const depth = chance(below, 5) ? 2 : 1;
  return {
    columns: [
      {
        name: "v",
        type: listType(below, type, depth),
        values: rowsOf(numRows, () => nestedRow(below, type, depth, 25)),
      },
    ],
    representation: 'varlen_sparse_tensor { column_name: "v" }',
  };
};

const sparse: Maker = (below, numRows) => {
  const type = valueType(below);
  const lengths = rowsOf<number>(numRows, () => below(4));
  const list = (length: number, values: (count: number) => unknown[]): unknown =>
    length === 0 && chance(below, 50) ? null : values(chance(below, 2) ? below(4) : length);
  const indices = Array.from({ length: oneOf(below, [1, 1, 2, 3]) }, (_unused, dimension) => ({
    name: `i${dimension}`,
    type: listType(below, "int64"),
    values: lengths.map((length) => list(length, (count) => rowsOf(count, () => String(below(5))))),
  }));
  const sizes = indices.map(() => `dim { size: ${oneOf(below, [5, 10, -1])} }`);
  const names = indices.map(({ name }) => `index_column_names: "${name}"`);
  const sorted = chance(below, 30) ? "already_sorted: true" : "";
  return {
    columns: [
      {
        name: "v",
        type: listType(below, type),
        values: lengths.map((length) => list(length, (count) => valuesOf(below, type, count))),
      },
      ...indices,
    ],
    representation: `sparse_tensor { value_column_name: "v" ${names.join(" ")}
      dense_shape { ${sizes.join(" ")} } ${sorted} }`,
  };
};

const makers = { dense, varlenSparse, sparse, ragged, partitioned };

/** Creates a test case for the tensor adapter. tfx_bsl provides its expected result. `representation` is in text format. */
export function adapterCase(name: string, columns: readonly Column[], representation: string): VectorCase {
  const message = parseMessageText(TensorRepresentationSchema, representation);
  const b64 = Buffer.from(encodeMessage(TensorRepresentationSchema, message)).toString("base64");
  const input = {
    record_batch: { columns },
    tensor_representations: { t: { b64, textproto: representation } },
  };
  const body = { source: asked, input, expect: { tensors: {}, type_specs: {} } };
  return { family: "tfx-bsl", group: "tensor_adapter", op: "to_tensors", name, body };
}

/** Creates cases of random batches, each with one tensor. The kinds of tensors take turns. Equal seeds produce equal cases. */
export function randomTensors(seed: number, count: number): readonly VectorCase[] {
  const below = seeded(seed);
  const kinds = Object.entries(makers);
  return Array.from({ length: count }, (_unused, index) => {
    const [kind, make] = kinds[index % kinds.length] as [string, Maker];
    const { columns, representation } = make(below, 1 + below(5));
    // A few representations name a column that is not in the batch.
    const renamed = chance(below, 2) ? representation.replace('"v"', '"w"') : representation;
    return adapterCase(`${kind} ${index}`, columns, renamed);
  });
}
