import { typescriptKernels } from "@tfxio/wire/kernels";
import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import { type Bench, BenchError } from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { Random } from "../sets/random.js";
import { byteTableCrc32c } from "./byte-table-crc32c.js";

// Payload sizes of the decode sets, and two rounder ones.
const sizes = [500, 1430, 4096, 10_900, 65_536];
const sets = sizes.map((size) => ({ name: `${size}B`, size }));
const bytesPerRun = 32e6;
const seed = 7;

const subjects: readonly { readonly name: string; crc32c(bytes: Uint8Array): number }[] = [
  { name: "ours:typescript", crc32c: (bytes) => typescriptKernels.crc32c(bytes) },
  { name: "byte-table", crc32c: byteTableCrc32c },
];

/** CRC-32C of one buffer over and over, so in cache. */
export const crcBench: Bench = {
  name: "crc",
  about: "CRC-32C of payloads in cache",
  sets: sets.map(({ name }) => name),
  subjects: subjects.map(({ name }) => name),
  run: async (options, output) => {
    const entrants = chosen(subjects, options.subjects);
    const measurements = [];
    for (const { name: set, size } of chosen(sets, options.sets)) {
      const random = new Random(seed);
      const bytes = Uint8Array.from({ length: size }, () => random.below(256));
      const expected = byteTableCrc32c(bytes);
      const calls = Math.ceil(bytesPerRun / size);
      const run = (subject: (typeof subjects)[number]) => async () => {
        const start = performance.now();
        for (let i = 0; i < calls; i++) {
          if (subject.crc32c(bytes) !== expected)
            throw new BenchError(`${subject.name}: wrong checksum of ${set}`);
        }
        return (performance.now() - start) / 1000;
      };
      // Once around untimed, to warm up.
      await interleave(entrants.map(run), 1, () => {});
      const seconds = await interleave(entrants.map(run), options.rounds, () => {});
      measurements.push(
        ...reportRates(
          { bench: "crc", set, unit: "MB/s", amount: (calls * size) / 1e6 },
          entrants,
          seconds,
          output,
        ),
      );
    }
    return measurements;
  },
};
