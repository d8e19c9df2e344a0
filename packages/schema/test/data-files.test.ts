import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { equals } from "@bufbuild/protobuf";
import { describe, expect, test } from "@jest/globals";
import {
  decodeMessage,
  decodeSchema,
  encodeMessage,
  encodeSchema,
  explain,
  featureFrom,
  formatMessageText,
  formatSchemaText,
  inferTensorRepresentationsFromMixedSchema,
  parseMessageText,
  parseSchemaText,
  SchemaSchema,
  schemaFromJson,
  schemaToJson,
  withFeatures,
} from "../src/index.js";
import { DatasetFeatureStatisticsListSchema } from "../src/statistics.js";

const data = path.join(import.meta.dirname, "../../../../shared/data");
const texts = existsSync(data)
  ? readdirSync(data, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".pbtxt"))
  : [];

(texts.length > 0 ? describe : describe.skip)("the real schema", () => {
  test.each(texts.length > 0 ? texts : ["-"])(
    "%s survives a round trip through every format, and through featureFrom and withFeatures",
    (name) => {
      const schema = parseSchemaText(readFileSync(path.join(data, name), "utf8"));
      expect(schema.feature.length).toBeGreaterThan(0);
      expect(equals(SchemaSchema, parseSchemaText(formatSchemaText(schema)), schema)).toBe(true);
      expect(equals(SchemaSchema, decodeSchema(encodeSchema(schema)), schema)).toBe(true);
      expect(equals(SchemaSchema, schemaFromJson(schemaToJson(schema)), schema)).toBe(true);
      const features = Object.fromEntries(
        schema.feature.map((feature) => [feature.name, featureFrom(schema, feature.name)]),
      );
      expect(equals(SchemaSchema, withFeatures(schema, features), schema)).toBe(true);
    },
  );

  test.each(texts.length > 0 ? texts : ["-"])("%s has a tensor for every feature", (name) => {
    const schema = parseSchemaText(readFileSync(path.join(data, name), "utf8"));
    const { tensors, featuresWithoutTensor } = explain(schema);
    expect(tensors.map(({ tensorName }) => tensorName)).toEqual([
      ...inferTensorRepresentationsFromMixedSchema(schema).keys(),
    ]);
    expect(featuresWithoutTensor).toEqual([]);
    expect(tensors.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

const statistics = path.join(data, "taxi/tfdv_output/train-FeatureStats.pb");
(existsSync(statistics) ? describe : describe.skip)("real statistics", () => {
  test("survive the binary and text formats, and have the counts that the data's README states", () => {
    const bytes = new Uint8Array(readFileSync(statistics));
    const list = decodeMessage(DatasetFeatureStatisticsListSchema, bytes);
    expect(list.datasets.map(({ numExamples, features }) => [numExamples, features.length])).toEqual([
      [10036n, 18],
    ]);
    const encoded = encodeMessage(DatasetFeatureStatisticsListSchema, list);
    expect(encoded).toHaveLength(bytes.length);
    const decoded = decodeMessage(DatasetFeatureStatisticsListSchema, encoded);
    expect(equals(DatasetFeatureStatisticsListSchema, decoded, list)).toBe(true);
    const text = formatMessageText(DatasetFeatureStatisticsListSchema, list);
    expect(
      equals(
        DatasetFeatureStatisticsListSchema,
        parseMessageText(DatasetFeatureStatisticsListSchema, text),
        list,
      ),
    ).toBe(true);
  });
});
