import { create } from "@bufbuild/protobuf";
import {
  createExampleDecoder,
  createSequenceExampleDecoder,
  type ExampleDecoder,
} from "@tfxio/arrow-encoding";
import { FeatureType, type Schema, SchemaSchema } from "@tfxio/schema";
import type { FramedWindow } from "@tfxio/wire";
import { type Kernels, kernels, typescriptKernels } from "@tfxio/wire/kernels";
import type { ColumnSpec } from "../sets/bench-set.js";
import { type DecodeBytes, inProcessSubject } from "./in-process-subject.js";
import { batchRowsOf, type BatchSink, type DecodeSubject } from "./subject.js";

// The limit of 1 GiB is far above the length of any record, so it never applies.
const framing = { verifyPayload: true, maxRecordBytes: 0x4000_0000 };
const featureTypes = { bytes: FeatureType.BYTES, float: FeatureType.FLOAT, int64: FeatureType.INT };

/** Passes the finished batch of a decoder to `sink`. */
type Finish = (decoder: ExampleDecoder, sink: BatchSink) => void;

const owned: Finish = (decoder, sink) => sink(decoder.finish());
const leased: Finish = (decoder, sink) => {
  const { batch, release } = decoder.finishLeased();
  sink(batch);
  release();
};

const best = kernels();

/**
 * Subjects that run our decoder with each of its kernels. They parse the framing, check both CRCs, decode the records, and create
 * batches that own their memory. `ours:wasm-leased` leases its batches instead.
 */
export const ourSubjects: readonly DecodeSubject[] = [
  subject(`ours:${best.name}`, best, owned),
  ...(best.name === "wasm"
    ? [subject("ours:wasm-leased", best, leased), subject("ours:typescript", typescriptKernels, owned)]
    : []),
];

function subject(name: string, implementation: Kernels, finish: Finish): DecodeSubject {
  return inProcessSubject({
    name,
    route: "ours",
    reads: "whole",
    supports: () => true,
    createDecoder: (set) => {
      const { payload, columns, sequenceColumns } = set;
      const options = { schema: schemaOf(columns, sequenceColumns), kernels: implementation };
      const isExample = payload === "example";
      const decoder = isExample ? createExampleDecoder(options) : createSequenceExampleDecoder(options);
      return decodeWith(decoder, finish, batchRowsOf(set));
    },
  });
}

function decodeWith(decoder: ExampleDecoder, finish: Finish, rowsOfBatches: readonly number[]): DecodeBytes {
  return (bytes, sink) => {
    const window: FramedWindow = { uri: "bench", bytes, firstRecordIndex: 0, byteOffset: 0 };
    for (let from = 0, batch = 0; from < bytes.length; batch++) {
      const maxRows = rowsOfBatches[batch % rowsOfBatches.length] as number;
      const limits = { maxRows, maxBytes: Infinity };
      from += decoder.pushFramed(window, from, limits, framing).consumed;
      finish(decoder, sink);
    }
  };
}

/** Returns the TFMD schema of a set's columns. Feature lists are the fields of the struct `##SEQUENCE##`, as in TFX. */
export function schemaOf(
  columns: readonly ColumnSpec[],
  sequenceColumns: readonly ColumnSpec[] = [],
): Schema {
  const featuresOf = (specs: readonly ColumnSpec[]) =>
    specs.map(({ name, kind }) => ({ name, type: featureTypes[kind] }));
  const lists = {
    name: "##SEQUENCE##",
    type: FeatureType.STRUCT,
    domainInfo: { case: "structDomain" as const, value: { feature: featuresOf(sequenceColumns) } },
  };
  return create(SchemaSchema, {
    feature: [...featuresOf(columns), ...(sequenceColumns.length > 0 ? [lists] : [])],
  });
}
