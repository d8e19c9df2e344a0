import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { kernels, typescriptKernels } from "@tfxio/wire/kernels";
import { errorCategories } from "../src/error-categories.js";
import { vectorsFolder } from "../src/main.js";
import type { RunOptions } from "../src/handlers/index.js";
import { runCases } from "../src/run.js";
import { readCases } from "../src/vector-file.js";

// Random messages, and their contents as read by Google's protobuf for Python. The folder's README describes how they were made.
const goldens = path.resolve(import.meta.dirname, "../../../../shared/goldens/protobuf");
const describeGoldens = existsSync(goldens) ? describe : describe.skip;

/** Complete groups: every case passes, and none is skipped. */
const built = [
  "array_util",
  "csv_decoder",
  "example_decoder",
  "example_encoder",
  "sequence_example_decoder",
  "table_util",
  "tensor_adapter",
  "tensor_representation_util",
  "tensor_to_arrow",
];

/** Returns the outcomes of cases that did not pass, and the number of cases that passed. */
async function ranGroup(group: string, options: RunOptions = {}) {
  const problems: string[] = [];
  let numPassed = 0;
  const cases = readCases([path.join(vectorsFolder, "tfx-bsl", `${group}.json`)]);
  for await (const { vector, outcome } of runCases(cases, options)) {
    if (outcome.status === "passed") numPassed++;
    else problems.push(`${vector.name}: ${outcome.status === "failed" ? outcome.detail : outcome.reason}`);
  }
  return { problems, numPassed };
}

/** Returns the failed cases of a folder, and the number of cases that passed. */
async function ranFolder(folder: string) {
  const problems: string[] = [];
  let numPassed = 0;
  for await (const { vector, outcome } of runCases(readCases([folder]))) {
    if (outcome.status === "passed") numPassed++;
    if (outcome.status === "failed") problems.push(`${vector.name}: ${outcome.detail}`);
  }
  return { problems, numPassed };
}

describe("vectors of tfx-bsl", () => {
  test.each(built)("in %s all pass", async (group) => {
    const { problems, numPassed } = await ranGroup(group);
    expect(problems).toEqual([]);
    expect(numPassed).toBeGreaterThan(20);
  });

  test.each(["example_decoder", "sequence_example_decoder"])(
    "in %s have the same outcomes with both kernels",
    async (group) => {
      for (const each of [kernels(), typescriptKernels]) {
        expect(await ranGroup(group, { kernels: each })).toEqual(await ranGroup(group));
      }
    },
  );
});

describe("vectors of dataset", () => {
  const files = [
    "arrow_dataset",
    "arrow_feather",
    "arrow_stream",
    "arrow_types",
    "batch",
    "cardinality",
    "endpoint",
    "grouping",
    "reduce",
    "transforms",
    "window",
  ];

  test.each(files)("in %s all pass", async (file) => {
    const problems: string[] = [];
    const cases = readCases([path.join(vectorsFolder, "dataset", `${file}.json`)]);
    for await (const { vector, outcome } of runCases(cases)) {
      if (outcome.status === "failed") problems.push(`${vector.name}: ${outcome.detail}`);
      if (outcome.status === "skipped") problems.push(`${vector.name}: ${outcome.reason}`);
    }
    expect(problems).toEqual([]);
    expect(cases.length).toBeGreaterThan(8);
  });
});

describe("vectors of struct2tensor", () => {
  test("all pass", async () => {
    const { problems, numPassed } = await ranFolder(path.join(vectorsFolder, "struct2tensor"));
    expect(problems).toEqual([]);
    expect(numPassed).toBe(230 + 48);
  });
});

describeGoldens("random queries", () => {
  test("have the same results here as in struct2tensor, or are rejected in both", async () => {
    const { problems, numPassed } = await ranFolder(path.join(goldens, "../struct2tensor"));
    expect(problems).toEqual([]);
    expect(numPassed).toBe(322);
  });
});

describeGoldens("random messages", () => {
  test("have the same contents here as in Google's protobuf for Python, or are rejected in both", async () => {
    const { problems, numPassed } = await ranFolder(goldens);
    expect(problems).toEqual([]);
    expect(numPassed).toBe(176 + 63);
  });
});

describe("vector files", () => {
  test("all have a known form, except two files of schemas", () => {
    const files = readdirSync(vectorsFolder, { recursive: true, encoding: "utf8" }).filter((f) =>
      f.endsWith(".json"),
    );
    const unknown = files.filter((file) => {
      try {
        return readCases([path.join(vectorsFolder, file)]).length === 0;
      } catch {
        return true;
      }
    });
    expect(unknown.map((file) => path.basename(file)).sort()).toEqual([
      "mlmd_schema_v10.json",
      "schemas.json",
    ]);
  });
});

describe("error categories", () => {
  const families = Object.entries(errorCategories);

  test.each(families)("of %s map one-to-one onto codes with reasons", (_family, table) => {
    const keys = Object.values(table).map(({ code, reason }) => `${code}/${reason ?? ""}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(families)("of %s are exactly the categories that the README lists", (family, table) => {
    const readme = readFileSync(path.join(vectorsFolder, family, "README.md"), "utf8");
    const [, list = ""] = /(?:may use|^Categories): ([A-Za-z_`, -]+)\./m.exec(readme) ?? [];
    const listed = list.replaceAll("`", "").split(", ").sort();
    expect(Object.keys(table).sort()).toEqual(listed);
  });
});
