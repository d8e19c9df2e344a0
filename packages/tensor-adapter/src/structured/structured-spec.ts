import { assertMap } from "../check-argument.js";
import { assertSpecShape, type SpecShape, type TypeSpec } from "../type-spec.js";

/** Fields of a structured tensor and what they are. @see tf.experimental.StructuredTensor.Spec */
export class StructuredTensorSpec {
  readonly kind = "structured";
  /**
   * @param shape of the structs: `[null]` for the rows of the batch, one null more for each list around them.
   * @param fields each shape begins with `shape`.
   */
  constructor(
    readonly shape: SpecShape,
    readonly fields: ReadonlyMap<string, TypeSpec | StructuredTensorSpec>,
  ) {
    assertSpecShape(shape);
    assertMap("fields", fields);
  }

  /** True for the same shape and fields, in whatever order. */
  equals(other: TypeSpec | StructuredTensorSpec): boolean {
    if (other?.kind !== "structured" || other.shape.length !== this.shape.length) return false;
    if (other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, spec]) => {
      const found = other.fields.get(name);
      if (found === undefined) return false;
      return spec.kind === "structured"
        ? spec.equals(found)
        : found.kind !== "structured" && spec.equals(found);
    });
  }

  toString(): string {
    const fields = Array.from(this.fields, ([name, spec]) => `${name}: ${spec}`).join(", ");
    return `StructuredTensorSpec(shape=[${this.shape.map((size) => size ?? "?").join(", ")}], fields={${fields}})`;
  }
}
