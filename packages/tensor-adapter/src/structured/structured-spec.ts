import { formatShape } from "../format-shape.js";
import { assertSpecShape, type SpecShape, type SpecSubject, type TypeSpec } from "../type-spec.js";
import type { HostStructured } from "./host-structured.js";
import type { StructuredTensor } from "./structured-tensor.js";
import { assertArgument } from "@tfxio/wire/checks";
import { aMap } from "../argument-rules.js";

/** Values that a {@link StructuredTensorSpec} can describe. */
export type StructuredSubject = HostStructured | StructuredTensor | StructuredTensorSpec;

interface Structure {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly numLists: number;
}

/** Returns the fields and the list depth of a structured value, or undefined for other values. */
function structureOf(value: unknown): Structure | undefined {
  const { fields, shape, numLists, nestedRowSplits } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof fields !== "object" || fields === null) return undefined;
  if (Array.isArray(shape)) return { fields: fields as Structure["fields"], numLists: shape.length - 1 };
  const lists = Array.isArray(nestedRowSplits) ? nestedRowSplits.length : numLists;
  return { fields: new Map(Object.entries(fields)), numLists: lists as number };
}

/** Shape of a structured tensor, and the specs of its fields. @see tf.experimental.StructuredTensor.Spec */
export class StructuredTensorSpec {
  readonly kind = "structured";
  /**
   * @param shape shape of the structs: `[null]` for the rows of the batch, plus one null for each enclosing list.
   * @param fields specs by field name. The shape of each begins with `shape`.
   */
  constructor(
    readonly shape: SpecShape,
    readonly fields: ReadonlyMap<string, TypeSpec | StructuredTensorSpec>,
  ) {
    assertSpecShape(shape);
    assertArgument("fields", fields, aMap);
  }

  /** True for a structured spec with the same number of dimensions and equal specs for the same fields, in any order. */
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

  /**
   * True for a structured column, tensor or spec that has exactly these fields and the same number of enclosing lists. Each
   * field must be compatible with its spec.
   */
  isCompatibleWith(value: StructuredSubject): boolean {
    const found = structureOf(value);
    if (found === undefined || found.numLists !== this.shape.length - 1) return false;
    if (found.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, spec]) => {
      const field = found.fields.get(name);
      // The cast is safe, because `isCompatibleWith` returns false for a field of another kind.
      return field !== undefined && spec.isCompatibleWith(field as StructuredSubject & SpecSubject);
    });
  }

  toString(): string {
    const fields = Array.from(this.fields, ([name, spec]) => `${name}: ${spec}`).join(", ");
    return `StructuredTensorSpec(shape=${formatShape(this.shape)}, fields={${fields}})`;
  }
}
