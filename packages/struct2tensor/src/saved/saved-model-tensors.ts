import { BytesColumn } from "@tfxio/arrow-encoding";
import type { HostColumn, TypeSpec } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { modelTensor, valuesOf } from "../models/model-tensors.js";
import type { ModelTensor, QueryModel } from "../models/query-model.js";
import type { CheckedModelOutput, SavedModelView } from "./saved-model-view.js";

/**
 * Decodes records with the model. The tensors do not borrow the model's memory.
 * @throws {ConversionError} `shape-mismatch` (`model-output`), `out-of-range` (`batch-too-large`) for positions beyond int32,
 * `not-convertible` (`model-failed`).
 */
export function tensorsByModel(
  { model, outputs }: SavedModelView,
  records: readonly Uint8Array[],
): Readonly<Record<string, HostColumn>> {
  const tensors: Record<string, HostColumn> = {};
  const column = {
    kind: "dense",
    dtype: "string",
    shape: [records.length],
    values: BytesColumn.from(records),
    borrowed: false,
  } as const;
  model.tf.tidy(() => {
    const [input] = model.inputNames as readonly [string];
    const results = model.run(new Map([[input, modelTensor(column, undefined, model.tf)]]));
    for (const output of outputs) tensors[output.name] = hostColumn(output, results, model);
  });
  return tensors;
}

/**
 * Builds a host column from the model's outputs. Later, the converter checks that the column's parts match each other and the
 * spec.
 */
function hostColumn(
  output: CheckedModelOutput,
  results: ReadonlyMap<string, ModelTensor>,
  { tf }: QueryModel,
): HostColumn {
  const { dtype }: TypeSpec = output.spec;
  const named = (name: string): ModelTensor => resultOf(results, name);
  const values = <D extends Parameters<typeof valuesOf>[1]["dtype"]>(name: string, type: D) =>
    valuesOf(named(name), { name, dtype: type }, tf);
  const valueDType = dtype as "float32" | "string";
  const borrowed = false;
  switch (output.view) {
    case "dense":
      return {
        kind: "dense",
        dtype,
        shape: named(output.tensor).shape,
        values: values(output.tensor, valueDType),
        borrowed,
      };
    case "ragged": {
      const { rowSplitsDtype } = output.spec as { readonly rowSplitsDtype: "int32" | "int64" };
      return {
        kind: "ragged",
        dtype,
        values: values(output.values, valueDType),
        nestedRowSplits: output.rowSplits.map((name) => positionsOf(values(name, rowSplitsDtype), name)),
        innerShape: named(output.values).shape.slice(1),
        rowSplitsDtype,
        borrowed,
      };
    }
    case "sparse":
      return {
        kind: "sparse",
        dtype,
        indices: positionsOf(values(output.indices, "int64"), output.indices),
        values: values(output.values, valueDType),
        denseShape: [...positionsOf(values(output.denseShape, "int64"), output.denseShape)],
        borrowed,
      };
  }
}

function resultOf(results: ReadonlyMap<string, ModelTensor>, name: string): ModelTensor {
  const result = results.get(name);
  if (result !== undefined) return result;
  throw new ConversionError("shape-mismatch", `The model must return its output "${name}", found nothing.`, {
    reason: "model-output",
  });
}

/**
 * Converts row splits, indices or sizes to int32, the type that host columns use for them.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for a value beyond int32.
 */
function positionsOf(values: Int32Array | BigInt64Array, name: string): Int32Array {
  if (values instanceof Int32Array) return values;
  const positions = new Int32Array(values.length);
  values.forEach((value, index) => {
    if (BigInt.asIntN(32, value) !== value) {
      throw new ConversionError(
        "out-of-range",
        `The values of the model's output "${name}" must fit int32, found ${value}.`,
        {
          reason: "batch-too-large",
        },
      );
    }
    positions[index] = Number(value);
  });
  return positions;
}
