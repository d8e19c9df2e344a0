import { kernels, typescriptKernels } from "@tfxio/wire/kernels";
import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import { type Bench, BenchError, type BenchOutput } from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { Random } from "../sets/random.js";
import { byteTableCrc32c } from "./byte-table-crc32c.js";

// Average record sizes of the taxi, criteo and wide sets, rounded, and two powers of 2.
const sizes = [500, 1430, 4096, 10_900, 65_536];
const sets = sizes.map((size) => ({ name: `${size}B`, size }));
// Number of bytes to checksum in one timed run. The run checksums the same payload until it reaches this number.
const bytesPerRun = 32e6;
const seed = 7;

/** An implementation of CRC-32C. */
interface CrcSubject {
  readonly name: string;
  /** Returns the unmasked checksum as an unsigned 32-bit integer. */
  crc32c(bytes: Uint8Array): number;
}

const subjects: readonly CrcSubject[] = [
  ...Array.from(new Set([kernels(), typescriptKernels]), (implementation) => ({
    name: `ours:${implementation.name}`,
    crc32c: (bytes: Uint8Array) => implementation.crc32c(bytes),
  })),
  { name: "byte-table", crc32c: byteTableCrc32c },
];

// This npm package uses the processor's CRC instruction from native code. It is absent if npm has no binary for this machine.
const nativePeer = "@node-rs/crc32";

async function loadNativePeer(output: BenchOutput): Promise<readonly CrcSubject[]> {
  try {
    const { crc32c } = await import("@node-rs/crc32");
    return [{ name: nativePeer, crc32c: (bytes) => crc32c(bytes) }];
  } catch (error) {
    output.note(nativePeer, `absent (${(error as Error).message})`);
    return [];
  }
}

/** Computes CRC-32C of one buffer repeatedly, so the buffer is in cache. */
export const crcBench: Bench = {
  name: "crc",
  about: "CRC-32C of payloads in cache",
  sets: sets.map(({ name }) => name),
  subjects: [...subjects.map(({ name }) => name), nativePeer],
  run: async (options, output) => {
    const entrants = chosen([...subjects, ...(await loadNativePeer(output))], options.subjects);
    const measurements = [];
    for (const { name: set, size } of chosen(sets, options.sets)) {
      const random = new Random(seed);
      const bytes = Uint8Array.from({ length: size }, () => random.below(256));
      const expected = byteTableCrc32c(bytes);
      const calls = Math.ceil(bytesPerRun / size);
      const run = (subject: CrcSubject) => async () => {
        const start = performance.now();
        for (let i = 0; i < calls; i++) {
          if (subject.crc32c(bytes) !== expected)
            throw new BenchError(`crc ${set}: ${subject.name} returns a wrong checksum`);
        }
        return (performance.now() - start) / 1000;
      };
      // The first round is not timed. It lets V8 compile the code.
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
