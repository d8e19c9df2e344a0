import type { HostColumn, TypeSpec } from "@tfxio/tensor-adapter";
import type { TensorRepresentation } from "@tfxio/schema";
import { ArgumentError, ConversionError } from "@tfxio/wire";
import { aListOfNames, assertArgument } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { createDataView, type DataView } from "./data-view.js";
import { tensorOf } from "./outputs.js";
import { recordIndicesOf } from "./record-index.js";
import { converterOf } from "./signature.js";

/** Tensors decoded from one batch of records. */
export interface DecodedTensors {
  /** Host columns by the names of the outputs, all with the same number of rows. */
  readonly tensors: Readonly<Record<string, HostColumn>>;
  /** The same as a record batch, by {@link RecordDecoder.tensorRepresentations}. */
  readonly batch: RecordBatch;
  /** For each row, the position of its record. Absent: row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Records left out because they are malformed. */
  readonly numSkipped: number;
}

/**
 * Records in, tensors out; rows may differ from records.
 * @see TFX `TFGraphRecordDecoder`
 */
export interface RecordDecoder {
  /** Schema of every batch, columns in the order of tensor names. */
  readonly arrowSchema: ArrowSchema;
  /** Representations that rebuild the tensors from the batch. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  readonly typeSpecs: ReadonlyMap<string, TypeSpec>;
  /** Name of the output with the position of each row's record. */
  readonly recordIndexTensorName?: string | undefined;
  /**
   * Decodes one batch of records.
   * @throws {RecordError} `malformed-payload`. {@link ConversionError} `shape-mismatch` (`row-count`) if rows differ from records and
   * no output maps rows to records; `not-convertible` (`record-index-value`).
   */
  decode(records: readonly Uint8Array[]): DecodedTensors;
  /**
   * A decoder of some outputs only, which reads only their fields. The record index stays.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`).
   */
  project(tensorNames: readonly string[]): Promise<RecordDecoder>;
}

/** The decoder of a view. @throws {ConversionError} `not-convertible` (`no-handler`) for an output that no column can hold. */
export function createRecordDecoder(view: DataView): RecordDecoder {
  const { outputs, plan, recordIndex, expression } = view;
  const converter = converterOf(outputs);
  const [source] = Object.keys(plan.sourcePaths) as [string];
  const names = new Set(outputs.map(({ name }) => name));
  return {
    arrowSchema: converter.arrowSchema,
    tensorRepresentations: converter.tensorRepresentations,
    typeSpecs: new Map(outputs.map(({ name, spec }) => [name, spec])),
    recordIndexTensorName: recordIndex,
    decode(records) {
      const { prensors, recordIndices: kept, numSkipped } = plan.calculate({ [source]: records });
      const prensor = prensors[0]!;
      const numDecoded = kept?.length ?? records.length;
      const tensors = Object.fromEntries(outputs.map((output) => [output.name, tensorOf(prensor, output)]));
      const batch = converter.convert(tensors);
      const own =
        recordIndex === undefined
          ? undefined
          : recordIndicesOf(tensors[recordIndex]!, recordIndex, numDecoded);
      if (own === undefined && batch.numRows !== numDecoded) throw unknownRecords(batch.numRows, numDecoded);
      // The index counts the records that were decoded; the caller's may have others between them.
      const recordIndices = own && kept ? own.map((index) => kept[index]!) : (own ?? kept);
      return { tensors, batch, numSkipped, ...(recordIndices && { recordIndices }) };
    },
    async project(tensorNames) {
      assertArgument("tensorNames", tensorNames, aListOfNames);
      const unknown = tensorNames.find((name) => !names.has(name));
      if (unknown !== undefined) {
        throw new ArgumentError("invalid-argument", `The view has no output "${unknown}".`, {
          reason: "unknown-tensor",
          argument: "tensorNames",
        });
      }
      const isKept = (name: string): boolean => tensorNames.includes(name) || name === recordIndex;
      const some = outputs.filter(({ name }) => isKept(name));
      const projected = await createDataView(expression, {
        outputs: Object.fromEntries(
          some.map(({ name, path, view: form, shape, defaultValue }) => [
            name,
            { path, view: form, shape, defaultValue },
          ]),
        ),
        recordIndex,
      });
      return createRecordDecoder(projected);
    },
  };
}

function unknownRecords(numRows: number, numRecords: number): ConversionError {
  return new ConversionError(
    "shape-mismatch",
    `The view made ${numRows} rows of ${numRecords} records, and no output maps rows to records: name one as recordIndex.`,
    { reason: "row-count" },
  );
}
