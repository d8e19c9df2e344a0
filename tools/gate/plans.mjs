// The commands of the root package.json, each a list of steps that run one after another.

const jest = [
  "node",
  "--experimental-vm-modules",
  "--disable-warning=ExperimentalWarning",
  "node_modules/jest/bin/jest.js",
];
const build = ["turbo", "run", "build", "--output-logs=errors-only", "--log-order=stream"];

/** @param {string} name */
const tool = (name) => ({ title: name, command: ["node", `tools/${name}/dist/cli.js`], quiet: true });
const quietBuild = { title: "build", command: build, quiet: true };

/** @type {Record<string, import("./run-steps.mjs").Step[]>} */
export const plans = {
  test: [
    { title: "build: types of every package", command: build },
    { title: "generated code: as fresh as its .proto files", command: ["node", "tools/gate/fresh.mjs"] },
    { title: "layers: turbo boundaries", command: ["turbo", "boundaries"] },
    { title: "graph: what turbo does not see", command: ["node", "tools/check-graph/dist/cli.js"] },
    { title: "types of tests, tools and examples", command: ["tsc", "-p", "tsconfig.test.json"] },
    { title: "jest: every project in one run", command: jest, counts: true },
  ],
  check: [
    { title: "build", command: build },
    { title: "format", command: ["biome", "format", "."] },
    { title: "lint, type-aware", command: ["oxlint", "--type-aware", "--deny-warnings"] },
    { title: "protos", command: ["buf", "lint"] },
    { title: "unused files, exports, dependencies", command: ["knip"] },
    {
      title: "the fuzz test of the kernels finds planted bugs",
      command: [...jest, "--selectProjects", "wire", "--testPathPatterns", "planted-bugs"],
      env: { TFXIO_PLANTED_BUGS: "1" },
    },
    {
      title: "packages as published and installed, and bundle budgets",
      command: ["node", "tools/publish-check/dist/cli.js"],
    },
    {
      title: "programs of README.md as bundlers build them, in Chromium",
      command: ["node", "tools/browser/dist/cli.js"],
    },
  ],
  quickstart: [quietBuild, tool("quickstart")],
  conformance: [quietBuild, tool("conformance")],
  bench: [quietBuild, tool("bench")],
  interop: [quietBuild, tool("interop")],
  generate: [
    { title: "protobuf code", command: ["buf", "generate"] },
    { title: "wasm kernels", command: ["node", "packages/wire/assembly/build.mjs"] },
  ],
};
