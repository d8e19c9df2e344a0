import { createExampleDecoder, encodeExample } from "@tfxio/arrow-encoding";
import { type Format, type PayloadDecoder, type PayloadSession, recordFormat } from "@tfxio/format";
import { fixedLengthContainer } from "@tfxio/format/containers";
import { type RecordBlock, RecordError } from "@tfxio/wire";

/** A byte with the label, 0 to 9, and an image: 32 by 32 pixels of red, then of green, then of blue. */
export const cifarPayload: PayloadDecoder = {
  id: "cifar",
  defaults: {},
  async plan({ schema, columns, unlisted }) {
    const createDecoder = () => createExampleDecoder({ schema, columns, unlisted });
    const arrowSchema = schema && createDecoder().arrowSchema();
    return { arrowSchema, createSession: () => sessionOf(createDecoder()) };
  },
};

/** Records of 3,073 bytes, and nothing else. */
const { defaults, ...fixedLength } = fixedLengthContainer;
export const cifarFiles = {
  ...fixedLength,
  extensions: [".bin"],
  defaults: { ...defaults, recordBytes: 3073 },
};
export const cifar: Format = recordFormat(cifarFiles, cifarPayload, { id: "cifar", columnForm: "lists" });

function sessionOf(decoder: ReturnType<typeof createExampleDecoder>): PayloadSession {
  return {
    get numRows() {
      return decoder.numRows;
    },
    numSkipped: 0,
    push(block, from, limits) {
      let [at, isFull] = [from, false];
      for (; at < block.numRecords && !isFull; at++) {
        isFull = decoder.push(exampleOf(block, at), 0, limits).isFull;
      }
      return { consumed: at - from, numRecords: at - from, isFull };
    },
    finish: () => decoder.finish(),
  };
}

/** A record as a block of one tf.Example. */
function exampleOf({ uri, starts, ends, ...block }: RecordBlock, at: number): RecordBlock {
  const [firstRecordIndex, byteOffset] = [block.firstRecordIndex + at, block.byteOffset + starts[at]!];
  const record = block.bytes.subarray(starts[at], ends[at]);
  const label = record[0] ?? 0;
  if (label > 9) {
    const place = { uri, recordIndex: firstRecordIndex, byteOffset };
    throw new RecordError("malformed-payload", `image ${firstRecordIndex} has the label ${label}`, place);
  }
  const bytes = encodeExample({
    label: { kind: "int64", values: [label] },
    image: { kind: "bytes", values: [record.subarray(1)] },
  });
  const bounds = { starts: Uint32Array.of(0), ends: Uint32Array.of(bytes.length), numRecords: 1 };
  return { uri, bytes, ...bounds, firstRecordIndex, byteOffset };
}
