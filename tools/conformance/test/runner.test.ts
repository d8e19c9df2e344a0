import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { main, vectorsFolder } from "../src/main.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-conformance-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...paths: readonly string[]) {
  return runAt(undefined, ...paths);
}

async function runAt(backend: string | undefined, ...paths: readonly string[]) {
  const lines: string[] = [];
  const complaints: string[] = [];
  const exitCode = await main({
    paths,
    backend,
    from: folder,
    print: (line) => lines.push(line),
    complain: (line) => complaints.push(line),
  });
  return { exitCode, lines, complaints };
}

async function runCases(group: string, ...cases: readonly object[]) {
  const file = path.join(folder, "cases.json");
  writeFileSync(file, JSON.stringify({ format: "tfxio-vectors/1", group, cases }));
  return run("cases.json");
}

// features { feature { key: "x" value { int64_list { value: [1, 2, 3] } } } }, encoded by hand.
const exampleBytes = [
  0x0a, 0x0e, 0x0a, 0x0c, 0x0a, 0x01, 0x78, 0x12, 0x07, 0x1a, 0x05, 0x0a, 0x03, 0x01, 0x02, 0x03,
];
const decode = (name: string, expectation: object) => ({
  name,
  op: "decode",
  input: { schema_textproto: null, examples_b64: [Buffer.from(exampleBytes).toString("base64")] },
  expect: expectation,
});
const column = (overrides: object) => ({
  num_rows: 1,
  columns: [{ name: "x", type: { large_list: "int64" }, values: [["1", "2", "3"]], ...overrides }],
});

describe("the runner", () => {
  test("accepts a correct expectation", async () => {
    expect(await runCases("example_decoder", decode("right", column({})))).toEqual({
      exitCode: 0,
      lines: ["1 passed, 0 failed, 0 skipped"],
      complaints: [],
    });
  });

  test.each([
    ["a different value", column({ values: [["1", "2", "4"]] }), 'expected "4", got "3"'],
    ["a missing value", column({ values: [["1", "2"]] }), "expected 2 items"],
    ["null", column({ values: [null] }), "expected null"],
    ["a different type", column({ type: { large_list: "uint64" } }), "uint64"],
    ["a different name", column({ name: "y" }), 'expected "y", got "x"'],
    ["a different number of rows", { ...column({}), num_rows: 2 }, "expected 2, got 1"],
    ["an error", { error: { category: "malformed", phrase: "" } }, "expected error malformed, got a result"],
  ])("rejects an expectation of %s", async (_what, expectation, detail) => {
    const { exitCode, lines } = await runCases("example_decoder", decode("wrong", expectation));
    expect(exitCode).toBe(1);
    expect(lines[0]).toMatch(/^example_decoder\/wrong: /);
    expect(lines[0]).toContain(detail);
    expect(lines.slice(1)).toEqual(["0 passed, 1 failed, 0 skipped"]);
  });

  test("rejects a different error category, and an unexpected error", async () => {
    const broken = (expectation: object) => ({
      ...decode("broken", expectation),
      input: { schema_textproto: null, examples_b64: ["Cg=="] },
    });
    const { lines } = await runCases(
      "example_decoder",
      broken({ error: { category: "wrong-kind", phrase: "" } }),
      broken(column({})),
      broken({ error: { category: "malformed", phrase: "" } }),
    );
    expect(lines).toEqual([
      expect.stringContaining("expected error wrong-kind, got malformed"),
      expect.stringContaining("unexpected RecordError: [malformed-payload]"),
      "1 passed, 2 failed, 0 skipped",
    ]);
  });

  test("rejects a tensor with a different value or a different dtype", async () => {
    const tensors = (dtype: string, value: string | number) => ({
      name: `${dtype} ${value}`,
      op: "to_tensors",
      input: {
        record_batch: { columns: [{ name: "c", type: { list: "float32" }, values: [[-0]] }] },
        // dense_tensor { column_name: "c" shape { dim { size: 1 } } }
        tensor_representations: { t: { b64: "CgkKAWMSBBICCAE=" } },
      },
      expect: { tensors: { t: { kind: "dense", dtype, shape: [1, 1], values: [value] } } },
    });
    const { lines } = await runCases(
      "tensor_adapter",
      tensors("float32", "-Infinity"),
      tensors("float64", 0),
    );
    expect(lines.at(-1)).toBe("0 passed, 2 failed, 0 skipped");
  });

  test("runs tensor cases on a TensorFlow.js backend, and rejects unavailable and unknown backends", async () => {
    const file = path.join(vectorsFolder, "tfx-bsl", "tensor_to_arrow.json");
    expect(await runAt("cpu", file)).toEqual(await run(file));
    for (const [backend, message] of [
      ["webgpu", "backend webgpu cannot be used: package webgpu (WebGPU for Node): not installed"],
      ["cuda", 'Unknown backend "cuda"'],
    ] as const) {
      const { exitCode, lines, complaints } = await runAt(backend, file);
      expect({ exitCode, lines }).toEqual({ exitCode: 2, lines: [] });
      expect(complaints).toEqual([expect.stringContaining(message)]);
    }
  });

  test("checks Arrow schemas, type specs, and whether a constructor succeeds", async () => {
    const schema_textproto = 'feature { name: "x" type: INT } feature { name: "y" type: BYTES }';
    const fields = [
      { name: "x", type: { large_list: "int64" } },
      { name: "y", type: { large_list: "large_binary" } },
    ];
    const decoder = await runCases(
      "example_decoder",
      { name: "construct", op: "construct", input: { schema_textproto }, expect: {} },
      { name: "schema", op: "arrow_schema", input: { schema_textproto }, expect: { arrow_schema: fields } },
    );
    expect(decoder.lines).toEqual(["2 passed, 0 failed, 0 skipped"]);
    // varlen_sparse_tensor { column_name: "c" }
    const input = {
      arrow_schema: [{ name: "c", type: { list: "int64" } }],
      tensor_representations: { t: { b64: "EgMKAWM=" } },
    };
    const t = { kind: "sparse", dtype: "int64", shape: [null, null] };
    const specs = (spec: object) => ({
      name: "specs",
      op: "type_specs",
      input,
      expect: { type_specs: { t: spec } },
    });
    const construct = (spec: object, expectation: object) => ({
      name: "construct",
      op: "construct",
      input: { ...input, original_type_specs: { t: spec } },
      expect: expectation,
    });
    const rejected = { error: { category: "bad-original-specs", phrase: "" } };
    const adapter = await runCases(
      "tensor_adapter",
      specs(t),
      construct(t, {}),
      construct({ ...t, kind: "tensor" }, rejected),
      construct(t, rejected),
      specs({ ...t, dtype: "int32" }),
    );
    expect(adapter.lines.at(-1)).toBe("3 passed, 2 failed, 0 skipped");
  });

  test.each([
    ["a different element", { elements: [1, 2, 4] }, '[2]: expected "4", got "3"'],
    ["fewer elements", { elements: [1, 2] }, "expected 2 items"],
    ["more elements", { elements: [1, 2, 3, 4] }, "expected 4 items"],
    [
      "an error after the elements",
      { elements: [1, 2, 3], error: { category: "out-of-range", stage: "iteration" } },
      "errors",
    ],
    [
      "an error at construction",
      { error: { category: "invalid-argument", stage: "construction" } },
      "got a dataset",
    ],
    ["a different cardinality", { elements: [1, 2, 3], cardinality: 4 }, "cardinality: expected 4, got 3"],
  ])("rejects a pipeline that wrongly expects %s", async (_what, expectation, detail) => {
    const vectors = [
      {
        id: "ds",
        area: "take",
        source: { kind: "range", start: 1, stop: 9, step: 1 },
        pipeline: [{ op: "take", count: 3 }],
        expect: expectation,
      },
    ];
    writeFileSync(
      path.join(folder, "ds.json"),
      JSON.stringify({ format: "tfxio-dataset-vectors/1", vectors }),
    );
    const { exitCode, lines } = await run("ds.json");
    expect({ exitCode, last: lines.at(-1) }).toEqual({ exitCode: 1, last: "0 passed, 1 failed, 0 skipped" });
    expect(lines[0]).toContain(detail);
  });

  test("skips cases without a handler, and reports their number by group", async () => {
    const { exitCode, lines } = await runCases(
      "no_such_group",
      { name: "a", op: "b" },
      { name: "c", op: "b" },
    );
    expect({ exitCode, lines }).toEqual({
      exitCode: 0,
      lines: ["2 skipped, not implemented yet: tfx-bsl/no_such_group", "0 passed, 0 failed, 2 skipped"],
    });
  });

  test("skips a case that names an unknown function, operation or reducer", async () => {
    const source = { kind: "range", start: 0, stop: 3, step: 1 };
    const vectors = [
      { id: "a", area: "map", source, pipeline: [{ op: "no_such_operation" }], expect: { elements: [] } },
      { id: "b", area: "reduce", source, reduce: { name: "no_such_reducer" }, expect: { value: 3 } },
    ];
    const dataset = { format: "tfxio-dataset-vectors/1", vectors };
    writeFileSync(path.join(folder, "unknown-dataset.json"), JSON.stringify(dataset));
    const cases = [{ id: "c", function: "no_such_function", args: {}, expect: { result: 1 } }];
    writeFileSync(
      path.join(folder, "unknown-function.json"),
      JSON.stringify({ category: "functions", cases }),
    );
    const { exitCode, lines } = await run("unknown-dataset.json", "unknown-function.json");
    expect({ exitCode, lines }).toEqual({
      exitCode: 0,
      lines: [
        "1 skipped, not implemented yet: dataset: operation no_such_operation",
        "1 skipped, not implemented yet: dataset: reducer no_such_reducer",
        "1 skipped, not implemented yet: the function no_such_function",
        "0 passed, 0 failed, 3 skipped",
      ],
    });
  });

  test("rejects missing files, invalid JSON, and files that are not vector files", async () => {
    writeFileSync(path.join(folder, "broken.json"), "{");
    writeFileSync(path.join(folder, "other.json"), '{ "name": "no vectors" }');
    for (const [file, message] of [
      ["no-such.json", "no-such.json: no such file or directory"],
      ["broken.json", "broken.json: cannot be read as JSON"],
      ["other.json", "other.json: expected a file of test vectors in a known form"],
    ] as const) {
      const { exitCode, lines, complaints } = await run(file);
      expect({ exitCode, lines }).toEqual({ exitCode: 2, lines: [] });
      expect(complaints).toEqual([expect.stringContaining(message)]);
    }
  });

  test("reads a directory, and counts the cases of all its files together", async () => {
    const { exitCode, lines } = await run(path.join(vectorsFolder, "struct2tensor"));
    expect(exitCode).toBe(0);
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed, \d+ skipped$/);
  });
});
