import type { Tfxio, TfxioOptions } from "@tfxio/io";
import {
  anAbortSignal,
  anObject,
  assertOptional,
  assertOptions,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";
import { examplesOf } from "../examples/examples-of.js";
import { splitFiles } from "../examples/split-files.js";
import type { Artifact } from "../store/entities.js";
import type { ModelRuntime } from "../views/model-runtime.js";
import { openDataView } from "../views/open-data-view.js";
import { type ResolvedExamples, type ResolveOptions, resolveExamples, splitsOf } from "./resolve-examples.js";

/** Options of {@link openExamples}. */
export interface OpenExamplesOptions extends ResolveOptions {
  /**
   * Options of `openTfxio`, such as `schema` or `stores`. The format and the raw record column are not allowed here: they
   * follow from the artifacts and `rawRecordColumnName`. If a DataView decodes the records, only `filter`, `stores`,
   * `limits` and `signal` are allowed, since the view defines the schema and the columns.
   */
  readonly read?: Omit<TfxioOptions, "format" | "rawRecordColumn">;
  /**
   * Runs the models that the DataView calls, like the option `models` of `loadDataView` in `@tfxio/struct2tensor`. Required for
   * a view that calls a model. Only allowed if a DataView decodes the records.
   */
  readonly models?: ModelRuntime | undefined;
}

const FORMATS = {
  TFExampleRecord: "tfrecord",
  TFSequenceExampleRecord: "sequence-tfrecord",
  Parquet: "parquet",
  RawTfRecord: "tfrecord-raw",
} as const satisfies Partial<Record<ResolvedExamples["reader"], string>>;

/** Options of `openTfxio` that also apply to records that a DataView decodes. */
type ViewReadOptions = Pick<TfxioOptions, "filter" | "stores" | "limits" | "signal">;
const VIEW_READ_RULES: OptionRules<ViewReadOptions> = {
  filter: null,
  stores: null,
  limits: anObject,
  signal: anAbortSignal,
};

/**
 * Opens artifacts of type Examples as one TFXIO. This package or a TFX pipeline may have written them. To decode protobuf
 * records, the function uses the DataView bound to the artifacts and needs the package `@tfxio/struct2tensor`.
 * @throws the errors of {@link resolveExamples}.
 * @throws {SourceError} `not-found` for a split without files or a missing DataView.
 * @throws {UnsupportedError} (`data-views`) if `@tfxio/struct2tensor` is not installed; (`data-view-uri`) for a DataView
 * whose URI is not local.
 * @throws {RecordError} `malformed-payload` for a DataView that is damaged or does not have the recorded digest.
 * @throws {ArgumentError} `invalid-argument` (`unknown-option`) if `models` or an option in `read` is given but not allowed.
 */
export async function openExamples(
  artifacts: readonly Artifact[],
  options: OpenExamplesOptions = {},
): Promise<Tfxio> {
  const { read = {}, models, ...resolving } = options;
  assertOptional("read", read, anObject);
  assertOptional("models", models, anObject);
  for (const name of ["format", "rawRecordColumn"]) {
    if (!Object.hasOwn(read, name)) continue;
    throw unusableArgument(
      `read.${name}`,
      "must be left out: the artifacts and the other options determine it",
      {
        reason: "unknown-option",
      },
    );
  }
  const resolved = resolveExamples(artifacts, resolving);
  const { reader, dataViewUri, dataViewDigest, rawRecordColumnName } = resolved;
  const sources: string[] = [];
  for (const examples of artifacts.map(examplesOf)) {
    for (const split of splitsOf(examples, resolving.splits))
      sources.push(...(await splitFiles(examples, split)));
  }
  const { openTfxio, recordToTensorTfxio } = await import("@tfxio/io");
  if (reader === "TFRecordToTensor") {
    assertOptions<ViewReadOptions>("openExamples with a DataView", read, VIEW_READ_RULES);
    const decoder = await openDataView(dataViewUri ?? "", { digest: dataViewDigest, models });
    return recordToTensorTfxio({ ...read, sources, decoder, rawRecordColumn: rawRecordColumnName });
  }
  if (models !== undefined) {
    throw unusableArgument("models", "must be left out: no DataView decodes the records of these artifacts", {
      reason: "unknown-option",
    });
  }
  const isRaw = reader === "RawTfRecord";
  return openTfxio(sources, {
    ...read,
    format: FORMATS[reader],
    ...(isRaw ? { formatOptions: { ...read.formatOptions, recordColumn: rawRecordColumnName } } : {}),
    ...(!isRaw && rawRecordColumnName !== undefined ? { rawRecordColumn: rawRecordColumnName } : {}),
  });
}
