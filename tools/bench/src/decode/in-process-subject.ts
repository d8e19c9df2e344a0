import type { BenchSet } from "../sets/bench-set.js";
import { BatchDigester } from "./column-digest.js";
import { type BatchSink, type DecodeSubject, hasUsualBatches } from "./subject.js";
import { timed } from "./timed.js";

/** Decodes the TFRecords in `bytes` and passes every batch to `sink`. */
export type DecodeBytes = (bytes: Uint8Array, sink: BatchSink) => void;

/** Creates a subject that decodes bytes in memory on this thread, so its time includes no file access. */
export function inProcessSubject(description: {
  readonly name: string;
  readonly route: DecodeSubject["route"];
  /** The part of the set to decode in a timed run. */
  readonly reads: "whole" | "sample";
  /** Returns true for the sets that the subject can decode. Default: sets of tf.Examples in batches of the usual size. */
  supports?(set: BenchSet): boolean;
  /** Creates the function to time. Its creation is not timed. */
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
          // The page faults of a sample cannot be compared with those of the whole set.
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
