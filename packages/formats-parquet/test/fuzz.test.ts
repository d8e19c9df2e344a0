import { expect, test } from "@jest/globals";
import { parsePredicate } from "@tfxio/schema";
import { isTfxioError, Random } from "@tfxio/wire";
import { CHUNK, COLUMN, type ColumnChunk, parseFooter } from "../src/footer/file-footer.js";
import { integerOf } from "../src/footer/thrift.js";
import { fixture, handedSource } from "./probe.js";
import { readBatches } from "./read-parquet.js";

// `pnpm check` runs more trials.
const NUM_TRIALS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 250;
const BYTES = [0, 1, 0x7f, 0x80, 0xff];

/** Returns the byte ranges of a file's parts. The test damages random parts, so small ones are hit as often as large ones. */
function parts(file: Uint8Array): readonly (readonly [start: number, end: number])[] {
  const length = new DataView(file.buffer, file.byteOffset + file.length - 8).getUint32(0, true);
  const start = file.length - 8 - length;
  const { rowGroups } = parseFooter(file.subarray(start, start + length), "fuzz", file.length);
  const chunks = rowGroups.flatMap((group) => group.chunks);
  return [
    [start, start + length],
    [file.length - 8, file.length],
    ...chunks.flatMap(indexParts),
    // For each chunk, the header of its first page, and its pages.
    ...chunks.map((chunk) => [chunk.start, Math.min(chunk.end, chunk.start + 20)] as const),
    ...chunks.map((chunk) => [chunk.start, chunk.end] as const),
  ];
}

/** Returns the byte ranges of a chunk's page indexes, and of the header and first blocks of its bloom filter, if they exist. */
function indexParts({ struct, metadata }: ColumnChunk): readonly (readonly [start: number, end: number])[] {
  const indexes = [
    [CHUNK.offsetIndex, CHUNK.offsetIndexLength],
    [CHUNK.columnIndex, CHUNK.columnIndexLength],
  ] as const;
  const bloomFilter = integerOf(metadata.get(COLUMN.bloomFilter));
  return [
    ...indexes.flatMap(([startId, lengthId]) => {
      const start = integerOf(struct.get(startId));
      return start === undefined ? [] : [[start, start + integerOf(struct.get(lengthId))!] as const];
    }),
    ...(bloomFilter === undefined
      ? []
      : ([
          // The first field of the header: the size of the bit set.
          [bloomFilter, bloomFilter + 3],
          [bloomFilter, bloomFilter + 100],
        ] as const)),
  ];
}

test.each<[string, string, string | undefined]>([
  ["rows.parquet", "no filter", undefined],
  ["rows-zstd-v2.parquet", "no filter", undefined],
  ["pages-v1.parquet", "a filter on the columns `id` and `even`", "id > 120 and id < 280 or even == 1001"],
  ["pages-v2.parquet", "a filter on the columns `late` and `kind`", 'late > 0 and kind == "kind 3"'],
])("reading a damaged copy of %s with %s succeeds or throws a TfxioError", async (name, _, text) => {
  const filter = text === undefined ? undefined : parsePredicate(text);
  const file = fixture(name);
  const places = parts(file);
  const random = Random.of(11, name.length);
  let [numRejected, slowestMs] = [0, 0];
  for (let trial = 0; trial < NUM_TRIALS; trial++) {
    const damaged = file.slice();
    for (let change = random.below(3); change >= 0; change--) {
      const [start, end] = places[random.below(places.length)]!;
      const byte = BYTES[random.below(BYTES.length + 1)] ?? random.below(256);
      damaged[start + random.below(end - start)] = byte;
    }
    const began = process.cpuUsage();
    try {
      await readBatches(handedSource(damaged, "fuzz").source, filter && { filter });
    } catch (error) {
      if (!isTfxioError(error)) throw error;
      numRejected++;
    }
    // Measure processor time, because the machine may be busy.
    const { user, system } = process.cpuUsage(began);
    slowestMs = Math.max(slowestMs, (user + system) / 1000);
  }
  // Pages that the filter excludes are not read, so damage in them is not detected.
  expect(numRejected).toBeGreaterThan(NUM_TRIALS / (filter === undefined ? 2 : 5));
  expect(slowestMs).toBeLessThan(5000);
});
