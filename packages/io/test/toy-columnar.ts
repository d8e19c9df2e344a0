import {
  type BatchWriter,
  defineFormat,
  type Limits,
  type PlanRequest,
  type ReadOptions,
  type ReadPlan,
} from "@tfxio/format";
import type { Split, WritableFormat } from "@tfxio/format";
import type { Predicate, PredicateValue } from "@tfxio/schema";
import { ArgumentError, bufferStream, type ByteSource, type ByteTarget, bytesSource } from "@tfxio/wire";
import { onAbort, RecordError, SchemaError, UnsupportedError } from "@tfxio/wire";
import { Bool, type DataType, Field, Float64, Int32, Int64, makeData, RecordBatch, Utf8 } from "apache-arrow";
import { Schema as ArrowSchema, Struct, vectorFromArray } from "apache-arrow";

// A columnar format that is simple enough to check by eye. A file consists of "TCOL", the column chunks, a footer, the
// footer's length (uint32, little endian) and "TCOL". A chunk is a JSON list of the cells of one column in one row group,
// with int64, NaN and infinity as text. The footer is JSON. It lists the columns with their types, and for each row group the
// number of rows and the position and statistics of each chunk.

const TYPES: Readonly<Record<string, DataType>> = {
  int32: new Int32(),
  int64: new Int64(),
  float64: new Float64(),
  utf8: new Utf8(),
  bool: new Bool(),
};
/** Stored type by TFMD type, for a column that the schema lists and the file lacks. */
const ABSENT: Readonly<Record<number, string>> = { 1: "utf8", 2: "int64", 3: "float64" };
const MAGIC = "TCOL";
const TAIL_BYTES = 8;

type Cell = null | number | bigint | string | boolean;
type Stored = Exclude<Cell, bigint>;
interface Chunk {
  readonly start: number;
  readonly end: number;
  /** Both `min` and `max` are null if no cell has a value, or if any cell is NaN. */
  readonly min: Stored;
  readonly max: Stored;
  readonly numNulls: number;
}
interface Footer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly groups: readonly { readonly numRows: number; readonly chunks: readonly Chunk[] }[];
}
type Group = Footer["groups"][number];

export interface ColumnarOptions {
  /** Number of rows per written row group. */
  readonly groupRows: number;
}

/** Yields columns in stored form. Row positions are row indices within the file. */
export const toyColumnar: WritableFormat<ColumnarOptions> = defineFormat<ColumnarOptions>({
  id: "toy-columnar",
  extensions: [".tcol"],
  defaults: { groupRows: 1000 },
  contractVersion: 2,
  columnForm: "stored",
  reads: { filter: "splits", rowPositionColumn: true, subdivide: true },
  sniff: (head) => new TextDecoder().decode(head.subarray(0, MAGIC.length)) === MAGIC,
  open: async (sources, { limits }) => ({ plan: (request) => planColumnar(sources, request, limits) }),
  async openStream(bytes, { limits }) {
    const stream = bufferStream(bytes);
    let [whole, isRead]: [Promise<ByteSource> | undefined, boolean] = [undefined, false];
    const load = (signal?: AbortSignal) => (whole ??= toSource(stream, signal));
    const source: ByteSource = {
      uri: "stream",
      slice: async (start, end, o) => (await load(o?.signal)).slice(start, end),
      tail: async (length, o) => {
        const { byteLength = 0 } = await load(o?.signal);
        return (await load()).slice(Math.max(0, byteLength - length), byteLength);
      },
      stream: () => {
        throw new UnsupportedError("A columnar file is read from its end, not streamed.");
      },
    };
    return {
      close: () => stream.close(),
      async plan(request) {
        const plan = await planColumnar([source], request, limits);
        return {
          ...plan,
          subdivide: async (split) => [split],
          async *read(split, options) {
            if (isRead) throw invalid("A stream can be read only once.", "stream-consumed");
            isRead = true;
            yield* plan.read(split, options);
          },
        };
      },
    };
  },
  createWriter: async (target, { arrowSchema, options }) => writerTo(target, arrowSchema, options),
});

async function toSource(stream: ReturnType<typeof bufferStream>, signal?: AbortSignal): Promise<ByteSource> {
  const unsubscribe = signal && onAbort(signal, () => void stream.close());
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.rest()) chunks.push(chunk.slice());
  unsubscribe?.();
  return bytesSource(new Uint8Array(Buffer.concat(chunks)), "stream");
}

async function planColumnar(sources: readonly ByteSource[], request: PlanRequest, limits: Limits) {
  const { columns, schema, unlisted, filter, rowPositionColumn, batchSize, signal: planSignal } = request;
  const listed = schema?.feature.map(({ name }) => name);
  const wanted = columns?.map(({ steps }) => steps.join("."));
  const strange = wanted?.find((name) => listed?.includes(name) === false);
  if (strange !== undefined) throw new SchemaError("schema-mismatch", `There is no column "${strange}".`);

  /** Returns the names and types of the columns that batches of the file have. */
  const columnsOf = (footer: Footer, uri: string): Footer["columns"] => {
    const own = (name: string) => footer.columns.find((column) => column.name === name);
    const other = footer.columns.find(({ name }) => listed?.includes(name) === false);
    if (unlisted === "error" && other !== undefined) {
      throw new SchemaError("schema-mismatch", `The schema does not list the column "${other.name}".`, {
        uri,
        columnPath: other.name,
      });
    }
    const all = schema?.feature.map(({ name, type }) => own(name) ?? { name, type: ABSENT[type] ?? "utf8" });
    return (all ?? footer.columns).filter(({ name }) => wanted?.includes(name) ?? true);
  };
  const isRuledOut = (footer: Footer, group: Group): boolean =>
    filter !== undefined && !mayMatch(filter, footer, group);

  async function* read(split: Split, { from, signal, onProgress }: ReadOptions = {}) {
    const source = sources[split.index] as ByteSource;
    const footer = await readFooter(source, limits, signal);
    const used = columnsOf(footer, source.uri);
    const schemaOfFile = schemaOf(used, rowPositionColumn);
    const starts = startsOf(footer);
    const part = split.detail as number | undefined;
    const groups = [...footer.groups.entries()].filter(([group]) => part === undefined || group === part);
    const base = part === undefined ? 0 : starts[part]!;
    let [cells, positions, numRows, numBytes] = [used.map((): Cell[] => []), [] as number[], 0, 0];
    const batchOf = (length: number): RecordBatch => {
      const taken = positions.splice(0, length);
      const children = cells.map((column, at) => toData(column.splice(0, length), used[at]!.type));
      if (rowPositionColumn !== undefined) children.push(toData(taken.map(BigInt), "int64"));
      numRows += length;
      onProgress?.({ position: { row: taken[length - 1]! + 1 - base }, numRows, numBytes, numSkipped: 0 });
      const type = new Struct(schemaOfFile.fields);
      return new RecordBatch(schemaOfFile, makeData({ type, length, nullCount: 0, children }));
    };
    for (const [index, group] of groups) {
      const skip = Math.max(0, base + (from?.row ?? 0) - starts[index]!);
      if (skip >= group.numRows || isRuledOut(footer, group)) continue;
      const loaded = await readChunks(source, footer, group, used, signal);
      numBytes += sizeOf(group);
      cells = cells.map((column, at) => column.concat(loaded[at]!.slice(skip)));
      for (let row = skip; row < group.numRows; row++) positions.push(starts[index]! + row);
      while (positions.length >= batchSize) yield batchOf(batchSize);
    }
    if (positions.length > 0) yield batchOf(positions.length);
  }

  // The footer of the first file determines the stored types of the columns that a schema lists.
  const first = schema && columnsOf(await readFooter(sources[0]!, limits, planSignal), sources[0]!.uri);
  return {
    arrowSchema: first && schemaOf(first, rowPositionColumn),
    ...(filter !== undefined && { filtered: "splits" as const }),
    splits: sources.map(({ uri, byteLength }, index) => ({ index, uri, numBytes: byteLength })),
    async subdivide({ index, uri, detail }: Split, { signal }: { signal?: AbortSignal | undefined } = {}) {
      const footer = await readFooter(sources[index]!, limits, signal);
      return [...footer.groups.entries()]
        .filter(([at, group]) => (detail === undefined || detail === at) && !isRuledOut(footer, group))
        .map(([at, group]) => ({ index, uri, detail: at, numRows: group.numRows, numBytes: sizeOf(group) }));
    },
    read,
  } satisfies ReadPlan;
}

async function readFooter(
  source: ByteSource,
  { maxMetadataBytes }: Limits,
  signal: AbortSignal | undefined,
): Promise<Footer> {
  const { uri, byteLength = 0 } = source;
  const last = async (length: number): Promise<Buffer> =>
    Buffer.from(
      (await source.tail?.(length, { signal })) ??
        (await source.slice(Math.max(0, byteLength - length), byteLength, { signal })),
    );
  const end = await last(TAIL_BYTES);
  if (end.length < TAIL_BYTES || end.toString("latin1", 4) !== MAGIC) {
    throw new RecordError("truncated-record", `The end of ${uri} is not that of a columnar file.`, {
      uri,
      reason: "footer",
    });
  }
  const length = end.readUInt32LE(0);
  if (length > maxMetadataBytes) {
    const message = `${uri} declares a footer of ${length} bytes, but the limit is ${maxMetadataBytes}.`;
    throw new RecordError("limit-exceeded", message, { uri, reason: "metadata-length" });
  }
  const text = (await last(length + TAIL_BYTES)).toString("utf8", 0, length);
  return parse(text, uri, "footer") as Footer;
}

/** Returns the cells of the columns, with null for columns that the file lacks. */
async function readChunks(
  source: ByteSource,
  footer: Footer,
  { chunks, numRows }: Group,
  used: Footer["columns"],
  signal: AbortSignal | undefined,
): Promise<Cell[][]> {
  const places = used.map(({ name }) => chunks[footer.columns.findIndex((column) => column.name === name)]);
  const ranges = places.filter((place) => place !== undefined);
  const read =
    (await source.slices?.(ranges, { signal })) ??
    (await Promise.all(ranges.map(({ start, end }) => source.slice(start, end, { signal }))));
  return used.map(({ type }, at) => {
    const place = places[at];
    if (place === undefined) return Array.from({ length: numRows }, () => null);
    const text = new TextDecoder().decode(read[ranges.indexOf(place)]);
    return (parse(text, source.uri, "chunk") as Stored[]).map((cell) => toCell(cell, type));
  });
}

function parse(text: string, uri: string, part: "footer" | "chunk"): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new RecordError("corrupt-record", `A ${part} in ${uri} is not valid JSON.`, {
      uri,
      reason: part,
      cause,
    });
  }
}

/** Returns false only if no row of the group can match. */
function mayMatch(filter: Predicate, { columns }: Footer, group: Group): boolean {
  const footer = { columns, groups: [] };
  switch (filter.kind) {
    case "and":
      return filter.operands.every((operand) => mayMatch(operand, footer, group));
    case "or":
      return filter.operands.some((operand) => mayMatch(operand, footer, group));
    case "not":
      return true;
    default: {
      const at = columns.findIndex(({ name }) => name === String(filter.column));
      const chunk = group.chunks[at];
      if (filter.kind === "isNull") return chunk === undefined || chunk.numNulls > 0;
      if (chunk === undefined || chunk.numNulls === group.numRows) return false;
      const [min, max] = [chunk.min, chunk.max].map((cell) => toCell(cell, columns[at]!.type));
      // An unknown minimum or maximum compares as NaN, for which isLess and isMost return true, so no row group is ruled out.
      const isLess = (left: Cell | undefined, right: Cell | undefined) => !(compare(left, right) >= 0);
      const isMost = (left: Cell | undefined, right: Cell | undefined) => !(compare(left, right) > 0);
      const has = (value: PredicateValue) =>
        value instanceof Uint8Array || (isMost(min, value) && isMost(value, max));
      if (filter.kind === "in") return filter.values.some(has);
      const { op, value } = filter;
      if (op === "!=" || value instanceof Uint8Array) return true;
      if (op === "==") return has(value);
      if (op === "<" || op === "<=") return op === "<" ? isLess(min, value) : isMost(min, value);
      return op === ">" ? isLess(value, max) : isMost(value, max);
    }
  }
}

/** Returns a number below, equal to or above 0; NaN if the values cannot be compared. Compares text by its UTF-8 bytes. */
function compare(left: Cell | undefined, right: Cell | undefined): number {
  if (typeof left === "string" && typeof right === "string")
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  const areText = typeof left === "string" || typeof right === "string";
  if (areText || left === null || left === undefined || right === null || right === undefined)
    return Number.NaN;
  return left < right ? -1 : Number(left > right);
}

function writerTo(target: ByteTarget, schema: ArrowSchema, { groupRows }: ColumnarOptions): BatchWriter {
  if (!(Number.isSafeInteger(groupRows) && groupRows >= 1)) throw invalid("groupRows must be at least 1.");
  const columns = schema.fields.map(({ name, type }) => {
    const known = Object.entries(TYPES).find(([, one]) => String(one) === String(type));
    if (known === undefined)
      throw new UnsupportedError(`A columnar file cannot have a column of type ${String(type)}.`);
    return { name, type: known[0] };
  });
  const groups: Group[] = [];
  let [waiting, offset] = [[] as Cell[][], 0];
  const put = async (bytes: Buffer): Promise<void> => {
    offset += bytes.length;
    await target.write(bytes);
  };
  const writeGroup = async (rows: readonly Cell[][]): Promise<void> => {
    if (offset === 0) await put(Buffer.from(MAGIC));
    const chunks: Chunk[] = [];
    for (const at of columns.keys()) {
      const cells = rows.map((row) => row[at] ?? null);
      const start = offset;
      await put(Buffer.from(JSON.stringify(cells.map(toStored))));
      const values = cells.filter((cell) => cell !== null).toSorted(compare);
      const isKnown = values.length > 0 && !values.some((value) => Number.isNaN(value));
      const [min, max] = isKnown ? [values[0]!, values.at(-1) ?? null] : [null, null];
      const numNulls = cells.length - values.length;
      chunks.push({ start, end: offset, min: toStored(min), max: toStored(max), numNulls });
    }
    groups.push({ numRows: rows.length, chunks });
  };
  return {
    async write(batch) {
      for (let row = 0; row < batch.numRows; row++) {
        waiting.push(columns.map((_, at) => batch.getChildAt(at)?.get(row) as Cell));
      }
      for (; waiting.length >= groupRows; waiting = waiting.slice(groupRows))
        await writeGroup(waiting.slice(0, groupRows));
    },
    async finish() {
      if (waiting.length > 0) await writeGroup(waiting);
      if (offset === 0) await put(Buffer.from(MAGIC));
      const footer = Buffer.from(JSON.stringify({ columns, groups } satisfies Footer));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(footer.length);
      await put(Buffer.concat([footer, length, Buffer.from(MAGIC)]));
    },
  };
}

/** Converts a cell to JSON. Values that JSON lacks become text: int64, NaN and infinity. */
function toStored(cell: Cell): Stored {
  const isPlain = typeof cell !== "bigint" && (typeof cell !== "number" || Number.isFinite(cell));
  return isPlain ? cell : String(cell);
}

function toCell(cell: Stored, type: string): Cell {
  if (typeof cell !== "string" || type === "utf8") return cell;
  return type === "int64" ? BigInt(cell) : Number(cell);
}

function toData(cells: readonly Cell[], type: string) {
  return vectorFromArray(cells as never[], TYPES[type] as DataType).data[0]!;
}

function schemaOf(columns: Footer["columns"], rowPositionColumn: string | undefined): ArrowSchema {
  const fields = columns.map(({ name, type }) => new Field(name, TYPES[type] as DataType, true));
  if (rowPositionColumn !== undefined) fields.push(new Field(rowPositionColumn, new Int64(), true));
  return new ArrowSchema(fields);
}

function startsOf({ groups }: Footer): number[] {
  return groups.map((_, at) => groups.slice(0, at).reduce((sum, { numRows }) => sum + numRows, 0));
}

function sizeOf({ chunks }: Group): number {
  return chunks.reduce((sum, { start, end }) => sum + end - start, 0);
}

function invalid(message: string, reason?: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason });
}
