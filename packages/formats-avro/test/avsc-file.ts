import avsc from "avsc";
import { crc32, deflateRawSync } from "node:zlib";
import { compress } from "snappyjs";

/** Writes an object container file with avsc, an independent Avro library. `blockSize` is in bytes. */
export async function avscFile(
  schema: unknown,
  rows: readonly unknown[],
  {
    codec = "null",
    blockSize = 64,
  }: { readonly codec?: "null" | "deflate" | "snappy"; readonly blockSize?: number } = {},
): Promise<Uint8Array> {
  const encoder = new avsc.streams.BlockEncoder(avscType(schema), {
    codec,
    blockSize,
    writeHeader: "always",
    codecs: {
      null: (bytes: Buffer, done: (error: Error | null, packed: Buffer) => void) => done(null, bytes),
      deflate: (bytes: Buffer, done: (error: Error | null, packed: Buffer) => void) =>
        done(null, deflateRawSync(bytes)),
      snappy: (bytes: Buffer, done: (error: Error | null, packed: Buffer) => void) => {
        const checksum = Buffer.alloc(4);
        checksum.writeUInt32BE(crc32(bytes));
        done(null, Buffer.concat([compress(bytes), checksum]));
      },
    },
  } as object);
  const chunks: Buffer[] = [];
  const written = new Promise<void>((resolve, reject) => {
    encoder.on("data", (chunk: Buffer) => chunks.push(chunk));
    encoder.on("end", resolve);
    encoder.on("error", reject);
  });
  for (const row of rows) encoder.write(row);
  encoder.end();
  await written;
  return new Uint8Array(Buffer.concat(chunks));
}

/** Encodes one value in the binary encoding, without a header. */
export function avscValue(schema: unknown, value: unknown): Uint8Array {
  return new Uint8Array(avscType(schema).toBuffer(value));
}

/** Reads the rows of a file with avsc. */
export async function avscRows(bytes: Uint8Array): Promise<unknown[]> {
  const decoder = new avsc.streams.BlockDecoder({ parseHook: avscType });
  const rows: unknown[] = [];
  const read = new Promise<void>((resolve, reject) => {
    decoder.on("data", (row: unknown) => rows.push(row));
    decoder.on("end", resolve);
    decoder.on("error", reject);
  });
  decoder.end(Buffer.from(bytes));
  await read;
  return rows;
}

// By default, avsc represents longs as numbers, which are inexact above 2^53.
const longs = avsc.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(value);
    return bytes;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === "bigint",
  compare: (left: bigint, right: bigint) => (left < right ? -1 : Number(left > right)),
});

function avscType(schema: unknown): avsc.Type {
  return avsc.Type.forSchema(schema as avsc.Schema, { registry: { long: longs }, wrapUnions: true });
}
