import path from "node:path";
import { expect, test } from "@jest/globals";
import { vectorsFolder } from "../src/main.js";
import { runCases } from "../src/run.js";
import { readCases, type VectorCase } from "../src/vector-file.js";

// Every part of an expectation must matter, so cases with one changed part must fail.

type Path = readonly (string | number)[];

/** Parts that are not compared. */
const exempt = [
  // Our error messages differ from those of tfx_bsl.
  /\.error\.phrase$/,
  // Text for human readers, next to the bytes that are compared. There is no parser for the text of tf.Examples.
  /\.examples_textproto\./,
  // `compare` describes the comparison in words. Next to `arrays_any_order`, it says that types are not compared, because
  // the types of all-null arrays may differ.
  /\.compare$/,
  /^expect\.arrays_any_order\.\d+\.array\.type/,
  // This member permits an earlier error, but does not require one.
  /^expect\.mayFailAtConstruction$/,
  // Only `true` requires a comparison, so the mutant, which has `false`, passes.
  /\.round_trip_identity$/,
  // The dtype of row splits is compared in the feature, but not in the parsed sample.
  /\.parsed\.row_splits_dtype$/,
];

function leavesOf(value: unknown, at: Path): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.length === 0
    ? [at]
    : entries.flatMap(([key, inner]: [string | number, unknown]) => leavesOf(inner, [...at, key]));
}

function changed(value: unknown, key: string | number | undefined): unknown {
  if (key === "b64" || key === "$bytes") return `${Buffer.from(String(value), "base64").toString("hex")}AAAA`;
  if (key === "category") return value === "malformed" ? "wrong-kind" : "malformed";
  switch (typeof value) {
    case "number":
      return value + 1;
    case "boolean":
      return !value;
    case "string":
      return /^-?\d+$/.test(value) ? String(BigInt(value) + 1n) : value === "NaN" ? 0 : `${value}x`;
    default:
      return value === null ? 12_345 : Array.isArray(value) ? [null] : { unknown: 1 };
  }
}

function mutant(vector: VectorCase, at: Path): VectorCase {
  const body = structuredClone(vector.body);
  const parent = at.slice(0, -1).reduce<unknown>((value, key) => (value as never)[key], body);
  const key = at.at(-1) as never;
  (parent as Record<string, unknown>)[key] = changed((parent as Record<string, unknown>)[key], key);
  return { ...vector, body };
}

/** Returns the path of the leaf to change in mutant `number` of a case. Returns undefined if all leaves are exempt. */
function leafOf({ body, name }: VectorCase, number: number): Path | undefined {
  const key = "expect_if_supported" in body ? "expect_if_supported" : "expect";
  const leaves = leavesOf(body[key], [key]).filter((at) => !exempt.some((each) => each.test(at.join("."))));
  return leaves[(number * 7919 + name.length) % leaves.length];
}

const files = [
  "tfx-bsl/array_util.json",
  "tfx-bsl/example_decoder.json",
  "tfx-bsl/example_encoder.json",
  "tfx-bsl/sequence_example_decoder.json",
  "tfx-bsl/table_util.json",
  "tfx-bsl/tensor_adapter.json",
  "tfx-bsl/tensor_representation_util.json",
  "tfx-bsl/tensor_to_arrow.json",
  "dataset",
];

test.each(files)("no case of %s passes with one of six planted errors in its expectation", async (file) => {
  const passing: VectorCase[] = [];
  for await (const { vector, outcome } of runCases(readCases([path.join(vectorsFolder, file)]))) {
    if (outcome.status === "passed") passing.push(vector);
  }
  const survivors: string[] = [];
  let numMutants = 0;
  for (const vector of passing) {
    for (const number of [0, 1, 2, 3, 4, 5]) {
      const at = leafOf(vector, number);
      if (at === undefined) continue;
      numMutants++;
      for await (const { outcome } of runCases([mutant(vector, at)])) {
        if (outcome.status === "passed") survivors.push(`${vector.name}: ${at.join(".")}`);
      }
    }
  }
  expect(survivors).toEqual([]);
  expect(numMutants).toBeGreaterThan(passing.length);
});
