import type { HostColumn, TypeSpec } from "@tfxio/tensor-adapter";
import type { TensorRepresentation } from "@tfxio/schema";
import { ArgumentError, ConversionError } from "@tfxio/wire";
import { aListOfNames, assertArgument } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { importRuntime } from "../models/runtime-module.js";
import { aDataView, type AnyDataView, createDataView, type DataView } from "./data-view.js";
import { decodeDataView } from "./decode-data-view.js";
import {
  configOf,
  type DecoderConfig,
  filesOf,
  type ModelDecoderConfig,
  modelConfigOf,
} from "./decoder-config.js";
import { tensorOf } from "./outputs.js";
import { recordIndicesOf } from "./record-index.js";
import { tensorsByModel } from "./saved-model-tensors.js";
import type { SavedModelView } from "./saved-model-view.js";
import { converterOf } from "./signature.js";

/** Tensors decoded from one batch of records. */
export interface DecodedTensors {
  /** Host columns, keyed by output name, all with the same number of rows. */
  readonly tensors: Readonly<Record<string, HostColumn>>;
  /** The same tensors as a record batch, according to {@link RecordDecoder.tensorRepresentations}. */
  readonly batch: RecordBatch;
  /** For each row, the index of its record in the input. If absent, row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Number of malformed records that were skipped. */
  readonly numSkipped: number;
}

/**
 * Decodes serialized records to tensors. The number of rows may differ from the number of records.
 * @see tfx_bsl `TFGraphRecordDecoder`
 */
export interface RecordDecoder {
  /** Schema of every batch. Columns are sorted by tensor name. */
  readonly arrowSchema: ArrowSchema;
  /** Representations that rebuild the tensors from the batch. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  /** Specs of the tensors, keyed by output name. */
  readonly typeSpecs: ReadonlyMap<string, TypeSpec>;
  /** Name of the output that holds each row's record index. */
  readonly recordIndexTensorName?: string | undefined;
  /**
   * Decodes one batch of records.
   * @throws {RecordError} `malformed-payload`.
   * @throws {ConversionError} `shape-mismatch` (`row-count`) if the numbers of rows and decoded records differ and no output maps
   *   rows to records; `not-convertible` (`record-index-value`). Also throws the errors of the query or model.
   */
  decode(records: readonly Uint8Array[]): DecodedTensors;
  /**
   * Creates a decoder with only these outputs, and with the record index, if there is one. The decoder of a query then reads only
   * the fields that these outputs need. A SavedModel still computes all of its outputs.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`) for a name that is not an output.
   */
  project(tensorNames: readonly string[]): Promise<RecordDecoder>;
  /**
   * Describes this decoder as JSON, including the saved view. Worker threads and other processes can recreate the decoder from
   * the description.
   * @throws {UnsupportedError} `unsupported`: `not-serializable` for a query with a callback, `model-runtime` unless all models
   * share one runtime `url`.
   */
  describe(): Promise<DecoderDescription>;
}

/** A {@link RecordDecoder}, described as JSON. */
export interface DecoderDescription {
  /** URL of the module that exports {@link dataViewDecoder} and {@link modelViewDecoder}. */
  readonly module: string;
  readonly id: string;
  readonly config: DecoderConfig | ModelDecoderConfig;
}

/** Creates decoders from their descriptions. `recordToTensorTfxio` of `@tfxio/io` finds this object by its id. */
export const dataViewDecoder: {
  readonly id: string;
  /**
   * Reads a saved view without models, in the same way as `decodeDataView`. All checksums are verified, and nothing in the files
   * is executed as code.
   * @throws The errors of `decodeDataView`; {@link ArgumentError} `invalid-argument` for a file that is not base64.
   */
  createDecoder(config: DecoderConfig): Promise<RecordDecoder>;
} = {
  id: "data-view",
  createDecoder: async (config) => createRecordDecoder(await decodeDataView(filesOf(config))),
};

/** Like {@link dataViewDecoder}, for views that call models. */
export const modelViewDecoder: {
  readonly id: string;
  /**
   * Imports the runtime from the module named in the configuration, then reads the saved view. Importing executes the module, so
   * the configuration must be trusted.
   * @throws The errors of `decodeDataView`; {@link ArgumentError} `invalid-argument`; {@link UnsupportedError} `unsupported`
   * (`model-runtime`) if the module cannot be imported here or does not export `models`.
   */
  createDecoder(config: ModelDecoderConfig): Promise<RecordDecoder>;
} = {
  id: "data-view-models",
  createDecoder: async (config) => {
    const { files, url } = modelConfigOf(config);
    return createRecordDecoder(await decodeDataView(files, { models: await importRuntime(url) }));
  },
};

/**
 * Creates the decoder of a view.
 * @throws {ConversionError} `not-convertible` (`no-handler`) for an output that cannot become a column, such as a bool tensor.
 */
export function createRecordDecoder(view: AnyDataView): RecordDecoder {
  assertArgument("view", view, aDataView);
  const { outputs, recordIndex } = view;
  const converter = converterOf(outputs);
  const specs = outputs.map(({ name, spec }) => [name, spec] as const);
  const decodeTensors = view.kind === "expression" ? tensorsByQuery(view) : modelTensors(view);
  return {
    arrowSchema: converter.arrowSchema,
    tensorRepresentations: converter.tensorRepresentations,
    typeSpecs: new Map(specs),
    recordIndexTensorName: recordIndex,
    decode(records) {
      const { tensors, recordIndices: kept, numSkipped } = decodeTensors(records);
      const numDecoded = kept?.length ?? records.length;
      const batch = converter.convert(tensors);
      const own =
        recordIndex === undefined
          ? undefined
          : recordIndicesOf(tensors[recordIndex]!, recordIndex, numDecoded);
      if (own === undefined && batch.numRows !== numDecoded) throw unknownRecords(batch.numRows, numDecoded);
      // The view's own record indices count only decoded records, so they are mapped to the caller's records.
      const recordIndices = own && kept ? own.map((index) => kept[index]!) : (own ?? kept);
      return { tensors, batch, numSkipped, ...(recordIndices && { recordIndices }) };
    },
    async describe() {
      const config = await configOf(view);
      const { id } = typeof config["files"] === "object" ? modelViewDecoder : dataViewDecoder;
      return { module: import.meta.url, id, config };
    },
    async project(tensorNames) {
      assertArgument("tensorNames", tensorNames, aListOfNames);
      const unknown = tensorNames.find((name) => outputs.every((output) => output.name !== name));
      if (unknown !== undefined) {
        throw new ArgumentError("invalid-argument", `The view has no output "${unknown}".`, {
          reason: "unknown-tensor",
          argument: "tensorNames",
        });
      }
      return createRecordDecoder(
        await projected(view, (name) => tensorNames.includes(name) || name === recordIndex),
      );
    },
  };
}

/** Returns the view with only some of its outputs. */
async function projected(view: AnyDataView, isKept: (name: string) => boolean): Promise<AnyDataView> {
  if (view.kind === "tf-saved-model") {
    return { ...view, outputs: view.outputs.filter(({ name }) => isKept(name)) };
  }
  const { outputs, recordIndex, expression } = view;
  const some = outputs.filter(({ name }) => isKept(name));
  return createDataView(expression, {
    outputs: Object.fromEntries(
      some.map(({ name, path, view: form, shape, defaultValue }) => [
        name,
        { path, view: form, shape, defaultValue },
      ]),
    ),
    recordIndex,
  });
}

/** Decodes records. If some were skipped, `recordIndices` holds the indices of the decoded records. */
type DecodeTensors = (
  records: readonly Uint8Array[],
) => Pick<DecodedTensors, "tensors" | "recordIndices" | "numSkipped">;

/** Returns a function that runs the query on records and converts its outputs to tensors. */
function tensorsByQuery({ outputs, plan }: DataView): DecodeTensors {
  const [source] = Object.keys(plan.sourcePaths) as [string];
  return (records) => {
    const { prensors, recordIndices, numSkipped } = plan.calculate({ [source]: records });
    const prensor = prensors[0]!;
    const tensors = Object.fromEntries(outputs.map((output) => [output.name, tensorOf(prensor, output)]));
    return { tensors, recordIndices, numSkipped };
  };
}

function modelTensors(view: SavedModelView): DecodeTensors {
  return (records) => ({ tensors: tensorsByModel(view, records), numSkipped: 0 });
}

function unknownRecords(numRows: number, numRecords: number): ConversionError {
  return new ConversionError(
    "shape-mismatch",
    `The view made ${numRows} rows from ${numRecords} records. Set its recordIndex to an output that maps rows to records.`,
    { reason: "row-count" },
  );
}
