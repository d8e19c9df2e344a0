import { expect, test } from "@jest/globals";
import { encodeExample } from "@tfxio/arrow-encoding";
import { type Format, type PayloadDecoder, recordFormat } from "@tfxio/format";
import { type ExampleOptions, examplePayload, tfRecordContainer } from "@tfxio/formats-tfrecord";
import { bytesSource, encodeTfRecords } from "@tfxio/wire";

/** Decodes tf.Examples from blocks of records. `examplePayload` itself decodes windows: bytes that include the frames. */
const blockPayload: PayloadDecoder<ExampleOptions> = {
  ...examplePayload,
  plan: async (request, options) => {
    const plan = await examplePayload.plan(request, options);
    return {
      arrowSchema: plan.arrowSchema,
      createSession: () => Object.assign(plan.createSession(), { framings: [] }),
    };
  },
};
const fused = recordFormat(tfRecordContainer, examplePayload);
const blocks = recordFormat(tfRecordContainer, blockPayload);

/** Returns everything observable about a read: its progress, the rows of its batches, and its error. */
async function readingOf(format: Format, bytes: Uint8Array, options: object): Promise<unknown[]> {
  const reader = await format.open([bytesSource(bytes)], { options, limits: { maxRecordBytes: 200 } });
  const plan = await reader.plan({ batchSize: 2 });
  const seen: unknown[] = [];
  try {
    const onProgress = (progress: object): void => void seen.push(progress);
    for await (const batch of plan.read(plan.splits[0]!, { onProgress })) {
      seen.push(
        JSON.stringify(batch.toArray(), (_, value) => (typeof value === "bigint" ? `${value}n` : value)),
      );
    }
  } catch (error) {
    seen.push({ ...(error as object), message: (error as Error).message });
  }
  return seen;
}

const records = [1, 2, 3, 4, 5].map((id) =>
  encodeExample({ id: { kind: "int64", values: [id] }, of: { kind: "bytes", values: ["row"] } }),
);
const file = await encodeTfRecords(records);

test("progress counts all bytes of a record's frame, whether records are read as blocks or as windows", async () => {
  const one = await encodeTfRecords(records.slice(0, 1));
  for (const format of [fused, blocks]) {
    expect((await readingOf(format, one, {}))[0]).toEqual({
      position: { row: 1, detail: one.length },
      numRows: 1,
      numBytes: one.length,
      numSkipped: 0,
    });
  }
});

test.each([
  ["error", true],
  ["skip", true],
  ["error", false],
  ["skip", false],
])(
  "damaged files yield the same rows and errors whether read as blocks or as windows (onMalformed %s, verifyPayloadCrc %j)",
  async (onMalformed, verifyPayloadCrc) => {
    const options = { onMalformed, verifyPayloadCrc, compression: "none" };
    for (let at = 0; at < file.length; at += 3) {
      const flipped = file.slice();
      flipped[at]! ^= 1 << (at % 8);
      for (const bytes of [flipped, file.subarray(0, at)]) {
        expect(await readingOf(blocks, bytes, options)).toEqual(await readingOf(fused, bytes, options));
      }
    }
  },
);
