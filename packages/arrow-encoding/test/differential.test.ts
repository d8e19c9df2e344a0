import { describe, expect, test } from "@jest/globals";
import { isDeepStrictEqual } from "node:util";
import { create } from "@bufbuild/protobuf";
import { FeatureSchema, FeatureType, type Schema, SchemaSchema } from "@tfxio/schema";
import type { RecordBlock } from "@tfxio/wire";
import { createExampleDecoder, createSequenceExampleDecoder, type ExampleDecoder } from "../src/index.js";
import { columnsOf } from "./plain-batch.js";
import { type JudgedFeature, type JudgedSequence, judge, judgeSequence } from "./protobuf-judge.js";
import { Draw, seededRandom } from "./random.js";
import { randomExample, randomSequenceExample, type WireForm } from "./random-example.js";

const types = [0, 1, 3, 2] as const;

/** Returns the columns that tfx_bsl would create from rows that protobuf-es has parsed: one for each name that occurs. */
function judgedColumns(rows: readonly Map<string, JudgedFeature>[]): Record<string, unknown[]> {
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return Object.fromEntries(
    names.map((name) => [name, rows.map((row) => (row.get(name) ? [...row.get(name)!.values] : null))]),
  );
}

function schemaOf(rows: readonly Map<string, JudgedFeature>[]): Schema {
  const kinds = new Map<string, number>();
  for (const row of rows)
    for (const [name, feature] of row) if (feature !== null) kinds.set(name, feature.kind);
  const feature = Array.from(kinds, ([name, kind]) => ({ name, type: types[kind as 1 | 2 | 3] }));
  return create(SchemaSchema, { feature: feature.toReversed() });
}

function blockOf(records: readonly Uint8Array[]): RecordBlock {
  const ends = new Uint32Array(records.length);
  let end = 0;
  for (const [i, record] of records.entries()) ends[i] = end += record.length;
  const starts = Uint32Array.from(ends, (value, i) => value - records[i]!.length);
  const bytes = new Uint8Array(Buffer.concat(records));
  return {
    uri: "random",
    bytes,
    numRecords: records.length,
    starts,
    ends,
    firstRecordIndex: 0,
    byteOffset: 0,
  };
}

/** Like `toEqual`, but fast for equal values. */
function assertSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

const limits = { maxRows: Infinity, maxBytes: Infinity };

function pushOneByOne(decoder: ExampleDecoder, block: RecordBlock): void {
  for (let i = 0; i < block.numRecords; i++) {
    decoder.push({ ...block, numRecords: i + 1 }, i, limits);
  }
}

describe.each<WireForm>(["usual", "arbitrary"])("random tf.Examples (wire form: %s)", (form) => {
  const draw = new Draw(seededRandom(form === "usual" ? 1 : 2));
  const discovering = createExampleDecoder();

  test("decode to the values that protobuf-es reads, with or without a schema, however the records are pushed", () => {
    for (let round = 0; round < 60; round++) {
      const records = Array.from({ length: draw.below(12) }, () =>
        Uint8Array.from(randomExample(draw, form)),
      );
      const rows = records.map((record) => judge(record)!);
      const expected = judgedColumns(rows);

      const batch = discovering.decode(records);
      expect(batch.numRows).toBe(records.length);
      assertSame(columnsOf(batch), expected);
      assertSame(Object.keys(columnsOf(batch)), Object.keys(expected));

      const block = blockOf(records);
      discovering.push(block, 0, limits);
      assertSame(columnsOf(discovering.finish()), expected);
      pushOneByOne(discovering, block);
      assertSame(columnsOf(discovering.finish()), expected);

      const schema = schemaOf(rows);
      const typed = createExampleDecoder({ schema });
      typed.push(block, 0, limits);
      const ordered = Object.fromEntries(schema.feature.map(({ name }) => [name, expected[name]]));
      assertSame(columnsOf(typed.finish()), ordered);
    }
  });
});

test("a feature may change its kind within a record, but is rejected if its kind changes between records", () => {
  const draw = new Draw(seededRandom(3));
  const decoder = createExampleDecoder();
  let numWrong = 0;
  for (let round = 0; round < 200; round++) {
    const records = Array.from({ length: 1 + draw.below(3) }, () =>
      Uint8Array.from(randomExample(draw, "arbitrary", true)),
    );
    const rows = records.map((record) => judge(record)!);
    const kinds = new Map<string, number>();
    const drifts = rows.some((row) =>
      Array.from(row).some(([name, feature]) => {
        if (feature === null) return false;
        const before = kinds.get(name) ?? feature.kind;
        kinds.set(name, before);
        return before !== feature.kind;
      }),
    );
    if (drifts) {
      numWrong++;
      expect(() => decoder.decode(records)).toThrow(expect.objectContaining({ reason: "wrong-kind" }));
    } else {
      assertSame(columnsOf(decoder.decode(records)), judgedColumns(rows));
    }
  }
  expect(numWrong).toBeGreaterThan(20);
});

/**
 * Returns the expected columns of SequenceExamples. The struct of feature lists exists if any row has `feature_lists`, even if
 * they are empty.
 */
function judgedSequenceColumns(rows: readonly JudgedSequence[]): Record<string, unknown[]> {
  const names = [...new Set(rows.flatMap(({ lists }) => [...lists.keys()]))];
  names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const structs = rows.map(({ lists }) =>
    Object.fromEntries(
      names.map((name) => [name, lists.get(name)?.map((step) => step && [...step.values]) ?? null]),
    ),
  );
  const hasLists = rows.some((row) => row.hasLists);
  return {
    ...judgedColumns(rows.map(({ context }) => context)),
    ...(hasLists && { "##SEQUENCE##": structs }),
  };
}

/** Returns a schema of the features that have a kind in at least one row, in reverse order of their first occurrence. */
function sequenceSchemaOf(rows: readonly JudgedSequence[]): Schema {
  const kinds = new Map<string, 1 | 2 | 3>();
  for (const { lists } of rows)
    for (const [name, steps] of lists) for (const step of steps) if (step) kinds.set(name, step.kind);
  const children = Array.from(kinds, ([name, kind]) => ({ name, type: types[kind] })).toReversed();
  const sequence = create(FeatureSchema, {
    name: "##SEQUENCE##",
    type: FeatureType.STRUCT,
    domainInfo: { case: "structDomain", value: { feature: children } },
  });
  const { feature } = schemaOf(rows.map(({ context }) => context));
  return create(SchemaSchema, { feature: [sequence, ...feature] });
}

describe.each<WireForm>(["usual", "arbitrary"])("random tf.SequenceExamples (wire form: %s)", (form) => {
  const draw = new Draw(seededRandom(form === "usual" ? 4 : 5));
  const discovering = createSequenceExampleDecoder();

  test("decode to the values that protobuf-es reads, with or without a schema, however the records are pushed", () => {
    for (let round = 0; round < 60; round++) {
      const records = Array.from({ length: draw.below(12) }, () =>
        Uint8Array.from(randomSequenceExample(draw, form)),
      );
      const rows = records.map((record) => judgeSequence(record)!);
      const expected = judgedSequenceColumns(rows);

      const batch = discovering.decode(records);
      expect(batch.numRows).toBe(records.length);
      assertSame(columnsOf(batch), expected);
      assertSame(Object.keys(columnsOf(batch)), Object.keys(expected));
      const block = blockOf(records);
      pushOneByOne(discovering, block);
      assertSame(columnsOf(discovering.finish()), expected);

      const schema = sequenceSchemaOf(rows);
      const typed = createSequenceExampleDecoder({ schema });
      typed.push(block, 0, limits);
      const columns = columnsOf(typed.finish());
      const [sequence, ...context] = schema.feature;
      const names = sequence!.domainInfo.value as { feature: { name: string }[] };
      const structs = (expected["##SEQUENCE##"] ?? []) as Record<string, unknown>[];
      const ordered = structs.map((row) =>
        Object.fromEntries(names.feature.map(({ name }) => [name, row[name]])),
      );
      assertSame(columns, {
        ...Object.fromEntries(context.map(({ name }) => [name, expected[name]])),
        ...(names.feature.length > 0 && { "##SEQUENCE##": ordered }),
      });
    }
  });
});
