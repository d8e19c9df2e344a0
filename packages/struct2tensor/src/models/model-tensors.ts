import { BytesColumn } from "@tfxio/arrow-encoding";
import { type HostArrays, type HostDense, toTensor } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { constantFromJson } from "../functions/constants-from-json.js";
import { parentsOfSplits } from "../prensor/joins.js";
import type { LeafNode } from "../prensor/nodes.js";
import { countingUp, emptyNumbers } from "../prensor/positions.js";
import { denseView } from "../views/dense.js";
import { raggedView } from "../views/ragged.js";
import { sparseView } from "../views/sparse.js";
import type { InputBinding, ModelDType, OutputBinding } from "./model-call.js";
import type { TensorSignature } from "./model-signature.js";
import { modelFailed, type ModelRuntime, type ModelTensor, type QueryModel } from "./query-model.js";

/** Creates the tensor of one input on the model's backend. The caller disposes it. */
export function inputTensor(
  leaf: LeafNode,
  size: number,
  binding: InputBinding,
  { tf, signature }: QueryModel,
): ModelTensor {
  const spec = signature?.inputs.find(({ name }) => name === binding.name);
  return modelTensor(inputColumn(leaf, size, binding), spec, tf);
}

/**
 * Creates a tensor from a host column. The caller disposes it. For an int64 input of a SavedModel, the dtype of the tensor is
 * int32, but its `dataSync` returns the exact 64-bit values as bigints. The encoder of tfjs-node 4.22 takes only numbers, and
 * writes 0 into the upper 32 bits of each, so negative values would lose their sign. `loadBackend` replaces it with an encoder
 * that takes bigints. With the original encoder, running the model on bigints throws an error, so no sign is lost silently.
 */
export function modelTensor(
  column: HostDense,
  spec: TensorSignature | undefined,
  tf: ModelRuntime["tf"],
): ModelTensor {
  if (spec?.dtype !== "int64") return toTensor(column, { tf });
  const exact = BigInt64Array.from(column.values as ArrayLike<number | bigint>, BigInt);
  const low = Int32Array.from(exact, (value) => Number(BigInt.asIntN(32, value)));
  const tensor = toTensor({ ...column, dtype: "int32", values: low, borrowed: false }, { tf });
  return Object.defineProperty(tensor, "dataSync", { value: () => exact });
}

/**
 * Copies the values of a tensor that a model returned.
 * @throws {ConversionError} `shape-mismatch` (`model-output`) if the tensor's type is not `dtype`. `not-convertible`
 * (`model-failed`) on a backend that cannot read values synchronously.
 */
export function valuesOf<D extends ModelDType>(
  tensor: ModelTensor,
  { name, dtype }: { readonly name: string; readonly dtype: D },
  tf: ModelRuntime["tf"],
): HostArrays[D] {
  // tfjs-node gives int64 results the dtype int32.
  const label = dtype === "int64" ? "int32" : dtype;
  const data = tensor.dtype === label ? dataOf(tensor, tf) : undefined;
  if (data instanceof BytesColumn && dtype === "string") return data as HostArrays[D];
  if (data !== undefined && !(data instanceof BytesColumn) && dtype !== "string") {
    const values = emptyNumbers(dtype, data.length);
    if (data instanceof BigInt64Array === values instanceof BigInt64Array) {
      (values as Int32Array).set(data as ArrayLike<number>);
      return values as HostArrays[D];
    }
  }
  throw new ConversionError(
    "shape-mismatch",
    `The model's output "${name}" must be ${dtype}, found ${data instanceof BigInt64Array ? "int64" : tensor.dtype}.`,
    { reason: "model-output" },
  );
}

/** Reads the values of a tensor synchronously. Byte strings are copied. */
function dataOf(
  tensor: ModelTensor,
  tf: ModelRuntime["tf"],
): ArrayLike<number> | BigInt64Array | BytesColumn {
  try {
    if (tensor.dtype !== "string") return tensor.dataSync();
    // `dataSync` would decode the bytes as text.
    if (tf.engine === undefined)
      throw new Error(
        "The runtime's tf must have the function engine(), which gives access to byte strings.",
      );
    return BytesColumn.from(tf.engine().readSync(tensor.dataId) as unknown as readonly Uint8Array[]);
  } catch (cause) {
    throw modelFailed(cause);
  }
}

/** Returns empty output leaves, keyed by field name, for a batch without messages. */
export function emptyLeaves(outputs: readonly OutputBinding[]): Readonly<Record<string, LeafNode>> {
  const leaves = outputs.map(({ as, dtype, isRepeated }) => {
    const values = dtype === "string" ? BytesColumn.from([]) : emptyNumbers(dtype, 0);
    return [as, { kind: "leaf", isRepeated, parentIndex: new Int32Array(0), dtype, values }] as const;
  });
  return Object.fromEntries(leaves);
}

/**
 * Converts a leaf to the dense column that a binding describes. The part `dense` copies the leaf's values. The part `values`
 * borrows them. The part `rowSplits` borrows the leaf's row splits, or computes them if the leaf has none.
 */
function inputColumn(leaf: LeafNode, size: number, { name, part, width, padding }: InputBinding): HostDense {
  if (part === "dense") {
    // Treats an optional leaf as rows of at most one value.
    const sparse = sparseView(size, [{ ...leaf, isRepeated: true }]);
    const defaultValue = padding === null ? undefined : constantFromJson(padding);
    const names = { shape: "width", sizeAt: () => "width", defaultValue: "padding" };
    return denseView(sparse, { shape: [width!], defaultValue }, name, names);
  }
  const { values, nestedRowSplits } = raggedView(size, [leaf]);
  const vector = { kind: "dense", borrowed: true } as const;
  if (part === "rowSplits") {
    const [splits] = nestedRowSplits as readonly [Int32Array];
    return { ...vector, dtype: "int32", shape: [splits.length], values: splits };
  }
  return { ...vector, dtype: leaf.dtype, shape: [values.length], values };
}

/**
 * Converts a model output to a leaf. Copies the values.
 * @throws The errors of {@link valuesOf}, and `shape-mismatch` (`model-output`) if the output is missing or its shape does not
 *   fit.
 */
export function outputLeaf(
  tensor: ModelTensor | undefined,
  size: number,
  { name, dtype, isRepeated }: OutputBinding,
  { tf }: QueryModel,
): LeafNode {
  const shape = tensor?.shape ?? [];
  const [rows, width = 1] = shape;
  const hasRank = isRepeated ? shape.length === 2 : shape.length === 1 || (shape.length === 2 && width === 1);
  if (tensor === undefined || rows !== size || !hasRank) {
    const found = tensor === undefined ? "nothing" : `${tensor.dtype} [${shape.join(", ")}]`;
    const expected = `${dtype} [${isRepeated ? `${size}, n` : size}]`;
    throw new ConversionError(
      "shape-mismatch",
      `The model's output "${name}" must be ${expected}, found ${found}.`,
      { reason: "model-output" },
    );
  }
  const values = valuesOf(tensor, { name, dtype }, tf);
  const rowSplits = Int32Array.from({ length: size + 1 }, (_, row) => row * width);
  const parentIndex = isRepeated ? parentsOfSplits(rowSplits) : countingUp(size);
  return { kind: "leaf", isRepeated, parentIndex, rowSplits, dtype, values };
}
