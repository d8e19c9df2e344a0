import { ArgumentError } from "@tfxio/wire";
import type { FieldShape, MessageShape } from "./message-shape.js";
import type { SelectedField, SelectedMessage } from "./selection.js";

/** Maximum number of columns. If each type contains the next one twice, the number of columns doubles at every level. */
const MAX_COLUMNS = 100_000;

/** Selects messages with all their fields. Counts the columns of all selections together. */
export interface WholeSelection {
  /**
   * Selects every field of the type, at every depth.
   * @throws {ArgumentError} `invalid-argument`: `recursive-type`, `too-many-columns`.
   */
  of(type: MessageShape): SelectedMessage;
}

/**
 * Creates a selection of entire messages.
 * @param maxRecursion maximum nesting of a type inside itself. Deeper levels are dropped; 0 rejects recursive types.
 */
export function createWholeSelection(maxRecursion: number): WholeSelection {
  let numColumns = 0;

  const select = (type: MessageShape, around: readonly MessageShape[]): SelectedMessage => {
    const here = [...around, type];
    const fields: SelectedField[] = [];
    for (const field of type.fields()) {
      if (!isWithin(field, here)) continue;
      if (++numColumns > MAX_COLUMNS) throw tooManyColumns(type);
      const { name, value } = field;
      const message = value.kind === "message" ? { message: select(value.message, here) } : {};
      fields.push({ name, field, kind: "field", ...message });
    }
    return { type, fields };
  };

  const isWithin = ({ value }: FieldShape, around: readonly MessageShape[]): boolean => {
    if (value.kind !== "message") return true;
    const depth = around.filter(({ typeName }) => typeName === value.message.typeName).length;
    if (depth === 0 || value.message.isMapEntry) return true;
    if (maxRecursion === 0) throw recursiveType(value.message);
    return depth <= maxRecursion;
  };

  return { of: (type) => select(type, []) };
}

function recursiveType({ typeName }: MessageShape): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `The message ${typeName} contains itself. Request columns by their paths, or set maxRecursion.`,
    { reason: "recursive-type", argument: "columns" },
  );
}

function tooManyColumns({ typeName }: MessageShape): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `More than ${MAX_COLUMNS} columns are selected, including those of ${typeName}. Request only the columns that you need.`,
    { reason: "too-many-columns", argument: "columns" },
  );
}
