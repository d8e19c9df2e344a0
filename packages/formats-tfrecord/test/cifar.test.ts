import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createFormatRegistry } from "@tfxio/format";
import { formatChecks } from "@tfxio/format/testkit";
import { tfRecordFormats } from "@tfxio/formats-tfrecord";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import { cifar } from "./cifar.js";

/** Returns a file with one image for each label. Every byte of the image is the label. */
function fileOf(...labels: readonly number[]): Uint8Array {
  const file = new Uint8Array(3073 * labels.length);
  labels.forEach((label, at) => file.fill(label, at * 3073, (at + 1) * 3073));
  return file;
}
const rowsOf = (...labels: readonly number[]) =>
  labels.map((label) => ({ label: [label], image: [new Uint8Array(3072).fill(label)] }));

const plain = { name: "two files", sources: [fileOf(3, 0, 9), fileOf(1)], rows: rowsOf(3, 0, 9, 1) };
const schema = parseSchemaText('feature { name: "label" type: INT }');

// recordFormat adds what a container and a payload need to satisfy the contract.
const checks = formatChecks(cifar, {
  fixtures: [
    plain,
    {
      name: "only the labels, selected by a schema",
      sources: [fileOf(1, 2, 3)],
      rows: [{ label: [1] }, { label: [2] }, { label: [3] }],
      schema,
    },
    {
      name: "a truncated file",
      sources: [fileOf(1, 2).subarray(0, -1)],
      error: { code: "truncated-record" },
    },
    { name: "an unknown label", sources: [fileOf(1, 10)], error: { code: "malformed-payload" } },
    {
      name: "a label whose kind differs from the schema's type",
      sources: [fileOf(1)],
      schema: parseSchemaText('feature { name: "label" type: FLOAT }'),
      error: { code: "schema-mismatch" },
    },
  ],
});

test.each(checks.filter(({ name }) => !/only the labels.*(write|wrote|target|finished)/.test(name)))(
  "$name",
  async ({ run }) => {
    expect(await run()).toBeUndefined();
  },
);

test("a file in a custom format is detected by a registry that also has the TFRecord formats", async () => {
  const formats = createFormatRegistry(...tfRecordFormats, cifar);
  expect(await formats.detect(bytesSource(plain.sources[0]!, "data_batch_1.bin"))).toBe(cifar);
});

test("custom-format.md has fewer than 150 lines and contains cifar.ts, which has fewer than 60 lines besides imports", () => {
  const guide = readFileSync(
    path.resolve(import.meta.dirname, "../../../docs/guides/custom-format.md"),
    "utf8",
  );
  const format = readFileSync(path.join(import.meta.dirname, "cifar.ts"), "utf8");
  expect(guide).toContain(format);
  expect(guide.trimEnd().split("\n").length).toBeLessThan(150);
  const lines = format.trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith("import ")).length).toBeLessThan(60);
});
