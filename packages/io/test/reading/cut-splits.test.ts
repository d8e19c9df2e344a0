import { describe, expect, test } from "@jest/globals";
import { encodeExample } from "@tfxio/arrow-encoding";
import { openTfxio, type Tfxio } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource, type ByteSource, encodeTfRecords } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { describeBuilt } from "../worker-formats/index.js";

const numRecords = 200;
const file = await encodeTfRecords(
  Array.from({ length: numRecords }, (_, id) =>
    encodeExample({
      id: { kind: "int64", values: [id] },
      pad: { kind: "bytes", values: [new Uint8Array(1000)] },
    }),
  ),
);
const schema = parseSchemaText('feature { name: "id" type: INT shape {} presence { min_fraction: 1 } }');

/** Returns a source that records the offsets at which its streams begin. */
function watched(): ByteSource & { readonly starts: Set<number> } {
  const source = bytesSource(file, "some.tfrecord");
  const starts = new Set<number>();
  return {
    ...source,
    starts,
    stream(options) {
      starts.add(options?.start ?? 0);
      return source.stream(options);
    },
  };
}

async function idsOf(tfxio: Tfxio, options = {}): Promise<number[]> {
  const ids: number[] = [];
  for await (const batch of tfxio.recordBatches({ workers: 0, ...options })) ids.push(...idsIn(batch));
  return ids;
}

function idsIn(batch: RecordBatch): number[] {
  return [...batch].map((row) => Number((row["id"] as { get(at: number): bigint }).get(0)));
}

describe("one uncompressed file with splitBytes", () => {
  const upTo = Array.from({ length: numRecords }, (_, id) => id);

  test("is read in parts by several readers, which yield each row once", async () => {
    const source = watched();
    const tfxio = await openTfxio(source, { schema, splitBytes: 32_768, format: "tfrecord" });
    const ids = await idsOf(tfxio, { readerNumThreads: 3 });
    expect(ids.toSorted((left, right) => left - right)).toEqual(upTo);
    expect(source.starts.size).toBeGreaterThan(4);
  });

  test("is read in order by one reader, and its parts are mixed by shuffling", async () => {
    const tfxio = await openTfxio(watched(), { schema, splitBytes: 32_768, format: "tfrecord" });
    expect(await idsOf(tfxio)).toEqual(upTo);
    const shuffled = { shuffle: true, shuffleSeed: 1, readerNumThreads: 2, shuffleBufferSize: 20 };
    const ids = await idsOf(tfxio, shuffled);
    expect(ids.toSorted((left, right) => left - right)).toEqual(upTo);
    // Without mixing, each of the two readers would fill its buffer of ten rows in file order, and the first rows would be close
    // together in the file.
    const first = ids.slice(0, 20);
    expect(Math.max(...first) - Math.min(...first)).toBeGreaterThan(60);
  });

  test("yields the same rows in the same order from leasedBatches as from recordBatches, for one or several readers", async () => {
    const options = { schema, splitBytes: 32_768, batchBytes: 100, format: "tfrecord" } as const;
    const tfxio = await openTfxio(watched(), options);
    for (const readerNumThreads of [3, 1]) {
      const leased: number[] = [];
      for await (const lease of tfxio.leasedBatches({ readerNumThreads })) {
        leased.push(...idsIn(lease.batch));
        lease.release();
      }
      expect(leased).toEqual(await idsOf(tfxio, { readerNumThreads }));
      // Each part has several batches, so several readers do not yield rows in the order of the file.
      expect(leased.every((id, index) => id === index)).toBe(readerNumThreads === 1);
    }
  });

  test("has the same training and validation rows as without splitBytes", async () => {
    const halves = async (splitBytes: number | undefined): Promise<number[][]> => {
      const tfxio = await openTfxio(watched(), { schema, splitBytes, format: "tfrecord" });
      const { train, validation } = tfxio.split({ validation: 0.3, seed: 1 });
      const ids = [];
      for (const half of [train, validation]) ids.push(await idsOf(half, { readerNumThreads: 2 }));
      return ids.map((half) => half.toSorted((left, right) => left - right));
    };
    const whole = await halves(undefined);
    expect(await halves(32_768)).toEqual(whole);
    expect(whole.flat().toSorted((left, right) => left - right)).toEqual(upTo);
    expect(whole[1]!.length).toBeGreaterThan(0);
  });
});

describeBuilt("worker threads", () => {
  test("share the parts of one file, and yield rows in the same order as readers on the calling thread", async () => {
    const tfxio = await openTfxio(new Blob([file]), { schema, splitBytes: 32_768, format: "tfrecord" });
    const ids = await idsOf(tfxio, { workers: 2 });
    expect(ids).toEqual(await idsOf(tfxio, { readerNumThreads: 2 }));
    expect(new Set(ids).size).toBe(numRecords);
  });
});
