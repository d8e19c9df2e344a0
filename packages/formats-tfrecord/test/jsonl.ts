import { createExampleDecoder, encodeExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { defineFormat, type Format, type PlanRequest, type ReadPlan } from "@tfxio/format";
import { type ByteSource, decompressed, RecordError, UnsupportedError } from "@tfxio/wire";

/** JSON Lines: on each line an object of numbers, strings, lists of either, or null. Numbers become float32. */
export const jsonl: Format = defineFormat({
  id: "jsonl",
  extensions: [".jsonl", ".ndjson"],
  defaults: {},
  open: async (sources) => ({ plan: async (request) => planJsonl(sources, request) }),
});

function planJsonl(sources: readonly ByteSource[], request: PlanRequest): ReadPlan {
  const { schema, columns, batchSize: maxRows, inferSchema, rawRecordColumn } = request;
  if (inferSchema ?? rawRecordColumn)
    throw new UnsupportedError("jsonl has no inferSchema, no rawRecordColumn");
  return {
    schema,
    arrowSchema: schema && createExampleDecoder({ schema, columns }).arrowSchema(),
    splits: sources.map(({ uri }, index) => ({ index, uri })),
    async *read({ index, uri }, { from, signal, onProgress } = {}) {
      const decoder = createExampleDecoder({ schema, columns });
      let [recordIndex, numRows, numBytes] = [0, 0, 0];
      for await (const line of linesOf(sources[index]!, signal)) {
        const place = { uri, firstRecordIndex: recordIndex++, byteOffset: numBytes };
        numBytes += new TextEncoder().encode(line).length + 1;
        if (recordIndex <= (from?.recordIndex ?? 0)) continue;
        const bytes = parseLine(line, uri, place.firstRecordIndex);
        const [starts, ends] = [Uint32Array.of(0), Uint32Array.of(bytes.length)];
        const record = { ...place, bytes, numRecords: 1, starts, ends };
        if (decoder.push(record, 0, { maxRows, maxBytes: 2 ** 25 }).isFull) yield finish();
      }
      if (decoder.numRows > 0) yield finish();

      function finish() {
        numRows += decoder.numRows;
        onProgress?.({ position: { recordIndex }, numRows, numBytes, numSkipped: 0 });
        return decoder.finish();
      }
    },
  };
}

function parseLine(line: string, uri: string, recordIndex: number): Uint8Array {
  try {
    const row = Object.entries(JSON.parse(line) as object).map(([name, cell]) => [name, featureOf(cell)]);
    return encodeExample(Object.fromEntries(row) as Record<string, FeatureValues | null>);
  } catch (cause) {
    throw new RecordError("malformed-payload", `line ${recordIndex} is no row`, { uri, recordIndex, cause });
  }
}

function featureOf(cell: unknown): FeatureValues | null {
  const values = [cell].flat() as string[] & number[];
  return cell === null ? null : { kind: typeof values[0] === "string" ? "bytes" : "float", values };
}

async function* linesOf(source: ByteSource, signal?: AbortSignal): AsyncGenerator<string> {
  const text = new TextDecoder();
  let rest = "";
  for await (const chunk of decompressed(source, { signal })) {
    const lines = (rest + text.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
