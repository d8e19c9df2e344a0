import { expect, test } from "@jest/globals";
import { bytesSource, isTfxioError, Random } from "@tfxio/wire";
import { parseFooter } from "../src/footer/file-footer.js";
import { fixture } from "./probe.js";
import { readBatches } from "./read-parquet.js";

// `check` draws more.
const NUM_TRIALS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 250;
const BYTES = [0, 1, 0x7f, 0x80, 0xff];

/** Places of a file by what they are part of, so that small parts are hit as often as large ones. */
function parts(file: Uint8Array): readonly (readonly [start: number, end: number])[] {
  const length = new DataView(file.buffer, file.byteOffset + file.length - 8).getUint32(0, true);
  const start = file.length - 8 - length;
  const { rowGroups } = parseFooter(file.subarray(start, start + length), "fuzz", file.length);
  const chunks = rowGroups.flatMap((group) => group.chunks);
  return [
    [start, start + length],
    [file.length - 8, file.length],
    // Of each chunk the header of its first page, and its pages.
    ...chunks.map((chunk) => [chunk.start, Math.min(chunk.end, chunk.start + 20)] as const),
    ...chunks.map((chunk) => [chunk.start, chunk.end] as const),
  ];
}

test.each(["rows.parquet", "rows-zstd-v2.parquet"])(
  "%s: rows or a coded error for any damage",
  async (name) => {
    const file = fixture(name);
    const places = parts(file);
    const random = Random.of(11, name.length);
    let [numRefused, slowestMs] = [0, 0];
    for (let trial = 0; trial < NUM_TRIALS; trial++) {
      const damaged = file.slice();
      for (let change = random.below(3); change >= 0; change--) {
        const [start, end] = places[random.below(places.length)]!;
        const byte = BYTES[random.below(BYTES.length + 1)] ?? random.below(256);
        damaged[start + random.below(end - start)] = byte;
      }
      const began = performance.now();
      try {
        await readBatches(bytesSource(damaged, "fuzz"));
      } catch (error) {
        if (!isTfxioError(error)) throw error;
        numRefused++;
      }
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
    expect(numRefused).toBeGreaterThan(NUM_TRIALS / 2);
    expect(slowestMs).toBeLessThan(5000);
  },
);
