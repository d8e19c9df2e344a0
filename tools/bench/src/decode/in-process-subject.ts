import type { BenchSet } from "../sets/bench-set.js";
import { BatchDigester } from "./column-digest.js";
import { type BatchSink, type DecodeSubject, hasUsualBatches } from "./subject.js";
import { timed } from "./timed.js";

/** Decodes the TFRecords in `bytes` and passes every batch to `sink`. */
export type DecodeBytes = (bytes: Uint8Array, sink: BatchSink) => void;

/** A subject that decodes bytes in memory on this thread, so the measured time is decoding alone. */
export function inProcessSubject(description: {
  readonly name: string;
  readonly route: DecodeSubject["route"];
  /** The part of the set to decode in a timed run. */
  readonly reads: "whole" | "sample";
  /** True for sets that it can decode. By default, those of tf.Examples in batches of the usual size. */
  supports?(set: BenchSet): boolean;
  createDecoder(set: BenchSet): DecodeBytes;
}): DecodeSubject {
  return {
    name: description.name,
    route: description.route,
    supports: (set) => description.supports?.(set) ?? (set.payload === "example" && hasUsualBatches(set)),
    prepare: async (set, input) => {
      const { numBytes, numRecords } = input[description.reads];
      const decode = description.createDecoder(set);
      return {
        numBytes,
        numRecords,
        run: async () => {
          const bytes = input.bytes.subarray(0, numBytes);
          const run = await timed(async (count) => decode(bytes, count));
          // The page faults of a sample are not comparable.
          return description.reads === "whole" ? run : { seconds: run.seconds, numRows: run.numRows };
        },
        digest: async () => {
          const digester = new BatchDigester(set);
          decode(input.bytes.subarray(0, input.sample.numBytes), (batch) => digester.add(batch));
          return digester.digest();
        },
      };
    },
  };
}
