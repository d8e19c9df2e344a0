import {
  type AnyTensor,
  type HostColumn,
  numberArrays,
  type NumberDType,
  readTensor,
  type Tensor,
} from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { canonicalColumn } from "./canonical-column.js";
import { type ElementPart, isAnyTensor, isHostColumn } from "./element-parts.js";

/**
 * Reads a part of an element as a host column of dtype float32, int64 or string. Disposes no tensors.
 * @throws {ConversionError} `not-convertible` (`not-a-batch`) for a single value, and for anything but a tensor, host column or
 *   typed array.
 */
export async function readPart({ name, value }: ElementPart): Promise<HostColumn> {
  const found = await hostColumnOf(value, name);
  const column = found && canonicalColumn(found, name);
  if (column !== undefined && !(column.kind === "dense" && column.shape.length === 0)) return column;
  throw new ConversionError(
    "not-convertible",
    `Part "${name}" of the dataset's elements is ${describe(value)}, expected a batch: a tensor, host column or typed ` +
      "array whose first axis is rows. Call batch on the dataset first.",
    { reason: "not-a-batch", tensorName: name },
  );
}

async function hostColumnOf(value: unknown, tensorName: string): Promise<HostColumn | undefined> {
  if (isHostColumn(value)) return value;
  if (isAnyTensor(value)) {
    return value.dtype === "bool" ? readBool(value) : readTensor(value, { tensorName });
  }
  if (!ArrayBuffer.isView(value)) return undefined;
  const tag = (value as Uint8Array)[Symbol.toStringTag];
  const dtype = (Object.keys(numberArrays) as NumberDType[]).find(
    (each) => each !== "float16" && each !== "bool" && numberArrays[each].name === tag,
  );
  if (dtype === undefined) return undefined;
  const values = value as Uint8Array;
  return { kind: "dense", dtype, shape: [values.length], values, borrowed: true };
}

/** Reads a bool tensor as uint8 (0 or 1), because `readTensor` rejects bool. */
async function readBool(tensor: AnyTensor): Promise<HostColumn> {
  const read = async (flat: Tensor): Promise<Uint8Array> =>
    Uint8Array.from((await flat.data()) as Uint8Array);
  const shared = { dtype: "uint8", borrowed: true } as const;
  if ("nestedRowSplits" in tensor) {
    const nestedRowSplits = await Promise.all(
      tensor.nestedRowSplits.map(async (splits) => (await splits.data()) as Int32Array),
    );
    const values = await read(tensor.values);
    const innerShape = tensor.values.shape.slice(1);
    return { ...shared, kind: "ragged", values, nestedRowSplits, innerShape, rowSplitsDtype: "int64" };
  }
  if ("denseShape" in tensor) {
    const indices = (await tensor.indices.data()) as Int32Array;
    const { denseShape } = tensor;
    return { ...shared, kind: "sparse", values: await read(tensor.values), indices, denseShape };
  }
  return { ...shared, kind: "dense", shape: tensor.shape, values: await read(tensor) };
}

function describe(value: unknown): string {
  if (isAnyTensor(value) || isHostColumn(value)) return "a single value";
  return describeValue(value);
}
