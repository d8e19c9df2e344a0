import { describe, expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { encodeSequenceExample } from "@tfxio/arrow-encoding";
import { createFormatRegistry } from "@tfxio/format";
import { type BrokenFixture, formatChecks, type FormatFixture } from "@tfxio/format/testkit";
import {
  type SequenceExampleOptions,
  sequenceTfrecord,
  type TfRecordOptions,
  tfRecordFormats,
  tfrecord,
} from "@tfxio/formats-tfrecord";
import { ColumnPath, formatSchemaText, parseSchemaText } from "@tfxio/schema";
import { bytesSource, encodeTfRecords, openSources } from "@tfxio/wire";

// From the cases `derived_same_as_above_with_schema`, `derived_same_name_in_context_and_sequence` and
// `without_schema_only_context_features` of tools/conformance/vectors/tfx-bsl/sequence_example_decoder.json.
const records = [
  "Eg4KDAoBcxIHCgUaAwoBAQ==",
  "EgcKBQoBcxIA",
  "EgkKBwoBcxICCgA=",
  "EgA=",
  "CgwKCgoBeBIFGgMKAQESDgoMCgF4EgcKBQoDCgFh",
  "ChUKEwoJY29udGV4dF9hEgYaBAoCAQI=",
].map((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
const lists = [{ s: [[1]] }, { s: [] }, { s: [null] }, {}, { x: [["a"]] }, {}];
const rows = lists.map((list, index) => ({
  "##SEQUENCE##": list,
  ...(index === 4 && { x: [1] }),
  ...(index === 5 && { context_a: [1, 2] }),
}));

const plain = await encodeTfRecords(records);
const gzip = await encodeTfRecords(records, { compression: "gzip" });
const schema = parseSchemaText(`
  feature { name: "##SEQUENCE##" type: STRUCT struct_domain { feature { name: "s" type: INT } } }
  feature { name: "x" type: INT }`);

type Options = TfRecordOptions & SequenceExampleOptions;
// A file that is long enough for several parts. Their boundaries are sought at intervals of at least 16 KiB.
const padded = Array.from({ length: 12 }, (_, id) => "x".repeat(7000 + 500 * id));
const long = await encodeTfRecords(
  padded.map((pad) => encodeSequenceExample({ context: { pad: { kind: "bytes", values: [pad] } } })),
);

const fixtures: readonly FormatFixture<Options>[] = [
  { name: "a file of several parts", sources: [long], rows: padded.map((pad) => ({ pad: [pad] })) },
  { name: "plain", sources: [plain], rows },
  { name: "gzip and plain", sources: [gzip, plain], rows: [...rows, ...rows] },
  {
    name: "with a schema",
    sources: [plain],
    schema,
    rows: rows.map(({ x = null, "##SEQUENCE##": { s = null } }) => ({ x, "##SEQUENCE##": { s } })),
  },
  {
    name: "a different name for the sequence column",
    sources: [plain],
    options: { sequenceColumn: "steps" },
    writeOptions: { sequenceColumn: "steps" },
    rows: rows.map(({ "##SEQUENCE##": steps, ...context }) => ({ ...context, steps })),
  },
];
const broken: readonly BrokenFixture<Options>[] = [
  {
    name: "a record that is not a SequenceExample",
    sources: [await encodeTfRecords([...records, new TextEncoder().encode("none")])],
    error: { code: "malformed-payload" },
  },
  {
    name: "steps whose kind differs from the schema's type",
    sources: [plain],
    schema: parseSchemaText(
      formatSchemaText(schema).replace('name: "s"\n      type: INT', 'name: "s"\n      type: FLOAT'),
    ),
    error: { code: "schema-mismatch", reason: "wrong-kind" },
  },
];

test.each(formatChecks(sequenceTfrecord, { fixtures: [...fixtures, ...broken] }))(
  "$name",
  async ({ run }) => {
    expect(await run()).toBeUndefined();
  },
);

describe("sequence-tfrecord", () => {
  test("is selected from a registry only by its id, because the registry's detection selects tfrecord", async () => {
    const registry = createFormatRegistry(...tfRecordFormats);
    expect(registry.get("sequence-tfrecord")).toBe(sequenceTfrecord);
    for (const name of ["a.tfrecord", "a.tfrecord.gz", "part-00000-of-00002"]) {
      expect(await registry.detect(bytesSource(plain, name))).toBe(tfrecord);
    }
  });

  test("rejects an empty name for the sequence column", async () => {
    const opened = sequenceTfrecord.open(await openSources(plain), { options: { sequenceColumn: "" } });
    await expect(opened).rejects.toMatchObject({ code: "invalid-argument", argument: "sequenceColumn" });
  });

  test("plans only the columns of the requested feature list, and reads all rows", async () => {
    const reader = await sequenceTfrecord.open(await openSources(plain));
    const plan = await reader.plan({ schema, columns: [ColumnPath.of("##SEQUENCE##", "s")] });
    expect(plan.arrowSchema?.fields.map(String)).toEqual(["##SEQUENCE##: Struct<{s:List<List<Int64>>}>"]);
    let numRows = 0;
    for await (const batch of plan.read(plan.splits[0]!)) numRows += batch.numRows;
    expect(numRows).toBe(records.length);
    await reader.close();
  });
});

const shared = path.resolve(import.meta.dirname, "../../../../shared/data/sequence");
const testShared = existsSync(shared) ? test : test.skip;

testShared("the SequenceExamples of TFX yield the records and features that their README lists", async () => {
  const reader = await sequenceTfrecord.open(await openSources(path.join(shared, "Split-eval.tfrecord.gz")));
  const schemaText = readFileSync(path.join(shared, "schema.pbtxt"), "utf8");
  for (const request of [{}, { schema: parseSchemaText(schemaText) }]) {
    const plan = await reader.plan(request);
    let numRows = 0;
    for (const split of plan.splits) {
      for await (const batch of plan.read(split)) {
        numRows += batch.numRows;
        expect(batch.schema.fields.map(String)).toEqual([
          "f: List<Float32>",
          "i: List<Int64>",
          "##SEQUENCE##: Struct<{s:List<List<Binary>>}>",
        ]);
      }
    }
    expect(numRows).toBe(4500);
  }
  await reader.close();
});
