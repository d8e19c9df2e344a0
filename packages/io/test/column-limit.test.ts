import { expect, test } from "@jest/globals";
import { encodeExample } from "@tfxio/arrow-encoding";
import { examplePayload } from "@tfxio/formats-tfrecord";
import { decodeRecords } from "@tfxio/format";
import { encodeTfRecords } from "@tfxio/wire";
import { typescriptKernels, useKernels } from "@tfxio/wire/kernels";
import { openTfxio, recordTfxio } from "../src/index.js";

const exampleOf = (names: readonly string[]): Uint8Array =>
  encodeExample(Object.fromEntries(names.map((name) => [name, { kind: "int64", values: [1n] }])));

async function numColumns(batches: AsyncIterable<{ readonly numCols: number }>): Promise<number[]> {
  const found: number[] = [];
  for await (const { numCols } of batches) found.push(numCols);
  return found;
}

const limits = { maxColumns: 2 };
const records = [exampleOf(["a"]), exampleOf(["b", "c"])];
const tooMany = { code: "limit-exceeded", reason: "column-count", recordIndex: 1 };

test("a batch without a schema is rejected above limits.maxColumns columns, with an error that names the limit", async () => {
  const file = await encodeTfRecords(records);
  const tfxio = await openTfxio(file, { limits });
  await expect(numColumns(tfxio.recordBatches())).rejects.toMatchObject({
    ...tooMany,
    message: expect.stringContaining("at most 2 columns (maxColumns) that are not in a schema"),
  });
  const batches = (await openTfxio(file, { limits: { maxColumns: 3 } })).recordBatches();
  expect(await numColumns(batches)).toEqual([3]);
});

test("maxColumns counts the columns of a JSON batch, including columns in structs", async () => {
  const file = new TextEncoder().encode('{"a":1}\n{"b":{"c":1}}\n');
  const tfxio = await openTfxio(file, { limits });
  await expect(numColumns(tfxio.recordBatches())).rejects.toMatchObject(tooMany);
  const batches = (await openTfxio(file, { limits: { maxColumns: 3 } })).recordBatches();
  expect(await numColumns(batches)).toEqual([2]);
});

test("maxColumns also limits the columns of a schema that is inferred from several batches", async () => {
  const rows = await encodeTfRecords([exampleOf(["a"]), exampleOf(["b"]), exampleOf(["c"])]);
  const options = { limits, inferSchema: "full", batchBytes: 1 } as const;
  await expect(openTfxio(rows, options)).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "column-count",
    message: expect.stringContaining("at most 2 columns (maxColumns), found 3 so far"),
  });
  const tfxio = await openTfxio(rows, { ...options, limits: { maxColumns: 3 } });
  expect(tfxio.arrowSchema().fields).toHaveLength(3);
});

test("maxColumns also applies to records in memory", async () => {
  const tfxio = await recordTfxio({ records, payload: examplePayload, limits });
  await expect(numColumns(tfxio.recordBatches())).rejects.toMatchObject(tooMany);
  const decoder = await decodeRecords(examplePayload, { limits });
  expect(() => decoder.decode(records)).toThrow(expect.objectContaining(tooMany));
});

test.each([
  ["wasm", undefined],
  ["TypeScript", typescriptKernels],
])(
  "the %s kernel rejects an Example of 5 MB that has 200,000 features, and stops after the first 100,000 of them",
  async (_, kernels) => {
    const names = Array.from({ length: 200_000 }, (__, index) => `feature-${index}`);
    const bomb = exampleOf(names);
    useKernels(kernels);
    try {
      const tfxio = await openTfxio(await encodeTfRecords([bomb]));
      const error = await numColumns(tfxio.recordBatches()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ ...tooMany, recordIndex: 0 });
      const { byteOffset } = error as { readonly byteOffset: number };
      // The byte offset is about halfway through the record.
      expect(byteOffset / bomb.length).toBeCloseTo(0.5, 1);
    } finally {
      useKernels(undefined);
    }
  },
);
