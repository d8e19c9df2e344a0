import { ColumnPath } from "@tfxio/schema";
import { type ErrorLocation, RecordError, SchemaError, type TfxioError } from "@tfxio/wire";
import { FeatureKind, KernelStatus, type PushResult } from "@tfxio/wire/kernels";

const kindNames = { 0: "no kind", 1: "bytes_list", 2: "float_list", 3: "int64_list" } as const;

/** Returns the name of a kind, which is its field name in tf.Feature; `no kind` if unset. */
function kindName(kind: FeatureKind | undefined): string {
  return kindNames[kind ?? FeatureKind.unset];
}

/** Terms and limits for error messages about one payload format. */
export interface PayloadWords {
  readonly record: "tf.Example" | "tf.SequenceExample";
  /** Name of the struct column that holds the feature lists. Only for tf.SequenceExamples. */
  readonly sequenceColumn?: string;
  /** Maximum number of columns in a batch, not counting those in a schema. */
  readonly maxColumns: number;
  /** If a record has feature lists but is read as an Example, the error recommends the format with this id. */
  readonly sequenceFormat?: string | undefined;
}

/**
 * Creates the `TfxioError` for a status other than `ok`.
 * @param location The record's location in its source.
 * @param maxRecordBytes The size limit of framed records.
 */
export function kernelError(
  result: PushResult,
  words: PayloadWords,
  location: ErrorLocation,
  maxRecordBytes?: number,
): TfxioError {
  const where = place(location);
  const { featureName = "", isFeatureList = false } = result;
  const { sequenceColumn = "" } = words;
  const subject = `${isFeatureList ? "Feature list" : "Feature"} "${featureName}"`;
  const columnPath = isFeatureList ? ColumnPath.of(sequenceColumn, featureName).toString() : featureName;
  const actual = kindName(result.actualKind);
  switch (result.status) {
    case KernelStatus.wrongKind: {
      const expected = kindName(result.expectedKind);
      return new SchemaError(
        "schema-mismatch",
        `${subject} must have the kind ${expected}, found ${actual}, in ${where}.`,
        { reason: "wrong-kind", columnPath, expected, actual, ...location },
      );
    }
    case KernelStatus.unlistedFeature:
      return new SchemaError("schema-mismatch", `${subject} (${actual}) in ${where} is not in the schema.`, {
        reason: "unlisted-feature",
        columnPath,
        actual,
        ...location,
      });
    case KernelStatus.lengthCrc:
      return new RecordError("corrupt-record", `The length's checksum does not match, in ${where}.`, {
        reason: "length-crc",
        ...location,
      });
    case KernelStatus.dataCrc:
      return new RecordError("corrupt-record", `The payload's checksum does not match, in ${where}.`, {
        reason: "payload-crc",
        ...location,
      });
    case KernelStatus.recordTooLong:
      return new RecordError(
        "limit-exceeded",
        `A record must not be longer than maxRecordBytes (${maxRecordBytes} bytes), found a longer one: ${where}.`,
        { reason: "record-length", ...location },
      );
    case KernelStatus.tooManyColumns:
      return new RecordError(
        "limit-exceeded",
        `A batch must have at most ${words.maxColumns} columns (maxColumns) that are not in a schema, but more were found, in ${where}.`,
        { reason: "column-count", ...location },
      );
    case KernelStatus.batchTooLarge:
      return new RecordError(
        "limit-exceeded",
        `A column exceeds 2^31 - 1 values or bytes, or the available memory, in ${where}; use smaller batches.`,
        { reason: "batch-too-large", ...location },
      );
    case KernelStatus.featureLists:
      return new RecordError(
        "malformed-payload",
        `Found feature lists in ${where}; reading the tf.SequenceExample as a ${words.record} would lose them. ` +
          `Request the format "${words.sequenceFormat}".`,
        { reason: "feature-lists", ...location },
      );
    default:
      return new RecordError(
        "malformed-payload",
        `Not a well-formed ${words.record}, in ${where}.`,
        location,
      );
  }
}

/** Names the record, its source if known, and its byte offset. */
function place({ uri, recordIndex, byteOffset }: ErrorLocation): string {
  const source = uri === undefined ? "" : ` of ${uri}`;
  return `record ${recordIndex}${source} at byte ${byteOffset}`;
}
