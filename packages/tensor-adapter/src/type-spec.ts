import { formatShape } from "./format-shape.js";
import { type DType, type HostColumn, numberArrays } from "./host/host-column.js";
import type { AnyTensor } from "./tensors/to-tensor.js";
import { assertArgument, invalidArgument, oneOf } from "@tfxio/wire/checks";

/** Dimension sizes of a spec, beginning with the batch dimension. Null means any size. */
export type SpecShape = readonly (number | null)[];

/** Values that a spec can describe: a host column, a tensor, or another spec. */
export type SpecSubject = HostColumn | AnyTensor | TypeSpec;

/** Shape and dtype of a dense tensor. @see tf.TensorSpec */
export class TensorSpec {
  readonly kind = "tensor";
  /** @throws {ArgumentError} `invalid-argument` for an invalid shape or dtype. */
  constructor(
    readonly shape: SpecShape,
    readonly dtype: DType,
  ) {
    assertSpecShape(shape);
    assertDType(dtype);
  }

  /** True for a spec of the same kind, shape and dtype. */
  equals(other: TypeSpec): boolean {
    return other?.kind === "tensor" && other.dtype === this.dtype && sameShape(this.shape, other.shape);
  }

  /**
   * True for a host column or tensor that this spec describes, and for a spec that is at least as narrow. TensorFlow.js has fewer
   * dtypes than Arrow, so the dtype of a tensor matches if `toTensor` can produce it from this spec's dtype. For example, int32
   * and float32 both match int64.
   */
  isCompatibleWith(value: SpecSubject): boolean {
    return describes(this, value);
  }

  toString(): string {
    return `TensorSpec(shape=${formatShape(this.shape)}, dtype=${this.dtype})`;
  }
}

/** Dense shape and dtype of a sparse tensor. @see tf.SparseTensorSpec */
export class SparseTensorSpec {
  readonly kind = "sparse";
  /**
   * @param shape null if even the rank is unknown.
   * @throws {ArgumentError} `invalid-argument` for an invalid shape or dtype.
   */
  constructor(
    readonly shape: SpecShape | null,
    readonly dtype: DType,
  ) {
    if (shape !== null) assertSpecShape(shape);
    assertDType(dtype);
  }

  /** @see {@link TensorSpec.equals} */
  equals(other: TypeSpec): boolean {
    return other?.kind === "sparse" && other.dtype === this.dtype && sameShape(this.shape, other.shape);
  }

  /** @see {@link TensorSpec.isCompatibleWith}. A size of -1 in a value's `denseShape` is unknown, so it matches only null. */
  isCompatibleWith(value: SpecSubject): boolean {
    return describes(this, value);
  }

  toString(): string {
    return `SparseTensorSpec(shape=${formatShape(this.shape)}, dtype=${this.dtype})`;
  }
}

/** Shape, dtype and row partitions of a ragged tensor. @see tf.RaggedTensorSpec */
export class RaggedTensorSpec {
  readonly kind = "ragged";
  /**
   * @param shape the batch dimension, then `raggedRank` ragged dimensions, which are null, then the fixed inner dimensions.
   * @param raggedRank number of row partitions, at least 1.
   * @throws {ArgumentError} `invalid-argument` for an invalid shape, dtype, ragged rank or dtype of row splits.
   */
  constructor(
    readonly shape: SpecShape,
    readonly dtype: DType,
    readonly raggedRank: number,
    readonly rowSplitsDtype: "int32" | "int64",
  ) {
    assertSpecShape(shape);
    if (!Number.isInteger(raggedRank) || raggedRank < 1) {
      throw invalidArgument("raggedRank", "an integer of at least 1", raggedRank);
    }
    if (raggedRank >= shape.length)
      throw invalidArgument(
        "raggedRank",
        `less than ${shape.length}, the number of dimensions of the shape`,
        raggedRank,
      );
    assertDType(dtype);
    assertArgument("rowSplitsDtype", rowSplitsDtype, oneOf("int32", "int64"));
  }

  /** True for a spec of the same kind, shape, dtype, ragged rank and dtype of row splits. */
  equals(other: TypeSpec): boolean {
    return (
      other?.kind === "ragged" &&
      other.dtype === this.dtype &&
      other.raggedRank === this.raggedRank &&
      other.rowSplitsDtype === this.rowSplitsDtype &&
      sameShape(this.shape, other.shape)
    );
  }

  /** @see {@link TensorSpec.isCompatibleWith}. Tensors have int32 row splits, which match either `rowSplitsDtype`. */
  isCompatibleWith(value: SpecSubject): boolean {
    return describes(this, value);
  }

  toString(): string {
    return `RaggedTensorSpec(shape=${formatShape(this.shape)}, dtype=${this.dtype}, raggedRank=${this.raggedRank}, rowSplitsDtype=${this.rowSplitsDtype})`;
  }
}

/** Spec of a tensor: its kind, shape and dtype, known before any batch. */
export type TypeSpec = TensorSpec | SparseTensorSpec | RaggedTensorSpec;

/** Returns the exact spec of a value. A tensor keeps its TensorFlow.js dtype. */
export function specOf(value: SpecSubject): TypeSpec {
  // A tensor may also be complex64, which DType lacks because no column holds it.
  const dtype = value.dtype as DType;
  if ("denseShape" in value) {
    const shape = value.denseShape.map((size) => (size < 0 ? null : size));
    return new SparseTensorSpec(shape, dtype);
  }
  if ("nestedRowSplits" in value) {
    const { nestedRowSplits } = value;
    const raggedRank = nestedRowSplits.length;
    const innerShape = "innerShape" in value ? value.innerShape : value.values.shape.slice(1);
    const shape = [numRowsOf(nestedRowSplits[0]), ...Array<null>(raggedRank).fill(null), ...innerShape];
    const rowSplitsDtype = "rowSplitsDtype" in value ? value.rowSplitsDtype : "int32";
    return new RaggedTensorSpec(shape, dtype, raggedRank, rowSplitsDtype);
  }
  return "kind" in value && value.kind !== "dense" ? value : new TensorSpec(value.shape, dtype);
}

function numRowsOf(outermost: Int32Array | { readonly size: number } | undefined): number {
  if (outermost === undefined) return 0;
  return (ArrayBuffer.isView(outermost) ? outermost.length : outermost.size) - 1;
}

function describes(spec: TypeSpec, value: SpecSubject): boolean {
  if (!isSubject(value)) return false;
  const isTensor = !("kind" in value);
  const found = specOf(value);
  if (found.kind !== spec.kind || !fits(spec.shape, found.shape)) return false;
  const dtypes: readonly string[] = isTensor ? tensorDTypes(spec.dtype) : [spec.dtype];
  if (!dtypes.includes(found.dtype)) return false;
  if (spec.kind !== "ragged" || found.kind !== "ragged") return true;
  return found.raggedRank === spec.raggedRank && (isTensor || found.rowSplitsDtype === spec.rowSplitsDtype);
}

/** Returns false for a value that is not a tensor, a column or a spec, or whose dtype, shape or row splits are malformed. */
function isSubject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const subject = value as Partial<Record<string, unknown>>;
  const { dtype, nestedRowSplits, denseShape, innerShape, values } = subject;
  if (!isDType(dtype)) return false;
  if (denseShape !== undefined) return Array.isArray(denseShape) && denseShape.every(Number.isSafeInteger);
  if (nestedRowSplits === undefined) return subject["shape"] === null || isSpecShape(subject["shape"]);
  const hasSplits =
    Array.isArray(nestedRowSplits) && nestedRowSplits.length > 0 && nestedRowSplits.every(isRowSplits);
  return hasSplits && isSpecShape(innerShape ?? (values as { shape?: unknown } | undefined)?.shape);
}

/** True for a non-empty typed array or tensor. */
function isRowSplits(splits: unknown): boolean {
  if (typeof splits !== "object" || splits === null) return false;
  const { length, size } = splits as { readonly length?: unknown; readonly size?: unknown };
  return Number(ArrayBuffer.isView(splits) ? length : size) > 0;
}

function isSpecShape(shape: unknown): boolean {
  return (
    Array.isArray(shape) && shape.every((size) => size === null || (Number.isSafeInteger(size) && size >= 0))
  );
}

const dtypes: readonly string[] = [...Object.keys(numberArrays), "string"];

/** True for every DType and for complex64, which only tensors have, so that the spec of such a tensor can be reported. */
function isDType(dtype: unknown): boolean {
  return dtypes.includes(dtype as string) || dtype === "complex64";
}

function assertDType(dtype: unknown): void {
  if (!isDType(dtype)) throw invalidArgument("dtype", dtypes.join(" or "), dtype);
}

/** Checks that a shape is a list of sizes and nulls. @throws {ArgumentError} `invalid-argument`. */
export function assertSpecShape(shape: SpecShape): void {
  if (!isSpecShape(shape))
    throw invalidArgument("shape", "a list of sizes, with null where any size is allowed", shape);
}

/** Returns every dtype that `toTensor` can produce from this dtype. If there are several, the policy decides. */
function tensorDTypes(dtype: DType): readonly ("int32" | "float32" | "bool" | "string")[] {
  switch (dtype) {
    case "string":
    case "bool":
      return [dtype];
    case "float16":
    case "float32":
    case "float64":
      return ["float32"];
    case "int64":
    case "uint64":
    case "uint32":
      return ["int32", "float32"];
    default:
      return ["int32"];
  }
}

function sameShape(left: SpecShape | null, right: SpecShape | null): boolean {
  if (left === null || right === null) return left === right;
  return left.length === right.length && left.every((size, index) => size === right[index]);
}

function fits(spec: SpecShape | null, shape: SpecShape | null): boolean {
  if (spec === null || shape === null) return spec === null;
  return spec.length === shape.length && spec.every((size, index) => size === null || size === shape[index]);
}
