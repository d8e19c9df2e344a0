import type { DType, HostColumn } from "./host-column.js";

/** Dimensions of a spec, the batch's first; null where any size fits. */
export type SpecShape = readonly (number | null)[];

/** Shape and dtype of a dense tensor. @see tf.TensorSpec */
export class TensorSpec {
  readonly kind = "tensor";
  constructor(
    readonly shape: SpecShape,
    readonly dtype: DType,
  ) {}

  /** True for a spec of the same kind, shape and dtype. */
  equals(other: TypeSpec): boolean {
    return other.kind === "tensor" && other.dtype === this.dtype && sameShape(this.shape, other.shape);
  }

  /** True for a host column that this spec describes, and for a spec that describes only such columns. */
  isCompatibleWith(value: HostColumn | TypeSpec): boolean {
    return (
      (value.kind === "dense" || value.kind === "tensor") &&
      value.dtype === this.dtype &&
      fits(this.shape, value.shape)
    );
  }

  toString(): string {
    return `TensorSpec(shape=${formatShape(this.shape)}, dtype=${this.dtype})`;
  }
}

/** Dense shape and dtype of a sparse tensor. @see tf.SparseTensorSpec */
export class SparseTensorSpec {
  readonly kind = "sparse";
  constructor(
    readonly shape: SpecShape,
    readonly dtype: DType,
  ) {}

  /** @see {@link TensorSpec.equals} */
  equals(other: TypeSpec): boolean {
    return other.kind === "sparse" && other.dtype === this.dtype && sameShape(this.shape, other.shape);
  }

  /** @see {@link TensorSpec.isCompatibleWith}. A size of -1 in a host column is unknown. */
  isCompatibleWith(value: HostColumn | TypeSpec): boolean {
    if (value.kind !== "sparse" || value.dtype !== this.dtype) return false;
    const shape =
      "denseShape" in value ? value.denseShape.map((size) => (size < 0 ? null : size)) : value.shape;
    return fits(this.shape, shape);
  }

  toString(): string {
    return `SparseTensorSpec(shape=${formatShape(this.shape)}, dtype=${this.dtype})`;
  }
}

/** Shape, dtype and row partitions of a ragged tensor. @see tf.RaggedTensorSpec */
export class RaggedTensorSpec {
  readonly kind = "ragged";
  /**
   * @param shape null for ragged dimensions; after the batch and `raggedRank` further ones come fixed inner dimensions.
   * @param raggedRank number of row partitions, at least 1.
   */
  constructor(
    readonly shape: SpecShape,
    readonly dtype: DType,
    readonly raggedRank: number,
    readonly rowSplitsDtype: "int32" | "int64",
  ) {}

  /** @see {@link TensorSpec.equals} */
  equals(other: TypeSpec): boolean {
    return other.kind === "ragged" && this.#samePartitions(other) && sameShape(this.shape, other.shape);
  }

  /** @see {@link TensorSpec.isCompatibleWith} */
  isCompatibleWith(value: HostColumn | TypeSpec): boolean {
    if (value.kind !== "ragged") return false;
    return this.#samePartitions(raggedSpecOf(value)) && fits(this.shape, raggedSpecOf(value).shape);
  }

  toString(): string {
    return `RaggedTensorSpec(shape=${formatShape(this.shape)}, dtype=${this.dtype}, raggedRank=${this.raggedRank}, rowSplitsDtype=${this.rowSplitsDtype})`;
  }

  #samePartitions(other: RaggedTensorSpec): boolean {
    return (
      other.dtype === this.dtype &&
      other.raggedRank === this.raggedRank &&
      other.rowSplitsDtype === this.rowSplitsDtype
    );
  }
}

/** What is known of a tensor before there is a batch. */
export type TypeSpec = TensorSpec | SparseTensorSpec | RaggedTensorSpec;

function raggedSpecOf(value: RaggedTensorSpec | Extract<HostColumn, { kind: "ragged" }>): RaggedTensorSpec {
  if (!("nestedRowSplits" in value)) return value;
  const raggedRank = value.nestedRowSplits.length;
  const numRows = (value.nestedRowSplits[0]?.length ?? 1) - 1;
  const shape = [numRows, ...Array<null>(raggedRank).fill(null), ...value.innerShape];
  return new RaggedTensorSpec(shape, value.dtype, raggedRank, value.rowSplitsDtype);
}

function sameShape(left: SpecShape, right: SpecShape): boolean {
  return left.length === right.length && left.every((size, index) => size === right[index]);
}

function fits(spec: SpecShape, shape: SpecShape): boolean {
  return spec.length === shape.length && spec.every((size, index) => size === null || size === shape[index]);
}

function formatShape(shape: SpecShape): string {
  return `[${shape.map((size) => size ?? "?").join(", ")}]`;
}
