import { describe, expect, test } from "@jest/globals";
import { encodeExample } from "@tfxio/arrow-encoding";
import { decodeRecords } from "@tfxio/format";
import { examplePayload, tfrecord } from "@tfxio/formats-tfrecord";
import { parseSchemaText } from "@tfxio/schema";
import { encodeTfRecords } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

const records = Array.from({ length: 300 }, (_, id) =>
  encodeExample({
    id: { kind: "int64", values: [id] },
    pad: { kind: "bytes", values: [new Uint8Array(id)] },
  }),
);

async function* pieces(bytes: Uint8Array, numBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += numBytes) {
    await Promise.resolve();
    yield bytes.slice(at, at + numBytes);
  }
}

const idsOf = (batch: RecordBatch): number[] =>
  Array.from(batch, (row) => Number((row["id"] as { get(index: number): bigint }).get(0)));

describe("a stream of TFRecords", () => {
  test.each([
    ["none", 1],
    ["none", 1000],
    ["gzip", 1],
    ["gzip", 100],
    ["gzip", 100_000],
  ] as const)(
    "with compression %s, in pieces of up to %i bytes, can be read only once",
    async (compression, numBytes) => {
      const bytes = await encodeTfRecords(records, { compression });
      const reader = await tfrecord.openStream!(pieces(bytes, numBytes));
      const plan = await reader.plan({ batchSize: 70 });
      expect(plan.splits).toEqual([{ index: 0, uri: "stream" }]);
      const found: number[] = [];
      for await (const batch of plan.read(plan.splits[0]!)) found.push(...idsOf(batch));
      expect(found).toEqual(records.map((_, id) => id));
      const again = plan.read(plan.splits[0]!)[Symbol.asyncIterator]().next();
      await expect(again).rejects.toMatchObject({ code: "invalid-argument" });
      await reader.close();
    },
  );

  test("can be shuffled without losing or repeating a record", async () => {
    const reader = await tfrecord.openStream!(pieces(await encodeTfRecords(records), 64));
    const plan = await reader.plan();
    const found: number[] = [];
    for await (const batch of plan.read(plan.splits[0]!, { shuffle: { seed: 1, numRows: 50 } })) {
      found.push(...idsOf(batch));
    }
    expect(found).not.toEqual(records.map((_, id) => id));
    expect(found.toSorted((left, right) => left - right)).toEqual(records.map((_, id) => id));
    await reader.close();
  });
});

describe("a shuffled read", () => {
  test("names the record that has a value of the wrong kind or a list of the wrong length", async () => {
    const odd = encodeExample({ id: { kind: "int64", values: [1, 2] } });
    const wrong = encodeExample({ id: { kind: "float", values: [1] } });
    const schema = parseSchemaText('feature { name: "id" type: INT value_count { min: 1 max: 1 } }');
    for (const [record, reason] of [
      [odd, "list-length"],
      [wrong, "wrong-kind"],
    ] as const) {
      const file = [...records.slice(0, 20), record, ...records.slice(20, 40)];

      const reader = await tfrecord.openStream!(pieces(await encodeTfRecords(file), 64), {
        options: { listType: "fixed" },
      });
      const plan = await reader.plan({ schema });
      const read = async (): Promise<void> => {
        for await (const _ of plan.read(plan.splits[0]!, { shuffle: { seed: 1, numRows: 50 } }));
      };
      await expect(read()).rejects.toMatchObject({
        code: "schema-mismatch",
        reason,
        columnPath: "id",
        uri: "stream",
        recordIndex: 20,

        byteOffset: expect.any(Number),
      });
      await reader.close();
    }
  });
});

describe("tf.Examples in memory", () => {
  test("are decoded without a container; a malformed record is skipped, or causes an error that has its index", async () => {
    const decoder = await decodeRecords(examplePayload);
    expect(idsOf(decoder.decode(records).batch)).toEqual(records.map((_, id) => id));
    const damaged = [records[0]!, Uint8Array.of(0x0a, 0xff), records[2]!];
    expect(() => decoder.decode(damaged)).toThrow(
      expect.objectContaining({ code: "malformed-payload", recordIndex: 1 }),
    );
    const skipping = await decodeRecords(examplePayload, { options: { onMalformed: "skip" } });
    const { batch, recordIndices, numSkipped } = skipping.decode(damaged);
    expect([idsOf(batch), recordIndices, numSkipped]).toEqual([[0, 2], Int32Array.of(0, 2), 1]);
  });
});
