import { createExampleDecoder, encodeExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { defineFormat, type Format, type PlanRequest, type ReadPlan } from "@tfxio/format";
import { type ByteSource, decompressed, RecordError, UnsupportedError } from "@tfxio/wire";

/** JSON Lines: objects of numbers (to float32), strings, lists of either, or null. Blank lines are passed over. */
export const jsonl: Format = defineFormat({
  id: "jsonl",
  extensions: [".jsonl", ".ndjson"],
  defaults: {},
  open: async (sources) => ({ plan: async (request) => planJsonl(sources, request) }),
});

function planJsonl(sources: readonly ByteSource[], request: PlanRequest): ReadPlan {
  const { schema, columns, unlisted, batchSize: maxRows, inferSchema, rawRecordColumn } = request;
  if (inferSchema ?? rawRecordColumn) throw new UnsupportedError("jsonl has no inferSchema, rawRecordColumn");
  return {
    schema,
    arrowSchema: schema && createExampleDecoder({ schema, columns }).arrowSchema(),
    splits: sources.map(({ uri }, index) => ({ index, uri })),
    async *read({ index, uri }, { from, signal, onProgress } = {}) {
      const decoder = createExampleDecoder({ schema, columns, unlisted });
      let [recordIndex, numRows, numBytes] = [0, 0, 0];
      for await (const line of linesOf(sources[index]!, signal)) {
        const place = { uri, firstRecordIndex: recordIndex, byteOffset: numBytes, numRecords: 1 };
        numBytes += line.length;
        if (line.every((byte) => byte <= 32) || recordIndex++ < (from?.row ?? 0)) continue;
        const bytes = exampleOf(line, uri, place.firstRecordIndex);
        const block = { ...place, bytes, starts: Uint32Array.of(0), ends: Uint32Array.of(bytes.length) };
        if (decoder.push(block, 0, { maxRows, maxBytes: 2 ** 25 }).isFull) yield finish();
      }
      if (decoder.numRows > 0) yield finish();

      function finish() {
        numRows += decoder.numRows;
        onProgress?.({ position: { row: recordIndex }, numRows, numBytes, numSkipped: 0 });
        return decoder.finish();
      }
    },
  };
}

function exampleOf(line: Uint8Array, uri: string, recordIndex: number): Uint8Array {
  try {
    const row: object = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
    if (Object(row) !== row || Array.isArray(row)) throw new TypeError("a row is an object");
    const features = Object.entries(row).map(([name, cell]: [string, unknown]) => {
      const values = [cell].flat();
      const kind = typeof values[0] === "string" ? "bytes" : "float";
      return [name, cell === null ? null : { kind, values }];
    });
    return encodeExample(Object.fromEntries(features) as Record<string, FeatureValues | null>);
  } catch (cause) {
    throw new RecordError("malformed-payload", `row ${recordIndex} is damaged`, { uri, recordIndex, cause });
  }
}

async function* linesOf(source: ByteSource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const line: number[] = [];
  for await (const chunk of decompressed(source, { signal }))
    for (const byte of chunk) if (line.push(byte) > 0 && byte === 10) yield Uint8Array.from(line.splice(0));
  if (line.length > 0) yield Uint8Array.from(line);
}
