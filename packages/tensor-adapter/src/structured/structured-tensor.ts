import { ArgumentError } from "@tfxio/wire";
import { formatShape } from "../format-shape.js";
import { RaggedTensor } from "../tensors/ragged-tensor.js";
import { SparseTensor } from "../tensors/sparse-tensor.js";
import type { AnyTensor } from "../tensors/to-tensor.js";
import { anObject, assertArgument, describeValue } from "@tfxio/wire/checks";

/** A field of a {@link StructuredTensor}. */
export type StructuredField = AnyTensor | StructuredTensor;

/**
 * A batch of structs whose values are TensorFlow.js tensors. This object owns the tensors. Call {@link dispose} to free them.
 * Each field is a complete tensor, with the row splits of all enclosing lists, so it can be used alone.
 */
export class StructuredTensor {
  /**
   * @param fields fields by name: structured tensors for nested structs, ragged tensors for values inside lists, otherwise dense
   * tensors.
   * @param numLists number of enclosing lists.
   */
  constructor(
    readonly fields: Readonly<Record<string, StructuredField>>,
    readonly numLists: number,
  ) {
    assertArgument("fields", fields, anObject);
    const other = Object.entries(fields).find(([, field]) => typeof field?.dispose !== "function");
    if (other === undefined) return;
    const [name, found] = other;
    throw new ArgumentError(
      "invalid-argument",
      `fields["${name}"] must be a tensor, found ${describeValue(found)}.`,
      { argument: `fields "${name}"` },
    );
  }

  /**
   * Returns the field at the end of a path through nested structs: `field("clicks", "url")`.
   * @throws {ArgumentError} `invalid-argument` (`unknown-field`).
   */
  field(...path: readonly string[]): StructuredField {
    return path.reduce<StructuredField>((found, name) => {
      if (found instanceof StructuredTensor && Object.hasOwn(found.fields, name)) {
        return found.fields[name] as StructuredField;
      }
      throw new ArgumentError("invalid-argument", `Unknown field "${path.join(".")}".`, {
        reason: "unknown-field",
        argument: "path",
      });
    }, this);
  }

  /**
   * Returns kind, shape and fields on one line: `StructuredTensor(shape=[2], fields={age: Tensor(shape=[2], dtype=int32)})`.
   * Reads no values.
   */
  toString(): string {
    const [numRows = null] = Object.values(this.fields).map(numRowsOf);
    const shape = [numRows, ...Array<null>(this.numLists).fill(null)];
    const fields = Object.entries(this.fields).map(([name, field]) => `${name}: ${describeField(field)}`);
    return `StructuredTensor(shape=${formatShape(shape)}, fields={${fields.join(", ")}})`;
  }

  /** Frees all tensors. Safe to call twice. */
  dispose(): void {
    for (const field of Object.values(this.fields)) field.dispose();
  }
}

function numRowsOf(field: StructuredField): number | null {
  if (field instanceof StructuredTensor) return Object.values(field.fields).map(numRowsOf)[0] ?? null;
  return ("denseShape" in field ? field.denseShape : field.shape)[0] ?? null;
}

/** Describes a field on one line, without the `toString` of TensorFlow.js tensors, which reads and prints their values. */
function describeField(field: StructuredField): string {
  const isOurs =
    field instanceof StructuredTensor || field instanceof SparseTensor || field instanceof RaggedTensor;
  return isOurs ? String(field) : `Tensor(shape=${formatShape(field.shape)}, dtype=${field.dtype})`;
}
