import { decodeRecords } from "@tfxio/format";
import { protobuf, protobufPayload } from "@tfxio/formats-protobuf";
import { bytesSource, ProtoWriter } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { batchRows, inProcess, type ProtoSubject } from "./proto-subject.js";

/** Reads a size-delimited file in memory with our protobuf format. Unlike the other subjects, it must also find the records. */
export const ourFile: ProtoSubject = {
  name: "ours",
  prepare: async ({ records, type }) => {
    const writer = new ProtoWriter();
    for (const record of records) writer.lengthDelimited(record);
    const source = bytesSource(writer.finish(), "messages");
    const read = async (): Promise<readonly RecordBatch[]> => {
      const reader = await protobuf.open([source], { options: type });
      const plan = await reader.plan({ batchSize: batchRows });
      const batches: RecordBatch[] = [];
      for (const split of plan.splits) {
        for await (const batch of plan.read(split)) batches.push(batch);
      }
      await reader.close();
      return batches;
    };
    return {
      run: async () => {
        const start = performance.now();
        await read();
        return (performance.now() - start) / 1000;
      },
      decoded: read,
    };
  },
};

/** Decodes separate records with our decoder. */
export const ourRecords: ProtoSubject = {
  name: "ours:records",
  prepare: async (input) => {
    const decoder = await decodeRecords(protobufPayload(input.type));
    const prepared = inProcess(({ records }) => () => {
      const batches = [];
      for (let from = 0; from < records.length; from += batchRows) {
        batches.push(decoder.decode(records.slice(from, from + batchRows)).batch);
      }
      return batches;
    });
    return prepared(input);
  },
};
