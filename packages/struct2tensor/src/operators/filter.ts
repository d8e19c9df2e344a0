import { unusable, wrongField } from "../expression/errors.js";
import { shapeMismatch } from "../prensor/shape-mismatch.js";
import { addField, fieldAtPath } from "../expression/find-field.js";
import type { Field } from "../expression/graph-node.js";
import type { Path, Step } from "../path/path.js";
import { areEqual } from "../prensor/joins.js";
import { fieldAt, leafAt, type Operator } from "./operator.js";
import { keepElements, takenField } from "./take.js";

/**
 * Copies a message field. The copy keeps only the messages whose child, an optional bool, is present and true.
 * @throws {SchemaError} `schema-mismatch`: `mask-not-bool`, `mask-repeated`.
 * @throws {ArgumentError} `invalid-argument` (`root-filter`) for the root.
 */
export function filterByChild(root: Field, path: Path, child: Step, as: Step): Field {
  const maskPath = path.child(child);
  const mask = boolField(root, maskPath);
  if (mask.isRepeated) throw wrongField("mask-repeated", maskPath, "optional to be a filter", mask);
  return filtered(root, path, maskPath, { as, op: "filterByChild" });
}

/**
 * Adds a copy of the field with only the elements whose sibling, a bool with the same parents, is true.
 * @throws {SchemaError} `schema-mismatch` (`mask-not-bool`).
 * @throws {ArgumentError} `invalid-argument` (`root-filter`) for the root.
 * @throws {ConversionError} `shape-mismatch` (`expression-shape`), when the query runs, if the parent indices of the two fields
 *   differ.
 */
export function filterBySibling(root: Field, path: Path, sibling: Step, as: Step): Field {
  if (path.length === 0) throw unusable("root-filter", "The root cannot be filtered.");
  const maskPath = path.parent().child(sibling);
  fieldAtPath(root, path);
  boolField(root, maskPath);
  return filtered(root, path, maskPath, { as, op: "filterBySibling" });
}

/** Returns the type of a bool leaf. @throws {SchemaError} `schema-mismatch` (`mask-not-bool`) for any other field. */
function boolField(
  root: Field,
  path: Path,
): { readonly kind: "leaf"; readonly isRepeated: boolean; readonly dtype: "bool" } {
  const { type } = fieldAtPath(root, path).node;
  if (type.kind !== "leaf" || type.dtype !== "bool") throw wrongField("mask-not-bool", path, "a bool", type);
  return { ...type, dtype: type.dtype };
}

/** Adds the filtered copy beside the field. @param mask path of the bool leaf. */
function filtered(
  root: Field,
  path: Path,
  mask: Path,
  { as, op }: { readonly as: Step; readonly op: string },
): Field {
  if (path.length === 0) throw unusable("root-filter", "The root cannot be filtered.");
  const field = fieldAtPath(root, path);
  const inputs = [field.node, fieldAtPath(root, mask).node];
  return addField(
    root,
    path.parent(),
    as,
    takenField({ op, attrs: {}, inputs, type: field.node.type }, field),
  );
}

/** Computes the messages whose optional bool child is present and true. */
export const filterByChildOperator: Operator = {
  op: "filterByChild",
  calculate(inputs) {
    // The parent of each bool is a message, so the parent indices of the true bools are the positions to keep.
    const { parentIndex, values } = leafAt(inputs, 1);
    return keepElements(
      fieldAt(inputs, 0),
      parentIndex.filter((_, index) => (values as Uint8Array)[index] !== 0),
    );
  },
};

/** Computes the elements whose bool sibling is true. */
export const filterBySiblingOperator: Operator = {
  op: "filterBySibling",
  calculate(inputs) {
    const field = fieldAt(inputs, 0);
    const mask = leafAt(inputs, 1);
    if (!areEqual(field.parentIndex, mask.parentIndex)) {
      throw shapeMismatch(
        `A field and the bool that filters it must have the same parent indices, but the parents of the field's ` +
          `${field.parentIndex.length} elements differ from those of the bool's ${mask.parentIndex.length} elements.`,
      );
    }
    const kept = new Int32Array(field.parentIndex.length);
    let numKept = 0;
    const values = mask.values as Uint8Array;
    for (let index = 0; index < kept.length; index++) if (values[index] !== 0) kept[numKept++] = index;
    return keepElements(field, kept.slice(0, numKept));
  },
};
