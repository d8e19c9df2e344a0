import type { Tfxio, TfxioOptions } from "@tfxio/io";
import { anObject, assertOptional } from "@tfxio/wire/checks";
import { UnsupportedError } from "@tfxio/wire/errors";
import { examplesOf } from "../examples/examples-of.js";
import { splitFiles } from "../examples/split-files.js";
import type { Artifact } from "../store/entities.js";
import type { DataViews, LoadedDataView } from "../views/data-views.js";
import { type ResolvedExamples, type ResolveOptions, resolveExamples, splitsOf } from "./resolve-examples.js";

/** How Examples are opened. */
export interface OpenExamplesOptions extends ResolveOptions {
  /** Options of `openTfxio`, such as `schema` or `stores`; format and raw column come from the artifacts. */
  readonly read?: Omit<TfxioOptions, "format" | "rawRecordColumn">;
  /** Reads DataViews; needed for protobuf records. */
  readonly dataViews?: Pick<DataViews, "load">;
  /** Makes a TFXIO of files whose records a DataView decodes; needed for protobuf records. */
  readonly openRecords?: (request: RecordsRequest) => Promise<Tfxio>;
}

/** Protobuf records to be opened. */
export interface RecordsRequest {
  /** Files in the order of artifacts and splits. */
  readonly sources: readonly string[];
  readonly view: LoadedDataView;
  readonly rawRecordColumnName: string | undefined;
}

const FORMATS = {
  TFExampleRecord: "tfrecord",
  TFSequenceExampleRecord: "sequence-tfrecord",
  Parquet: "parquet",
  RawTfRecord: "tfrecord-raw",
} as const satisfies Partial<Record<ResolvedExamples["reader"], string>>;

/**
 * A TFXIO over artifacts of type Examples, written here or by a TFX pipeline.
 * @throws as {@link resolveExamples}; {@link SourceError} `not-found` for a split without files.
 * @throws {UnsupportedError} (`data-views`) for protobuf records without `dataViews` and `openRecords`.
 */
export async function openExamples(
  artifacts: readonly Artifact[],
  options: OpenExamplesOptions = {},
): Promise<Tfxio> {
  const { read, dataViews, openRecords, ...resolving } = options;
  assertOptional("read", read, anObject);
  const resolved = resolveExamples(artifacts, resolving);
  const { reader, dataViewUri, rawRecordColumnName } = resolved;
  const sources: string[] = [];
  for (const examples of artifacts.map(examplesOf)) {
    for (const split of splitsOf(examples, resolving.splits))
      sources.push(...(await splitFiles(examples.uri, split)));
  }
  if (reader === "TFRecordToTensor") {
    if (dataViews === undefined || openRecords === undefined || dataViewUri === undefined) {
      throw new UnsupportedError("Protobuf records need the options dataViews and openRecords.", {
        feature: "DataViews",
        reason: "data-views",
      });
    }
    return openRecords({ sources, view: await dataViews.load(dataViewUri), rawRecordColumnName });
  }
  const { openTfxio } = await import("@tfxio/io");
  const isRaw = reader === "RawTfRecord";
  return openTfxio(sources, {
    ...read,
    format: FORMATS[reader],
    ...(isRaw ? { formatOptions: { ...read?.formatOptions, recordColumn: rawRecordColumnName } } : {}),
    ...(!isRaw && rawRecordColumnName !== undefined ? { rawRecordColumn: rawRecordColumnName } : {}),
  });
}
