import { createExampleDecoder, encodeExample } from "@tfxio/arrow-encoding";
import { type PayloadDecoder, type PayloadSession, recordFormat, type WritableFormat } from "@tfxio/format";
import { fixedLengthContainer } from "@tfxio/format/containers";
import { type RecordBlock, RecordError } from "@tfxio/wire";

/** Decodes a label, 0 to 9, and an image: the red values of 32 by 32 pixels, then the green, then the blue values. */
const payload: PayloadDecoder = {
  id: "cifar",
  defaults: {},
  async plan({ schema, columns, unlisted }) {
    const createDecoder = () => createExampleDecoder({ schema, columns, unlisted });
    const arrowSchema = schema && createDecoder().arrowSchema();
    return { arrowSchema, createSession: () => sessionOf(createDecoder()) };
  },
};

/** Divides files into records of 3,073 bytes without framing. */
const { defaults, ...fixedLength } = fixedLengthContainer;
const container = { ...fixedLength, extensions: [".bin"], defaults: { ...defaults, recordBytes: 3073 } };

export const cifar: WritableFormat = recordFormat(container, payload, {
  id: "cifar",
  columnForm: "lists",
  createWriter: async (target) => ({
    async write(batch) {
      for (const { label, image } of batch) {
        await target.write(Uint8Array.of(Number(label?.get(0)), ...image?.get(0)));
      }
    },
    finish: async () => {},
  }),
});

function sessionOf(decoder: ReturnType<typeof createExampleDecoder>): PayloadSession {
  return {
    get numRows() {
      return decoder.numRows;
    },
    numSkipped: 0,
    push(block, from, limits) {
      const { isFull } = decoder.push(exampleOf(block, from), 0, limits);
      return { consumed: 1, numRecords: 1, isFull };
    },
    finish: () => decoder.finish(),
  };
}

/** Converts a record to a block with one tf.Example. */
function exampleOf({ uri, starts, ends, ...block }: RecordBlock, at: number): RecordBlock {
  const [firstRecordIndex, byteOffset] = [block.firstRecordIndex + at, block.byteOffset + starts[at]!];
  const [label = 0, ...image] = block.bytes.subarray(starts[at], ends[at]);
  if (label > 9) {
    const place = { uri, recordIndex: firstRecordIndex, byteOffset };
    throw new RecordError("malformed-payload", `Image ${firstRecordIndex} has the label ${label}.`, place);
  }
  const bytes = encodeExample({
    label: { kind: "int64", values: [label] },
    image: { kind: "bytes", values: [Uint8Array.from(image)] },
  });
  const bounds = { starts: Uint32Array.of(0), ends: Uint32Array.of(bytes.length), numRecords: 1 };
  return { uri, bytes, ...bounds, firstRecordIndex, byteOffset };
}
