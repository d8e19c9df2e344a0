import { FeatureType } from "@tfxio/schema";
import { DataType } from "apache-arrow";
import { type ColumnElements, listElements, nullMask } from "../column/column-access.js";
import { isListType } from "../column/list-column.js";

/** Statistics of the lists at one level of a column. */
export interface LevelSummary {
  numPresent: number;
  minValues: number;
  maxValues: number;
}

/** Statistics of one list column. */
export interface ColumnSummary {
  /** Type of the innermost values. */
  readonly type: FeatureType;
  /** Statistics of each list level, outermost first. A column of flat lists has one level. */
  readonly levels: readonly LevelSummary[];
}

/** Creates an empty summary for columns of `type`. Returns undefined unless they are lists of numbers, text or bytes. */
export function emptySummary(type: DataType): ColumnSummary | undefined {
  const levels: LevelSummary[] = [];
  let inner = type;
  for (; isListType(inner); inner = inner.valueType) {
    levels.push({ numPresent: 0, minValues: Infinity, maxValues: 0 });
  }
  const feature = primitiveType(inner);
  return levels.length === 0 || feature === undefined ? undefined : { type: feature, levels };
}

/** Adds the lists of `rows` to the summary, at every level. */
export function addToSummary({ levels }: ColumnSummary, rows: ColumnElements): void {
  let elements = rows;
  for (const level of levels) {
    const lists = listElements(elements);
    const isNull = nullMask(elements);
    for (let index = 0; index < elements.length; index++) {
      if (isNull?.[index] === 1) continue;
      const numValues = (lists.rowSplits[index + 1] as number) - (lists.rowSplits[index] as number);
      level.numPresent++;
      level.minValues = Math.min(level.minValues, numValues);
      level.maxValues = Math.max(level.maxValues, numValues);
    }
    elements = lists.elements;
  }
}

/** Returns the feature type of values; undefined for types other than integers, floats, text and bytes. */
function primitiveType(type: DataType): FeatureType | undefined {
  if (DataType.isInt(type)) return FeatureType.INT;
  if (DataType.isFloat(type)) return FeatureType.FLOAT;
  const isBytes = [DataType.isBinary, DataType.isLargeBinary, DataType.isUtf8, DataType.isLargeUtf8];
  return isBytes.some((is) => is(type)) ? FeatureType.BYTES : undefined;
}
