import { createExampleDecoder, encodeExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { type Format, type PayloadDecoder, type PayloadSession, recordFormat } from "@tfxio/format";
import { linesContainer } from "@tfxio/format/containers";
import { type RecordBlock, RecordError } from "@tfxio/wire";

/** JSON objects of numbers (to float32), strings, lists of either, or null. Blank lines are passed over. */
export const jsonPayload: PayloadDecoder = {
  id: "json",
  defaults: {},
  async plan({ schema, columns, unlisted }) {
    const createDecoder = () => createExampleDecoder({ schema, columns, unlisted });
    const arrowSchema = schema && createDecoder().arrowSchema();
    return { arrowSchema, skipsRecords: true, createSession: () => sessionOf(createDecoder()) };
  },
};

/** JSON Lines: each line is a row. */
export const jsonLines = { ...linesContainer, extensions: [".jsonl", ".ndjson"] };
export const jsonl: Format = recordFormat(jsonLines, jsonPayload, { id: "jsonl", columnForm: "lists" });

function sessionOf(decoder: ReturnType<typeof createExampleDecoder>): PayloadSession {
  return {
    get numRows() {
      return decoder.numRows;
    },
    numSkipped: 0,
    push(block, from, limits) {
      let [at, isFull] = [from, false];
      for (; at < block.numRecords && !isFull; at++) {
        const example = exampleOf(block, at);
        if (example !== null) isFull = decoder.push(example, 0, limits).isFull;
      }
      return { consumed: at - from, numRecords: at - from, isFull };
    },
    finish: () => decoder.finish(),
  };
}

/** A line as a block of one tf.Example; null when it is blank. */
function exampleOf({ uri, starts, ends, ...block }: RecordBlock, at: number): RecordBlock | null {
  const line = block.bytes.subarray(starts[at], ends[at]);
  if (line.every((byte) => byte <= 32)) return null;
  const [firstRecordIndex, byteOffset] = [block.firstRecordIndex + at, block.byteOffset + starts[at]!];
  try {
    const row: object = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
    if (Object(row) !== row || Array.isArray(row)) throw new TypeError("a row is an object");
    const features = Object.entries(row).map(([name, cell]: [string, unknown]) => {
      const values = [cell].flat();
      return [
        name,
        cell === null ? null : { kind: typeof values[0] === "string" ? "bytes" : "float", values },
      ];
    });
    const bytes = encodeExample(Object.fromEntries(features) as Record<string, FeatureValues | null>);
    const bounds = { starts: Uint32Array.of(0), ends: Uint32Array.of(bytes.length), numRecords: 1 };
    return { uri, bytes, ...bounds, firstRecordIndex, byteOffset };
  } catch (cause) {
    const place = { uri, recordIndex: firstRecordIndex, byteOffset };
    throw new RecordError("malformed-payload", `row ${firstRecordIndex} is damaged`, { ...place, cause });
  }
}
