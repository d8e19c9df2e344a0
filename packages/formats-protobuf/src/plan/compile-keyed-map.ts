import { Column } from "../kernels/typescript/column.js";
import { Encoding } from "../kernels/encoding.js";
import { KeyedValues, MAP_KEY, MAP_VALUE, type MapKey } from "../kernels/typescript/keyed-values.js";
import {
  type KeyedMap,
  type KeyedValue,
  type MessagePlan,
  MessageRole,
  messagePlan,
} from "../kernels/typescript/message-plan.js";
import { RangeNotes } from "../kernels/typescript/range-notes.js";
import { actionOfColumn, type CompiledColumn } from "./action-of-column.js";
import type { Compilation } from "./compilation.js";
import type { FieldShape } from "./message-shape.js";
import { encodingOf } from "./scalar-types.js";
import type { SelectedField } from "./selection.js";

/** The requested parts of a map with separate columns for some of its keys. */
export interface KeyedParts {
  /** The columns of single keys. */
  readonly chosen: readonly SelectedField[];
  /** The compiled columns of the message that contains the map. */
  readonly columnOf: ReadonlyMap<SelectedField, CompiledColumn>;
  /** The column of all entries, if it is also requested. */
  readonly entries: CompiledColumn | undefined;
  /** Path of the message that contains the map, for errors. */
  readonly path: string;
  readonly compilation: Compilation;
}

/**
 * Compiles a map with separate columns for some keys. Each entry is first scanned for its key. If the key has a column, the entry
 * is then read again for its value.
 */
export function compileKeyedMap(
  field: FieldShape,
  { chosen, columnOf, entries, path, compilation }: KeyedParts,
): KeyedMap {
  const keyEncoding = encodingOf(field.mapKey!);
  const scanned = new Column({ encoding: keyEncoding, isRepeated: false, budget: compilation.budget });
  const isText = keyEncoding === Encoding.bytes;
  // The passes and the map refer to each other.
  const keyed: { -readonly [Key in keyof KeyedMap]?: KeyedMap[Key] } = {
    scanned,
    entries: entries?.column ?? null,
    entry: entries?.message ?? null,
  };
  keyed.scan = messagePlan(
    path,
    [],
    isText ? [] : [actionOfColumn(MAP_KEY, { column: scanned, message: null })],
    {
      role: MessageRole.keyScan,
      notes: isText ? new RangeNotes(MAP_KEY, 0) : null,
      keyed: keyed as KeyedMap,
    },
  );
  keyed.values = new KeyedValues(
    chosen.map((selected): KeyedValue => {
      const compiled = columnOf.get(selected)!;
      const value: { key: MapKey; column: Column; pass?: MessagePlan } = {
        key: selected.key!,
        column: compiled.column,
      };
      value.pass = messagePlan(path, [], [actionOfColumn(MAP_VALUE, compiled)], {
        role: MessageRole.keyedValue,
        keyed: keyed as KeyedMap,
        keyedValue: value as KeyedValue,
      });
      return value as KeyedValue;
    }),
  );
  return keyed as KeyedMap;
}
