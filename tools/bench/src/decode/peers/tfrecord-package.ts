import tfrecord from "tfrecord";
import { BatchDigester } from "../column-digest.js";
import { type DecodeSubject, hasUsualBatches } from "../subject.js";
import { createBatchAssembler } from "./batch-assembler.js";
import type { FeatureValues } from "./object-decoder.js";
import { longInt64, readFeatures } from "./protobufjs-objects.js";
import { typedColumn } from "./typed-column.js";

/** Decodes with the npm package `tfrecord`. It reads a file and checks CRCs, but creates one object per record and no columns. */
export const tfrecordPackage: DecodeSubject = {
  name: "tfrecord",
  route: "javascript-objects",
  supports: (set) => set.payload === "example" && hasUsualBatches(set),
  prepare: async ({ columns }, { sample }) => ({
    numBytes: sample.numBytes,
    numRecords: sample.numRecords,
    run: async () => {
      const start = performance.now();
      const reader = await tfrecord.createReader(sample.path);
      let numRows = 0;
      while ((await reader.readExample()) !== null) numRows++;
      return { seconds: (performance.now() - start) / 1000, numRows };
    },
    digest: async () => {
      const digester = new BatchDigester({ columns });
      const assembler = createBatchAssembler(columns, longInt64, typedColumn, (batch) => digester.add(batch));
      const values = columns.map((): FeatureValues => null);
      const reader = await tfrecord.createReader(sample.path);
      for (let example = await reader.readExample(); example !== null; example = await reader.readExample()) {
        readFeatures(example, columns, values);
        assembler.append(values);
      }
      assembler.finish();
      return digester.digest();
    },
  }),
};
