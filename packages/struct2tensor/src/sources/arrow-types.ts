import { isListType } from "@tfxio/arrow-encoding";
import type { DType } from "@tfxio/tensor-adapter";
import { UnsupportedError } from "@tfxio/wire";
import {
  DataType,
  DateUnit,
  type Field,
  Precision,
  type Schema as ArrowSchema,
  TimeUnit,
} from "apache-arrow";
import type { MessageType, SourceField } from "./source-type.js";

/** The step for the items of a nested list. */
const UNNAMED_STEP = "data";

/** Keys of field metadata. If one has the value `bool`, a Uint8 column holds bools. */
const BOOL_KEYS = ["tfxio.proto.type", "tfxio.logical"] as const;

/** Returns the fields of batches with this schema. Structs become messages, and lists become repeated fields. */
export function typeOfArrow({ fields }: Pick<ArrowSchema, "fields">): MessageType {
  let byName: ReadonlyMap<unknown, Field> | undefined;
  return {
    knownSteps: () => fields.map(({ name }) => name),
    child: (step) => {
      // Reversed, so that the first of several fields with the same name counts.
      byName ??= new Map(fields.toReversed().map((field) => [field.name, field]));
      const field = byName.get(step);
      return field && fieldOfArrow(field, field.type);
    },
  };
}

/** @param type the type of the field, or of a list nested in it. */
function fieldOfArrow(field: Field, type: DataType): SourceField {
  const isRepeated = isListType(type);
  const item: DataType = isRepeated ? type.children[0]!.type : type;
  if (isListType(item)) return { type: { kind: "child", isRepeated }, message: unnamed(field, item) };
  if (DataType.isStruct(item)) {
    return { type: { kind: "child", isRepeated }, message: typeOfArrow({ fields: item.children }) };
  }
  return { type: { kind: "leaf", isRepeated, dtype: dtypeOf(field, item) } };
}

function unnamed(field: Field, type: DataType): MessageType {
  return {
    knownSteps: () => [UNNAMED_STEP],
    child: (step) => (step === UNNAMED_STEP ? fieldOfArrow(field, type) : undefined),
  };
}

/**
 * Returns the dtype of the values in a column. Dates, times, timestamps and durations are integers in the unit of the column.
 * Decimals become text, which has the dtype `string`.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for intervals, maps, unions and other types without a dtype.
 */
function dtypeOf(field: Field, type: DataType): DType {
  if (DataType.isDictionary(type)) return dtypeOf(field, type.dictionary as DataType);
  if (DataType.isBool(type)) return "bool";
  if (DataType.isInt(type)) {
    const isBool =
      type.bitWidth === 8 && !type.isSigned && BOOL_KEYS.some((key) => field.metadata.get(key) === "bool");
    return isBool ? "bool" : (`${type.isSigned ? "int" : "uint"}${type.bitWidth}` as DType);
  }
  if (DataType.isFloat(type)) return type.precision === Precision.DOUBLE ? "float64" : "float32";
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? "int32" : "int64";
  if (DataType.isTime(type))
    return type.unit === TimeUnit.SECOND || type.unit === TimeUnit.MILLISECOND ? "int32" : "int64";
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return "int64";
  const areBytes = [
    DataType.isBinary,
    DataType.isUtf8,
    DataType.isLargeBinary,
    DataType.isLargeUtf8,
    DataType.isFixedSizeBinary,
    DataType.isDecimal,
  ].some((isType) => isType(type));
  if (areBytes) return "string";
  throw new UnsupportedError(`The column "${field.name}" has the type ${type}, which queries cannot read.`, {
    reason: "column-type",
    feature: String(type),
  });
}
