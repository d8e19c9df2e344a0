import type { PCollection } from "apache-beam/pvalue";
import type { AsyncPTransform } from "apache-beam/transforms/transform";
import type { PayloadDecoder } from "@tfxio/format";
import { encodeSchema, type Schema } from "@tfxio/schema";
import { UnsupportedError } from "@tfxio/wire";
import {
  anObject,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  membersOf,
  type OptionRules,
  required,
  rule,
} from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { batchMetrics } from "../transforms/metrics.js";
import { beamRuntime } from "../transforms/beam-runtime.js";
import { BatchRecords } from "./batch-records.js";
import {
  type DecoderDescription,
  openDecoding,
  ownPayloads,
  type PayloadModule,
  type RecordDecoding,
} from "./record-decoding.js";

/** The payload of records, and the schema to decode them with. */
export interface PayloadRecords {
  /**
   * `examplePayload`, `sequenceExamplePayload` or `rawPayload` of `@tfxio/formats-tfrecord`, or the module that exports another
   * PayloadDecoder. A worker imports that module.
   */
  readonly payload: Pick<PayloadDecoder, "id" | "plan"> | PayloadModule;
  /** Options of the payload, merged over its defaults. They must be JSON values. */
  readonly payloadOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Defines the types and the order of the columns. Without a schema, the Arrow schema of each batch depends on its records. */
  readonly schema?: Schema | undefined;
}

/** A decoder that describes itself for other processes, such as one from `createRecordDecoder` of `@tfxio/struct2tensor`. */
export interface DescribableDecoder {
  /** Returns a description from which workers create the same decoder. */
  describe(): Promise<DecoderDescription>;
}

/** Options of {@link recordsToBatches}. */
export interface RecordsToBatchesOptions {
  /** Maximum number of records per batch. Default 4096. */
  readonly batchSize?: number | undefined;
  /**
   * A batch ends when its records have at least this many bytes. Default 2 MiB, which is large enough to make the overhead per
   * element negligible, and small enough for every runner.
   */
  readonly batchBytes?: number | undefined;
}

const RULES: OptionRules<RecordsToBatchesOptions> = {
  batchSize: aPositiveInteger,
  batchBytes: aPositiveInteger,
};

/**
 * Creates a transform that decodes serialized records into record batches:
 * `await records.applyAsync(recordsToBatches({ payload: examplePayload, schema }))`. To decode records with a saved query, pass
 * `createRecordDecoder(view)`.
 *
 * A batch holds records of one window and belongs to that window. A record of several windows goes into one batch for each
 * window. The records of a bundle keep their order within a window. A bundle buffers up to about `batchBytes` per window, and 16
 * times that in total. With more than 16 windows at a time, batches may be smaller.
 *
 * Metrics: the distributions `num_rows` (rows of each batch) and `record_batch_byte_size`, as in tfx_bsl, and the counter
 * `num_skipped_records`. A record of several windows is counted once per window. This transform reports neither
 * `num_raw_records` nor `raw_record_byte_size`.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) without the SDK. Applying the transform throws `unsupported`
 *   (`worker-format`) for a payload or a decoder that workers cannot create. It also throws the decoder's errors for invalid
 *   options or an unsupported schema.
 * @throws {RecordError} `malformed-payload` for a malformed record, unless `payloadOptions` skip it. Thrown in the worker, where
 *   it fails the bundle.
 * @see RFC 162, "Raw record PTransform"
 */
export function recordsToBatches(
  decoding: PayloadRecords | DescribableDecoder,
  options: RecordsToBatchesOptions = {},
): AsyncPTransform<PCollection<Uint8Array>, PCollection<RecordBatch>> {
  assertArgument("decoding", decoding, aDecoding);
  assertOptions("recordsToBatches", options, RULES);
  const { batchSize: maxRecords = 4096, batchBytes: maxBytes = 2 * 1024 * 1024 } = options;
  const { sdk, coder } = beamRuntime();
  const { parDo, windowParam, withName } = sdk.transforms;
  const context = { window: windowParam(), ...batchMetrics(sdk) };
  return withName("TfxioRecordsToBatches", async (records: PCollection<Uint8Array>) => {
    const described = await describeDecoding(decoding);
    // The result is unused. The call reports an unsupported schema or a missing module before the job starts.
    await openDecoding(described);
    const doFn = new BatchRecords({ decoding: described, bounds: { maxRecords, maxBytes } });
    return records
      .apply(withName("Decode", parDo(doFn as never, context)))
      .apply(withName("Batches", sdk.internal.withCoderInternal(coder))) as PCollection<RecordBatch>;
  });
}

const aDecoding = required(
  rule(
    "an object with a payload, or a decoder with describe(), such as one from createRecordDecoder",
    (value) => {
      const { payload, describe } = membersOf(value);
      return typeof describe === "function" || typeof membersOf(payload)["id"] === "string";
    },
  ),
);

async function describeDecoding(decoding: PayloadRecords | DescribableDecoder): Promise<RecordDecoding> {
  if ("describe" in decoding) return decoding.describe();
  assertOptions<PayloadRecords>("recordsToBatches", decoding, {
    payload: null,
    payloadOptions: anObject,
    schema: anObject,
  });
  const { payload, payloadOptions, schema } = decoding;
  return {
    payload: describePayload(payload),
    payloadOptions,
    schema: schema && Buffer.from(encodeSchema(schema)).toString("base64"),
  };
}

function describePayload(payload: PayloadRecords["payload"]): string | PayloadModule {
  if ("module" in payload) return { module: payload.module, id: payload.id };
  if (ownPayloads.some((own) => own === payload)) return payload.id;
  throw new UnsupportedError(
    `Workers cannot create the payload "${payload.id}". ` +
      "Instead of the payload, pass { module, id }: the URL of a module that exports it, and its id.",
    { feature: "decoding elsewhere", reason: "worker-format" },
  );
}
