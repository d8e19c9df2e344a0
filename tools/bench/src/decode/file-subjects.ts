import { openTfxio } from "@tfxio/io";
import type { BenchSet } from "../sets/bench-set.js";
import { BatchDigester } from "./column-digest.js";
import { schemaOf } from "./our-subjects.js";
import { type BatchSink, type DecodeSubject, hasUsualBatches } from "./subject.js";
import { timed } from "./timed.js";

/** Subjects that read a file as a user would: with `openTfxio`, in batches of the default size, on the calling thread. */
export const fileSubjects: readonly DecodeSubject[] = [
  fileSubject("ours:file", async (file, set, sink) => {
    const tfxio = await open(file, set);
    for await (const batch of tfxio.recordBatches({ workers: 0 })) sink(batch);
    await tfxio.close();
  }),
  fileSubject("ours:file-leased", async (file, set, sink) => {
    const tfxio = await open(file, set);
    for await (const lease of tfxio.leasedBatches({ workers: 0 })) {
      sink(lease.batch);
      lease.release();
    }
    await tfxio.close();
  }),
];

function fileSubject(
  name: string,
  read: (file: string, set: BenchSet, sink: BatchSink) => Promise<void>,
): DecodeSubject {
  return {
    name,
    route: "ours",
    supports: hasUsualBatches,
    prepare: async (set, { whole, sample }) => ({
      numBytes: whole.numBytes,
      numRecords: whole.numRecords,
      run: () => timed((count) => read(whole.path, set, count)),
      digest: async () => {
        const digester = new BatchDigester(set);
        await read(sample.path, set, (batch) => digester.add(batch));
        return digester.digest();
      },
    }),
  };
}

function open(file: string, { payload, columns, sequenceColumns }: BenchSet) {
  const schema = schemaOf(columns, sequenceColumns);
  return openTfxio(file, payload === "example" ? { schema } : { schema, format: "sequence-tfrecord" });
}
