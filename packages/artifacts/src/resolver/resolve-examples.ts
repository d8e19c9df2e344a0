import {
  aBoolean,
  aName,
  aListOf,
  anObject,
  aString,
  assertArgument,
  assertOptions,
} from "@tfxio/wire/checks";
import { ArgumentError, UnsupportedError } from "@tfxio/wire/errors";
import { type Examples, examplesOf } from "../examples/examples-of.js";
import { splitPattern } from "../examples/split-files.js";
import { FILE_FORMATS, PAYLOAD_FORMATS, type PayloadFormat } from "../examples/formats.js";
import type { Artifact } from "../store/entities.js";

/** Options of {@link resolveExamples}. */
export interface ResolveOptions {
  /** Names of the splits to read. Default: all splits of each artifact. */
  readonly splits?: readonly string[] | undefined;
  /**
   * True to read the serialized records into a single column, without decoding them. Requires `rawRecordColumnName`. Default
   * false.
   */
  readonly readAsRawRecords?: boolean | undefined;
  /** Name of the column for the serialized records. Default: no such column. Not supported for Parquet. */
  readonly rawRecordColumnName?: string | undefined;
}

/** Result of {@link resolveExamples}: the reader, the files and the DataView. */
export interface ResolvedExamples {
  /** The reader, named as in `tfx_bsl.public.tfxio`. */
  readonly reader:
    | "TFExampleRecord"
    | "TFSequenceExampleRecord"
    | "Parquet"
    | "TFRecordToTensor"
    | "RawTfRecord";
  /** One file pattern for each selected split of each artifact, in the order of the artifacts. */
  readonly filePatterns: readonly string[];
  /** One file format per artifact, in the order of the artifacts. */
  readonly fileFormats: readonly string[];
  /**
   * URI of the DataView that decodes the protobuf records of all artifacts; undefined if no view is bound or the payload is not
   * protobuf. The reader "RawTfRecord" ignores the view.
   */
  readonly dataViewUri: string | undefined;
  /** Digest that this DataView must have, as recorded when it was bound; undefined if no digest was recorded. */
  readonly dataViewDigest: string | undefined;
  readonly rawRecordColumnName: string | undefined;
  /** `["PAYLOAD_FORMAT_DEFAULTED"]` if an artifact has no payload format, so tf.Examples were assumed; otherwise `[]`. */
  readonly warnings: readonly "PAYLOAD_FORMAT_DEFAULTED"[];
}

const DEFAULT_FILE_FORMAT = "tfrecords_gzip";
const READERS: Readonly<Partial<Record<PayloadFormat, ResolvedExamples["reader"]>>> = {
  FORMAT_TF_EXAMPLE: "TFExampleRecord",
  FORMAT_TF_SEQUENCE_EXAMPLE: "TFSequenceExampleRecord",
  FORMAT_PARQUET: "Parquet",
  FORMAT_PROTO: "TFRecordToTensor",
};

/**
 * Chooses the reader, files and DataView for reading one or more artifacts together. DataViews apply only to protobuf records.
 * If the artifacts are bound to different DataViews, the one created last decodes all records. No file is opened.
 * @throws {ArgumentError} `invalid-argument` (`no-examples`, `not-examples`, `payload-format`,
 * `mixed-payload-formats`, `data-view-incomplete`, `data-view-missing-on-some`, `data-view-required`,
 * `raw-column-name`, `unknown-split`).
 * @throws {RecordError} `corrupt-record` (`artifact-property`) for a property with an invalid value.
 * @throws {UnsupportedError} (`payload-format`, `file-format`, `raw-records`)
 * @see `tfxio_utils.py` of TFX
 */
export function resolveExamples(
  artifacts: readonly Artifact[],
  options: ResolveOptions = {},
): ResolvedExamples {
  assertArgument("artifacts", artifacts, aListOf("a list of artifacts", anObject));
  assertOptions("resolveExamples", options, {
    splits: aListOf("a list of names", aString),
    readAsRawRecords: aBoolean,
    rawRecordColumnName: aName,
  });
  const { readAsRawRecords = false, rawRecordColumnName } = options;
  if (artifacts.length === 0) throw rejected("no-examples", "The list of artifacts must not be empty.");
  const examples = artifacts.map(examplesOf);
  const payload = payloadOf(examples);
  const isParquet = payload === "FORMAT_PARQUET";
  const { dataViewUri, dataViewDigest } =
    (payload === "FORMAT_PROTO" ? newestBound(examples) : undefined) ?? {};
  const fileFormats = examples.map((item) => fileFormatOf(item, isParquet));
  if (readAsRawRecords && rawRecordColumnName === undefined) {
    throw rejected(
      "raw-column-name",
      "readAsRawRecords requires rawRecordColumnName, the name of the column for the records.",
      "rawRecordColumnName",
    );
  }
  if (isParquet && rawRecordColumnName !== undefined) {
    throw new UnsupportedError(
      "Parquet files have no serialized records to fill a raw record column; omit rawRecordColumnName.",
      {
        feature: "raw records of Parquet files",
        reason: "raw-records",
      },
    );
  }
  const reader = readAsRawRecords ? "RawTfRecord" : READERS[payload];
  if (reader === undefined) {
    throw new UnsupportedError(`Examples with payload format ${payload} cannot be read.`, {
      feature: `payload format ${payload}`,
      reason: "payload-format",
    });
  }
  if (reader === "TFRecordToTensor" && dataViewUri === undefined) {
    throw rejected(
      "data-view-required",
      `A DataView must be bound to the protobuf records in ${listed(examples)}, found none; bind one with dataViewBinder.`,
    );
  }
  return {
    reader,
    filePatterns: examples.flatMap((item) =>
      splitsOf(item, options.splits).map((split) => splitPattern(item, split)),
    ),
    fileFormats,
    dataViewUri,
    dataViewDigest,
    rawRecordColumnName,
    warnings: examples.some((item) => item.payloadFormat === undefined) ? ["PAYLOAD_FORMAT_DEFAULTED"] : [],
  };
}

/** Returns the splits to read from an artifact. @throws {ArgumentError} `invalid-argument` (`unknown-split`) */
export function splitsOf(
  { artifact, splitNames, splitPatterns }: Examples,
  splits: readonly string[] | undefined,
): readonly string[] {
  const wanted = splits ?? splitNames;
  const known = splitPatterns === undefined ? splitNames : Object.keys(splitPatterns);
  const missing = wanted.find((name) => !known.includes(name));
  if (missing === undefined) return wanted;
  const others = known.length === 0 ? ", nor for any other split" : `; it has files for ${known.join(", ")}`;
  throw rejected(
    "unknown-split",
    `Artifact ${artifact.id} has no files for split ${missing}${others}.`,
    // Without the option `splits`, the fault is in the artifact, which names a split for which it has no pattern.
    splits === undefined ? "artifacts" : "splits",
  );
}

function payloadOf(examples: readonly Examples[]): PayloadFormat {
  const names = new Set(examples.map(({ payloadFormat = "FORMAT_TF_EXAMPLE" }) => payloadFormat));
  const unknown = [...names].find((name) => !Object.hasOwn(PAYLOAD_FORMATS, name));
  if (unknown !== undefined) {
    throw rejected(
      "payload-format",
      `The payload format must be one of ${Object.keys(PAYLOAD_FORMATS).join(", ")}, found ${unknown}.`,
    );
  }
  if (names.size === 1) return [...names][0] as PayloadFormat;
  throw rejected(
    "mixed-payload-formats",
    `Artifacts that are read together must have one payload format, found ${[...names].join(", ")}.`,
  );
}

/**
 * Returns the Examples bound to the most recently created DataView; undefined if no Examples are bound to a view.
 * @throws {ArgumentError} `invalid-argument` (`data-view-incomplete`) if a creation time is missing,
 * (`data-view-missing-on-some`) if only some Examples are bound.
 */
function newestBound(examples: readonly Examples[]): Examples | undefined {
  const bound = examples.filter(({ dataViewUri }) => dataViewUri !== undefined);
  const untimed = bound.filter(({ dataViewCreateTimeMs }) => dataViewCreateTimeMs === undefined);
  if (untimed.length > 0) {
    throw rejected(
      "data-view-incomplete",
      `Examples bound to a DataView must record when the view was created, but data_view_create_time_since_epoch is missing on ${listed(untimed)}.`,
    );
  }
  if (bound.length > 0 && bound.length < examples.length) {
    const unbound = examples.filter(({ dataViewUri }) => dataViewUri === undefined);
    throw rejected(
      "data-view-missing-on-some",
      `A DataView must be bound to all artifacts or to none; it is missing on ${listed(unbound)}.`,
    );
  }
  // If creation times are equal, the first of the Examples wins.
  return bound.reduce<Examples | undefined>(
    (best, item) => (best === undefined || timeOf(item) > timeOf(best) ? item : best),
    undefined,
  );
}

function timeOf({ dataViewCreateTimeMs }: Examples): bigint {
  return dataViewCreateTimeMs ?? 0n;
}

function fileFormatOf({ artifact, fileFormat }: Examples, isParquet: boolean): string {
  const name = fileFormat ?? (isParquet ? "FILE_FORMAT_PARQUET" : DEFAULT_FILE_FORMAT);
  const isFitting = Object.hasOwn(FILE_FORMATS, name) && (name === "FILE_FORMAT_PARQUET") === isParquet;
  if (isFitting) return name;
  throw new UnsupportedError(
    `Artifact ${artifact.id} must have the file format ${isParquet ? "FILE_FORMAT_PARQUET" : "FORMAT_TFRECORDS_GZIP or tfrecords_gzip"}, found ${name}.`,
    { feature: `file format ${name}`, reason: "file-format" },
  );
}

function listed(examples: readonly Examples[]): string {
  return examples.map(({ uri }) => uri).join(", ");
}

function rejected(reason: string, message: string, argument = "artifacts"): ArgumentError {
  return new ArgumentError("invalid-argument", message, { argument, reason });
}
