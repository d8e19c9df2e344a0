import type { CommandEntry } from "./command.js";

/**
 * All commands except `complete`, in help order. A command's module is loaded only if the arguments contain its name, so
 * `--version` loads none. Only completion loads all modules.
 */
export const commandTable: readonly CommandEntry[] = [
  {
    name: "head",
    summary: "show the first rows",
    load: async () => (await import("./commands/head.js")).declareHead,
  },
  {
    name: "tail",
    summary: "show the last rows",
    load: async () => (await import("./commands/tail.js")).declareTail,
  },
  {
    name: "sample",
    summary: "show rows drawn at random",
    load: async () => (await import("./commands/sample.js")).declareSample,
  },
  {
    name: "cat",
    summary: "write all rows as JSON lines, or the raw records",
    load: async () => (await import("./commands/cat.js")).declareCat,
  },
  {
    name: "count",
    summary: "count rows",
    load: async () => (await import("./commands/count.js")).declareCount,
  },
  {
    name: "schema",
    summary: "infer, show, convert or compare schemas",
    load: async () => (await import("./commands/schema.js")).declareSchema,
  },
  {
    name: "explain",
    summary: "show which tensor each feature becomes, and why",
    load: async () => (await import("./commands/explain.js")).declareExplain,
  },
  {
    name: "tensors",
    summary: "show the tensors of the first rows",
    load: async () => (await import("./commands/tensors.js")).declareTensors,
  },
  {
    name: "verify",
    summary: "check files for damage and drift",
    load: async () => (await import("./commands/verify.js")).declareVerify,
  },
  {
    name: "convert",
    summary: "write data in another format, or in shards",
    load: async () => (await import("./commands/convert.js")).declareConvert,
  },
  {
    name: "split",
    summary: "divide rows into training, validation and test sets",
    load: async () => (await import("./commands/split.js")).declareSplit,
  },
  {
    name: "index",
    summary: "write an index of the records of TFRecord files",
    load: async () => (await import("./commands/index-records.js")).declareIndex,
  },
  {
    name: "serve",
    summary: "serve rows as an Arrow stream over TCP, HTTP or a Unix socket",
    load: async () => (await import("./commands/serve.js")).declareServe,
  },
  {
    name: "artifacts",
    summary: "list and trace the artifacts of an ML Metadata store, and delete old ones",
    load: async () => (await import("./commands/artifacts.js")).declareArtifacts,
  },
  {
    name: "doctor",
    summary: "show what this machine supports, and what would make it faster",
    load: async () => (await import("./commands/doctor.js")).declareDoctor,
  },
];
