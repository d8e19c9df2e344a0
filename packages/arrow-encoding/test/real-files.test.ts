import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { typescriptKernels } from "@tfxio/wire/kernels";
import { createExampleDecoder } from "../src/index.js";
import { columnsOf, typeOf } from "./plain-batch.js";
import { judge } from "./protobuf-judge.js";

// Files from the tests of TFX and struct2tensor. Record counts and kinds come from the README beside them.
const folder = path.resolve(import.meta.dirname, "../../../../shared/data");
const named = (type: string, names: string): Record<string, unknown> =>
  Object.fromEntries(names.split(" ").map((name) => [name, { list: type }]));
const five = (type: string, name: string): Record<string, unknown> =>
  named(type, [1, 2, 3, 4, 5].map((i) => `${name}_values_${i}`).join(" "));

const taxi = {
  ...named("binary", "company payment_type"),
  // According to the README, no record sets this feature, but one of the 9,909 records does.
  ...named("int64", "pickup_census_tract"),
  ...named(
    "float32",
    "dropoff_latitude dropoff_longitude fare pickup_latitude pickup_longitude tips trip_miles",
  ),
  ...named("int64", "dropoff_census_tract dropoff_community_area pickup_community_area trip_seconds"),
  ...named("int64", "trip_start_day trip_start_hour trip_start_month trip_start_timestamp"),
};
const shards = Array.from(
  { length: 12 },
  (_, i) => `taxi/Split-train/data_tfrecord-000${String(i).padStart(2, "0")}-of-00012.gz`,
);
const files: readonly [string, readonly string[], number, Record<string, unknown>][] = [
  ["taxi shards", shards, 9909, taxi],
  [
    "penguins",
    ["penguin/Split-train.tfrecord.gz"],
    234,
    {
      ...named("float32", "body_mass_g culmen_depth_mm culmen_length_mm flipper_length_mm"),
      ...named("int64", "species"),
    },
  ],
  [
    "MNIST",
    ["mnist/mnist.tfrecord"],
    1000,
    { ...named("int64", "image_class"), ...named("float32", "image_floats") },
  ],
  [
    "all types",
    ["proto/tf_example_all_types_4096.tfrecord.gz"],
    4096,
    { ...five("binary", "bytes"), ...five("float32", "float"), ...five("int64", "int") },
  ],
];

const whenThere = existsSync(folder) ? describe : describe.skip;

whenThere("real TFRecords", () => {
  test.each(files)(
    "have the expected column types and record count and, in the first 500 rows, the values that protobuf-es reads: %s",
    (_, names, numRecords, types) => {
      const decoder = createExampleDecoder();
      const payloads = names.flatMap((name) => payloadsOf(path.join(folder, name)));
      expect(payloads).toHaveLength(numRecords);
      const batch = decoder.decode(payloads);
      expect(Object.fromEntries(batch.schema.fields.map(({ name, type }) => [name, typeOf(type)]))).toEqual(
        types,
      );

      const columns = columnsOf(batch.slice(0, 500));
      for (let row = 0; row < Math.min(500, numRecords); row++) {
        for (const [name, feature] of judge(payloads[row]!)!) {
          const cell = columns[name]![row];
          const expected = feature && [...feature.values];
          if (!isDeepStrictEqual(cell, expected)) expect(cell).toEqual(expected);
        }
      }
    },
  );
});

function payloadsOf(file: string): Uint8Array[] {
  const stored = readFileSync(file);
  const bytes = new Uint8Array(file.endsWith(".gz") ? gunzipSync(stored) : stored);
  const options = { verifyPayload: true, maxRecordBytes: bytes.length };
  const { starts, ends, consumed } = typescriptKernels.scanTfRecords(
    bytes,
    0,
    bytes.length,
    Infinity,
    options,
  );
  expect(consumed).toBe(bytes.length);
  return Array.from(starts, (start, i) => bytes.subarray(start, ends[i]));
}
