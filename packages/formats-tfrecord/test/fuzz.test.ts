import { describe, expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { encodeExample } from "@tfxio/arrow-encoding";
import { type ExampleOptions, type TfRecordOptions, tfrecord } from "@tfxio/formats-tfrecord";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource, encodeTfRecord, isTfxioError } from "@tfxio/wire";
import { kernels, maskCrc32c } from "@tfxio/wire/kernels";

// Files broken in every way that we could think of, the same files in each run. The tests do not check which rows a mutated
// file yields. They check that reading ends with rows or a `TfxioError` that names the file, and that memory stays bounded.

/** Number of files, each with a few records. `pnpm check` sets a larger number. */
const NUM_FILES = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 10;
const FILES_PER_TEST = 500;
/**
 * Maximum growth of memory. It leaves room for garbage that is not collected yet, but is far less than the memory that an
 * unchecked length would allocate.
 */
const MAX_GROWTH_BYTES = 400 * 2 ** 20;

/** Returns a random integer below `bound`. */
type Random = (bound: number) => number;

/** Returns a seeded generator: xorshift32, G. Marsaglia 2003. */
function randomOf(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b9;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

const schema = parseSchemaText(
  ["age", "INT", "name", "BYTES", "score", "FLOAT"]
    .map((word, index, words) =>
      index % 2 === 0 ? `feature { name: "${word}" type: ${words[index + 1]} }` : "",
    )
    .join("\n"),
);

function records(random: Random): Uint8Array[] {
  return Array.from({ length: 1 + random(6) }, (_, index) =>
    encodeExample({
      age:
        random(4) === 0
          ? null
          : { kind: "int64", values: Array.from({ length: random(4) }, () => random(300) - 99) },
      name: { kind: "bytes", values: Array.from({ length: random(3) }, () => "x".repeat(random(40))) },
      ...(index % 2 === 0 && { score: { kind: "float", values: [random(100) / 7, Number.NaN] } }),
    }),
  );
}

type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array;

const splice = (bytes: Uint8Array, start: number, end: number, insert: Uint8Array): Uint8Array => {
  const spliced = new Uint8Array(start + insert.length + bytes.length - end);
  spliced.set(bytes.subarray(0, start));
  spliced.set(insert, start);
  spliced.set(bytes.subarray(end), start + insert.length);
  return spliced;
};

/** Mutations of arbitrary bytes. */
const byteMutations: Readonly<Record<string, Mutation>> = {
  flipBits: (bytes, random) => {
    const copy = bytes.slice();
    for (let count = 1 + random(4); count > 0; count--) copy[random(copy.length)]! ^= 1 << random(8);
    return copy;
  },
  truncate: (bytes, random) => bytes.slice(0, random(bytes.length)),
  dropRange: (bytes, random) => {
    const start = random(bytes.length);
    return splice(bytes, start, Math.min(bytes.length, start + 1 + random(20)), new Uint8Array());
  },
  repeatRange: (bytes, random) => {
    const start = random(bytes.length);
    return splice(bytes, start, start, bytes.slice(start, start + 1 + random(40)));
  },
  insertNoise: (bytes, random) => {
    const at = random(bytes.length + 1);
    return splice(
      bytes,
      at,
      at,
      Uint8Array.from({ length: 1 + random(16) }, () => random(256)),
    );
  },
  append: (bytes, random) => splice(bytes, bytes.length, bytes.length, new Uint8Array(1 + random(20))),
};

/** Mutations of a record's payload, in a valid frame. */
const payloadMutations: Readonly<Record<string, Mutation>> = {
  ...byteMutations,
  // Overwrites a random byte, which is often a length, because most protobuf lengths here are one-byte varints.
  lieAboutLength: (bytes, random) => {
    const copy = bytes.slice();
    const at = 1 + random(Math.max(1, copy.length - 1));
    copy[at] = [0, 1, 0x7f, 0x80, 0xff, copy.length & 0xff][random(6)]!;
    return copy;
  },
  swapTag: (bytes, random) => {
    const copy = bytes.slice();
    const tags = [0x0a, 0x12, 0x1a, 0x0b, 0x0c, 0x08, 0x0d, 0x09, 0x00, 0x07];
    copy[random(copy.length)] = tags[random(tags.length)]!;
    return copy;
  },
  longVarint: (bytes, random) => {
    const at = random(bytes.length);
    return splice(bytes, at, at + 1, new Uint8Array(1 + random(12)).fill(0xff));
  },
  openGroups: (bytes, random) => splice(bytes, 0, 0, new Uint8Array(1 + random(500)).fill(0x0b)),
  repeatWhole: (bytes) => splice(bytes, bytes.length, bytes.length, bytes),
  becomeNoise: (_, random) => Uint8Array.from({ length: random(200) }, () => random(256)),
  becomeEmpty: () => new Uint8Array(),
};

/** Returns a frame with a wrong length but a correct checksum of that length. */
const withLength = (payload: Uint8Array, random: Random): Uint8Array => {
  const frame = encodeTfRecord(payload);
  const view = new DataView(frame.buffer);
  const lengths = [
    0n,
    1n,
    BigInt(payload.length + 1),
    BigInt(payload.length - 1),
    2n ** 31n,
    2n ** 32n,
    2n ** 63n,
    2n ** 30n,
  ];
  view.setBigUint64(0, BigInt.asUintN(64, lengths[random(lengths.length)]!), true);
  view.setUint32(8, maskCrc32c(kernels().crc32c(frame, 0, 8)), true);
  return frame;
};

const pick = (mutations: Readonly<Record<string, Mutation>>, random: Random): Mutation => {
  const all = Object.values(mutations);
  return all[random(all.length)]!;
};

const concat = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/**
 * Creates file number `seed`, uncompressed or gzip, with damage in a payload, a frame, the file's bytes or its compressed bytes.
 */
function mutatedFile(seed: number): Uint8Array {
  const random = randomOf(seed);
  const payloads = records(random);
  const target = random(payloads.length);
  const level = random(4);
  const frames = payloads.map((payload, index) => {
    if (index !== target) return encodeTfRecord(payload);
    if (level === 0) return encodeTfRecord(pick(payloadMutations, random)(payload, random));
    return level === 1 ? withLength(payload, random) : encodeTfRecord(payload);
  });
  const file = concat(frames);
  const damaged = level === 2 ? pick(byteMutations, random)(file, random) : file;
  const isGzip = level === 3 || random(2) === 0;
  const stored = isGzip ? new Uint8Array(gzipSync(damaged, { level: 1 })) : damaged;
  return level === 3 ? pick(byteMutations, random)(stored, random) : stored;
}

interface Outcome {
  readonly numRows: number;
  readonly error: unknown;
}

/** Reads a file twice with one plan. Returns both results. */
async function readTwice(bytes: Uint8Array, seed: number): Promise<readonly [Outcome, Outcome]> {
  const options: Partial<TfRecordOptions & ExampleOptions> = {
    onMalformed: seed % 3 === 0 ? "skip" : "error",
    verifyPayloadCrc: seed % 5 !== 0,
  };
  const reader = await tfrecord.open([bytesSource(bytes, `file-${seed}`)], { options });
  const plan = await reader.plan({ batchSize: 1 + (seed % 4), ...(seed % 2 === 0 && { schema }) });
  const read = async (): Promise<Outcome> => {
    let numRows = 0;
    try {
      for await (const batch of plan.read(plan.splits[0]!)) numRows += batch.numRows;
      return { numRows, error: undefined };
    } catch (error) {
      return { numRows, error };
    }
  };
  const outcomes = [await read(), await read()] as const;
  await reader.close();
  return outcomes;
}

/** Returns the code of the error, or `read` if there is none. @throws if an error has no code or does not name the file. */
function codeOf({ error }: Outcome, seed: number): string {
  if (error === undefined) return "read";
  if (isTfxioError(error) && (error as { readonly uri?: string }).uri === `file-${seed}`) return error.code;
  throw new Error(`the error of file ${seed} has no code, or does not name the file`, { cause: error });
}

const soundRecords = records(randomOf(1));
const sound = concat(soundRecords.map(encodeTfRecord));

describe("broken files", () => {
  test.each(
    Array.from({ length: Math.ceil(NUM_FILES / FILES_PER_TEST) }, (_, index) => index * FILES_PER_TEST),
  )(
    `are read, or rejected with a TfxioError that names the file, in bounded memory: ${FILES_PER_TEST} files from number %i on`,
    async (first) => {
      const codes = new Map<string, number>();
      const before = process.memoryUsage();
      let peak = 0;
      for (let seed = first; seed < first + FILES_PER_TEST; seed++) {
        const [outcome, again] = await readTwice(mutatedFile(seed), seed);
        const code = codeOf(outcome, seed);
        expect([seed, codeOf(again, seed), again.numRows]).toEqual([seed, code, outcome.numRows]);
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (seed % 20 > 0) continue;
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        peak = Math.max(peak, heapUsed + arrayBuffers);
      }
      expect(peak - before.heapUsed - before.arrayBuffers).toBeLessThan(MAX_GROWTH_BYTES);
      // The mutations cause each of these errors, and leave some files readable.
      for (const code of [
        "read",
        "corrupt-record",
        "truncated-record",
        "malformed-payload",
        "limit-exceeded",
      ]) {
        expect([code, (codes.get(code) ?? 0) > 0]).toEqual([code, true]);
      }
      const [outcome] = await readTwice(sound, 1);
      expect(outcome).toEqual({ numRows: soundRecords.length, error: undefined });
    },
    300_000,
  );
});
