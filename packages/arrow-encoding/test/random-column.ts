import {
  Binary,
  Bool,
  type Data,
  type DataType,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  Int64,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  makeData,
  Null,
  RecordBatch,
  Struct,
  Utf8,
} from "apache-arrow";
import { batchOf } from "./batches.js";
import { type Draw } from "./random.js";

const LEAVES: readonly (() => DataType)[] = [
  () => new Int64(),
  () => new Float32(),
  () => new Binary(),
  () => new LargeBinary(),
  () => new Utf8(),
  () => new LargeUtf8(),
  () => new Int32(),
  () => new Bool(),
  () => new Null(),
];

/** Returns a random type with at most `depth` levels of lists and structs. */
export function randomType(draw: Draw, depth: number): DataType {
  if (depth === 0 || draw.oneIn(3)) return draw.pick(LEAVES)();
  const inner = (name: string): Field => new Field(name, randomType(draw, depth - 1), true);
  switch (draw.below(7)) {
    case 0:
      return new Struct([inner("p"), inner("q")]);
    case 1:
      return new FixedSizeList(2, inner("item"));
    case 2:
    case 3:
      return new LargeList(inner("item"));
    default:
      return new List(inner("item"));
  }
}

/**
 * Returns a column of random values. It may have hidden values under nulls, and unused values before and after the range that
 * its offsets cover.
 */
export function randomColumn(draw: Draw, type: DataType, length: number): Data {
  if (type instanceof Null) return makeData({ type, length });
  const validity = draw.oneIn(3) ? { nullCount: 0 } : { nullCount: -1, nullBitmap: bits(draw, length) };
  const common = { type, length, ...validity };
  const make = (props: object): Data => makeData({ ...common, ...props } as Parameters<typeof makeData>[0]);
  if (type instanceof Struct) {
    return make({ children: type.children.map((f: Field) => randomColumn(draw, f.type, length)) });
  }
  if (type instanceof FixedSizeList) return make({ child: randomColumn(draw, type.valueType, length * 2) });
  if (type instanceof List || type instanceof LargeList) {
    const { offsets, end } = randomOffsets(draw, length, type instanceof LargeList);
    return make({
      valueOffsets: offsets,
      child: randomColumn(draw, type.valueType as DataType, end + draw.below(2)),
    });
  }
  if (type instanceof Bool) return make({ data: bits(draw, length) });
  if (type instanceof Int64)
    return make({ data: BigInt64Array.from({ length }, () => BigInt(draw.below(9)) - 4n) });
  if (type instanceof Int32) return make({ data: Int32Array.from({ length }, () => draw.below(9)) });
  if (type instanceof Float32) return make({ data: Float32Array.from({ length }, () => draw.below(9) / 4) });
  const isLarge = type instanceof LargeBinary || type instanceof LargeUtf8;
  const { offsets, end } = randomOffsets(draw, length, isLarge);
  return make({
    valueOffsets: offsets,
    data: Uint8Array.from({ length: end + draw.below(3) }, () => 97 + draw.below(3)),
  });
}

function randomOffsets(
  draw: Draw,
  length: number,
  isLarge: boolean,
): { offsets: Int32Array | BigInt64Array; end: number } {
  const offsets = new Int32Array(length + 1);
  offsets[0] = draw.below(3);
  for (let row = 0; row < length; row++) offsets[row + 1] = offsets[row]! + draw.pick([0, 1, 1, 2, 3]);
  return { offsets: isLarge ? BigInt64Array.from(offsets, BigInt) : offsets, end: offsets[length]! };
}

function bits(draw: Draw, length: number): Uint8Array {
  return Uint8Array.from({ length: (length + 7) >> 3 }, () => draw.below(256));
}

/** Returns a batch of random columns. */
export function randomBatch(
  draw: Draw,
  types: Readonly<Record<string, DataType>>,
  length: number,
): RecordBatch {
  const columns = Object.entries(types).map(([name, type]) => [name, randomColumn(draw, type, length)]);
  return batchOf(Object.fromEntries(columns) as Record<string, Data>);
}
