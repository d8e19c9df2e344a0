// The commands of the root package.json. Each is a list of steps that run in sequence.

const jest = [
  "node",
  "--experimental-vm-modules",
  "--disable-warning=ExperimentalWarning",
  "node_modules/jest/bin/jest.js",
];
/** Tests on random input. `check` runs them with more cases than `test`. */
export const fuzz = [
  "packages/artifacts/test/collection/model.test.ts",
  "packages/arrow-encoding/test/fuzz.test.ts",
  "packages/dataset/test/record-batches.test.ts",
  "packages/formats-arrow/test/fuzz.test.ts",
  "packages/formats-csv/test/kernels/differential.test.ts",
  "packages/formats-jsonl/test/fuzz.test.ts",
  "packages/formats-protobuf/test/fuzz.test.ts",
  "packages/formats-protobuf/test/kernels/differential.test.ts",
  "packages/formats-avro/test/fuzz.test.ts",
  "packages/formats-parquet/test/fuzz.test.ts",
  "packages/formats-tfrecord/test/fuzz.test.ts",
  "packages/struct2tensor/test/fuzz.test.ts",
  "packages/struct2tensor/test/saved/round-trip.test.ts",
  "packages/wire/test/kernels/arrays/implementations.test.ts",
  "packages/wire/test/kernels/wasm/bounds.test.ts",
  "packages/wire/test/kernels/wasm/differential.test.ts",
  "packages/wire/test/kernels/wasm/leased-decoders.test.ts",
];
/** Test files and folders that are too slow for `test`; `check` runs them. */
export const slow = [
  {
    title: "quickstart on the newest Node, downloaded for the test",
    files: "tools/quickstart/test/newest-node.test.ts",
  },
  { title: "turbo's cache of test results", files: "tools/check-graph/test/broken-low-package.test.ts" },
  {
    title: "Arrow files with one damaged byte, for every byte",
    files: "packages/formats-arrow/test/damage.test.ts",
  },
  { title: "memory bounds while reading large files", files: "packages/io/test/bounded-memory.test.ts" },
  { title: "resident memory of shuffled passes", files: "packages/dataset/test/slow/" },
  { title: "conversions killed and resumed", files: "packages/tfxio/test/cli/slow/" },
  {
    title: "conversion of every column type between all formats",
    files: "packages/io/test/write/convert-formats.test.ts",
  },
  { title: "training runs killed and resumed", files: "packages/io/test/checkpoint.test.ts" },
  { title: "tests of the benchmarks", files: "tools/bench/test/" },
];
const build = ["turbo", "run", "build", "--output-logs=errors-only", "--log-order=stream"];

/** @param {string} name */
const tool = (name) => ({ title: name, command: ["node", `tools/${name}/dist/cli.js`], quiet: true });
const quietBuild = { title: "build", command: build, quiet: true };

/** @type {Record<string, import("./run-steps.mjs").Step[]>} */
export const plans = {
  test: [
    { title: "build: types of every package", command: build },
    { title: "generated code: up to date with its .proto files", command: ["node", "tools/gate/fresh.mjs"] },
    { title: "layers: turbo boundaries", command: ["turbo", "boundaries"] },
    { title: "graph: rules that turbo does not check", command: ["node", "tools/check-graph/dist/cli.js"] },
    { title: "types of tests and tools", command: ["tsc", "-p", "tsconfig.test.json"] },
    {
      title: "jest: every project in one run",
      // `--testPathIgnorePatterns` takes every argument up to the next option, so another option must follow.
      command: [
        ...jest,
        "--testPathIgnorePatterns",
        ...slow.map(({ files }) => files),
        "--config",
        "jest.config.mjs",
      ],
      counts: true,
    },
  ],
  check: [
    { title: "build", command: build },
    { title: "format", command: ["biome", "format", "."] },
    { title: "lint, type-aware", command: ["oxlint", "--type-aware", "--deny-warnings"] },
    { title: "protos", command: ["buf", "lint"] },
    { title: "unused files, exports, dependencies", command: ["knip"] },
    {
      title: "fuzz tests of the kernels and of Parquet find planted bugs",
      command: [
        ...jest,
        "--selectProjects",
        "wire",
        "formats-csv",
        "formats-protobuf",
        "formats-parquet",
        "--testPathPatterns",
        "planted-bugs",
      ],
      env: { TFXIO_PLANTED_BUGS: "1" },
    },
    {
      title: "tests on random input, with more cases than in `pnpm test`",
      command: [...jest, "--testPathPatterns", ...fuzz],
      env: { TFXIO_FUZZ_RECORDS: "100000", TFXIO_FUZZ_ARRAYS: "20" },
    },
    ...slow.map(({ title, files }) => ({ title, command: [...jest, "--testPathPatterns", files] })),
    {
      title: "packages as published and installed, and bundle budgets",
      command: ["node", "tools/publish-check/dist/cli.js"],
    },
    {
      title: "bundled programs, such as those of README.md, in Chromium",
      command: ["node", "tools/browser/dist/cli.js"],
    },
  ],
  quickstart: [quietBuild, tool("quickstart")],
  conformance: [quietBuild, tool("conformance")],
  bench: [quietBuild, tool("bench")],
  interop: [quietBuild, tool("interop")],
  generate: [
    { title: "protobuf code", command: ["buf", "generate"] },
    { title: "wasm kernels", command: ["node", "tools/assembly/build.mjs"] },
  ],
};
