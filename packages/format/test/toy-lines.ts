import type {
  ContainerContext,
  PayloadDecoder,
  PayloadRequest,
  FramedContainer,
  FramedSession,
} from "@tfxio/format";
import {
  type BatchLimits,
  type ByteSource,
  type FramedWindow,
  RecordError,
  type RecordBlock,
  SchemaError,
} from "@tfxio/wire";
import {
  Binary,
  type Data,
  Field,
  Float32,
  List,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  vectorFromArray,
} from "apache-arrow";

// A container and a payload that are easy to check: a record is a line, and `a=1,2 b=` has two columns.
// A line with `!` is damaged.

export interface LineOptions {
  /** Maximum number of lines in a block or window. */
  readonly linesAtOnce: number;
}

export interface PairOptions {
  readonly onMalformed: "error" | "skip";
  /** True if sessions accept framed bytes, so that one pass reads the framing and the records. */
  readonly fused: boolean;
}

interface Line {
  readonly index: number;
  readonly start: number;
  readonly bytes: Uint8Array;
}

const NEWLINE = 10;

async function* linesOf(source: ByteSource, context: ContainerContext<LineOptions>): AsyncGenerator<Line[]> {
  const { options, from, signal } = context;
  let rest: number[] = [];
  let lines: Line[] = [];
  let [index, at] = [0, 0];
  const take = (): Line[] => {
    const ready = lines.filter((line) => line.index >= (from?.row ?? 0));
    lines = [];
    return ready;
  };
  for await (const chunk of source.stream({ signal })) {
    for (const byte of chunk) {
      if (byte !== NEWLINE) {
        rest.push(byte);
        continue;
      }
      lines.push({ index, start: at, bytes: Uint8Array.from(rest) });
      index++;
      at += rest.length + 1;
      rest = [];
      if (lines.length === options.linesAtOnce) {
        const ready = take();
        if (ready.length > 0) yield ready;
      }
    }
  }
  const ready = take();
  if (ready.length > 0) yield ready;
  if (rest.length > 0) {
    const place = { uri: source.uri, recordIndex: index, byteOffset: at };
    throw new RecordError("truncated-record", `line ${index} does not end with a newline`, place);
  }
}

function joined(lines: readonly Line[], ends: string): Uint8Array {
  const text = lines.map(({ bytes }) => new TextDecoder().decode(bytes) + ends).join("");
  return new TextEncoder().encode(text);
}

export const lineContainer: FramedContainer<LineOptions> = {
  id: "lines",
  extensions: [".lines", ".lines.txt"],
  defaults: { linesAtOnce: 3 },
  sniff: (head) => new TextDecoder().decode(head.subarray(0, 2)) === "a=",
  async *blocks(source, context) {
    for await (const lines of linesOf(source, context)) {
      const starts = Uint32Array.from(lines, ({ start }) => start - lines[0]!.start);
      yield {
        uri: source.uri,
        bytes: joined(lines, "\n"),
        numRecords: lines.length,
        starts,
        ends: starts.map((start, index) => start + lines[index]!.bytes.length),
        firstRecordIndex: lines[0]!.index,
        byteOffset: lines[0]!.start,
        endOffset: lines.at(-1).start + lines.at(-1).bytes.length + 1,
      };
    }
  },
  framing: {
    id: "newline",
    framedOptions: ({ limits }) => ({ verifyPayload: true, maxRecordBytes: limits.maxRecordBytes }),
    windows(source, context) {
      const groups = linesOf(source, context);
      let lines: Line[] = [];
      return {
        async next(consumed) {
          const start = lines[0]?.start ?? 0;
          lines = lines.filter((line) => line.start - start >= consumed);
          if (lines.length === 0) {
            const next = await groups.next();
            if (next.done === true) return null;
            lines = next.value;
          }
          const [first] = lines;
          return {
            uri: source.uri,
            bytes: joined(lines, "\n"),
            firstRecordIndex: first!.index,
            byteOffset: first!.start,
          };
        },
        close: async () => void (await groups.return(undefined)),
      };
    },
  },
};

type Row = ReadonlyMap<string, readonly number[]>;

export const pairPayload: PayloadDecoder<PairOptions> = {
  id: "pairs",
  defaults: { onMalformed: "error", fused: false },
  reads: { rawRecordColumn: true },
  async plan(request, options) {
    const listed = request.schema?.feature.map(({ name }) => name);
    for (const { steps } of request.columns ?? []) {
      if (listed !== undefined && !listed.includes(steps[0] ?? "")) {
        throw new SchemaError("schema-mismatch", `no feature "${steps[0]}"`);
      }
    }
    const wanted = request.columns?.map(({ steps }) => steps[0] ?? "");
    const names = wanted === undefined ? listed : (listed?.filter((name) => wanted.includes(name)) ?? wanted);
    return {
      arrowSchema: listed === undefined ? undefined : arrowSchemaOf(names ?? [], request.rawRecordColumn),
      skipsRecords: options.onMalformed === "skip",
      createSession: () => createPairSession(request, options, names, listed),
    };
  },
};

function createPairSession(
  request: PayloadRequest,
  options: PairOptions,
  names: readonly string[] | undefined,
  listed: readonly string[] | undefined,
): FramedSession {
  let rows: Row[] = [];
  let records: Uint8Array[] = [];
  let numSkipped = 0;
  const isFull = ({ maxRows, maxBytes }: BatchLimits): boolean =>
    rows.length >= maxRows || records.reduce((sum, { length }) => sum + length, 0) >= maxBytes;
  const add = (record: Uint8Array, place: { uri: string; recordIndex: number; byteOffset: number }): void => {
    const text = new TextDecoder().decode(record);
    if (text.includes("!")) {
      if (options.onMalformed === "skip") return void numSkipped++;
      [rows, records] = [[], []];
      throw new RecordError("malformed-payload", `"${text}" is damaged`, place);
    }
    const row = new Map<string, number[]>();
    for (const [, name = "", values = ""] of text.matchAll(/(\w+)=(\S*)/g)) {
      if (request.unlisted === "error" && listed?.includes(name) === false) {
        throw new SchemaError("schema-mismatch", `"${name}" is not in the schema`, {
          ...place,
          columnPath: name,
        });
      }
      row.set(name, values === "" ? [] : values.split(",").map(Number));
    }
    rows.push(row);
    records.push(record.slice());
  };
  const pushAll = (
    lines: Iterable<[Uint8Array, number]>,
    uri: string,
    firstIndex: number,
    limits: BatchLimits,
  ): number => {
    let taken = 0;
    for (const [line, byteOffset] of lines) {
      if (isFull(limits)) break;
      add(line, { uri, recordIndex: firstIndex + taken, byteOffset });
      taken++;
    }
    return taken;
  };
  return {
    framings: options.fused ? ["newline"] : [],
    get numRows() {
      return rows.length;
    },
    get numSkipped() {
      return numSkipped;
    },
    push(block: RecordBlock, from, limits) {
      const lines = Array.from(
        block.starts.subarray(from, block.numRecords),
        (start, index): [Uint8Array, number] => [
          block.bytes.subarray(start, block.ends[from + index]),
          block.byteOffset + start,
        ],
      );
      const taken = pushAll(lines, block.uri, block.firstRecordIndex + from, limits);
      return { consumed: taken, numRecords: taken, isFull: isFull(limits) };
    },
    pushFramed(window: FramedWindow, from, limits) {
      const lines: [Uint8Array, number][] = [];
      for (let start = from; start < window.bytes.length; ) {
        const end = window.bytes.indexOf(NEWLINE, start);
        lines.push([window.bytes.subarray(start, end), window.byteOffset + start]);
        start = end + 1;
      }
      const before = window.bytes.subarray(0, from).filter((byte) => byte === NEWLINE).length;
      const taken = pushAll(lines, window.uri, window.firstRecordIndex + before, limits);
      const consumed = lines.slice(0, taken).reduce((total, [line]) => total + line.length + 1, 0);
      return { consumed, numRecords: taken, isFull: isFull(limits) };
    },
    finish() {
      const columns = names ?? [...new Set(rows.flatMap((row) => [...row.keys()]))].sort();
      const batch = toBatch(rows, records, columns, request.rawRecordColumn);
      [rows, records] = [[], []];
      return batch;
    },
  };
}

function arrowSchemaOf(names: readonly string[], rawRecordColumn: string | undefined): ArrowSchema {
  const fields = names.map((name) => new Field(name, floatList(), true));
  return new ArrowSchema(
    rawRecordColumn === undefined ? fields : [...fields, new Field(rawRecordColumn, new Binary(), true)],
  );
}

function toBatch(
  rows: readonly Row[],
  records: readonly Uint8Array[],
  names: readonly string[],
  rawRecordColumn: string | undefined,
): RecordBatch {
  const schema = arrowSchemaOf(names, rawRecordColumn);
  const children: Data[] = names.map(
    (name) =>
      vectorFromArray(rows.map((row) => row.get(name) ?? null) as (number[] | null)[], floatList()).data[0]!,
  );
  if (rawRecordColumn !== undefined) children.push(vectorFromArray(records, new Binary()).data[0]!);
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new RecordBatch(schema, data);
}

function floatList(): List<Float32> {
  return new List(new Field("item", new Float32(), true));
}
