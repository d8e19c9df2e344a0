import { Column } from "../kernel/column.js";
import { Encoding } from "../kernel/encoding.js";
import { type KeyedMap, KeyedValues, MAP_KEY, MAP_VALUE } from "../kernel/keyed-map.js";
import { type FieldAction, type MessagePlan, MessageRole, messagePlan } from "../kernel/message-plan.js";
import { RangeNotes } from "../kernel/range-notes.js";
import type { Compilation } from "./compilation.js";
import type { FieldShape } from "./message-shape.js";
import { encodingOf, wireTypeOf } from "./scalar-types.js";
import type { SelectedField } from "./selection.js";

/** What is read of a map by key. */
export interface KeyedParts {
  readonly chosen: readonly SelectedField[];
  readonly columnOf: ReadonlyMap<SelectedField, Column>;
  /** The column of all entries, if they are wanted too. */
  readonly entries: Column | null;
  readonly path: string;
  readonly compilation: Compilation;
}

/** A map of which some keys have columns of their own. */
export function compileKeyedMap(
  field: FieldShape,
  { chosen, columnOf, entries, path, compilation }: KeyedParts,
): KeyedMap {
  const keyEncoding = encodingOf(field.mapKey!);
  const scanned = new Column({ encoding: keyEncoding, isRepeated: false, budget: compilation.budget });
  const isText = keyEncoding === Encoding.bytes;
  // The passes know the map, and the map the passes.
  const keyed: { -readonly [Key in keyof KeyedMap]?: KeyedMap[Key] } = { scanned, entries };
  keyed.scan = messagePlan(path, [], isText ? [] : [actionOfEntry(MAP_KEY, scanned)], {
    role: MessageRole.keyScan,
    notes: isText ? new RangeNotes(MAP_KEY, 0) : null,
    keyed: keyed as KeyedMap,
  });
  keyed.values = new KeyedValues(
    chosen.map((selected) => {
      const column = columnOf.get(selected)!;
      const value: { key: NonNullable<SelectedField["key"]>; column: Column; pass?: MessagePlan } = {
        key: selected.key!,
        column,
      };
      value.pass = messagePlan(path, [], [actionOfEntry(MAP_VALUE, column)], {
        role: MessageRole.keyedValue,
        keyed: keyed as KeyedMap,
        keyedValue: value as Required<typeof value>,
      });
      return value as Required<typeof value>;
    }),
  );
  return keyed as KeyedMap;
}

function actionOfEntry(number: number, column: Column): FieldAction {
  const { encoding } = column;
  return {
    number,
    encoding,
    wireType: wireTypeOf(encoding),
    column,
    clears: null,
    replaces: false,
    keyed: null,
  };
}
