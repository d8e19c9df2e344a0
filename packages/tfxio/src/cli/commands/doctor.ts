import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { explainBackends, type BackendAttempt } from "@tfxio/tensor-adapter/backends";
import { isTfxioError } from "@tfxio/wire";
import { kernelInfo } from "@tfxio/wire/kernels";
import { type DeclareCommand, withExamples } from "../command.js";
import { withJson } from "../options/source-options.js";
import { tableText } from "../output/table.js";
import { counted } from "../output/units.js";

/** Minimum Node version, as major and minor. Must match `engines` in package.json. */
const LEAST_NODE = [20, 19] as const;

/** Versions and capabilities found on this machine. `--json` prints this object. */
interface Diagnosis {
  readonly tfxio: string;
  readonly node: string;
  readonly platform: string;
  /** Version of apache-arrow, or null if it is not found. */
  readonly arrow: string | null;
  /** The kernels in use, and the reason why they were chosen. */
  readonly kernels: { readonly name: string; readonly reason: string };
  readonly threads: { readonly cores: number; readonly sharedMemory: boolean };
  /** One attempt for each TensorFlow.js backend. Empty if TensorFlow.js is not installed. */
  readonly backends: readonly BackendAttempt[];
  /** Suggestions, most important first. */
  readonly advice: readonly string[];
}

/** Declares `tfxio doctor`. It reads no data. */
export const declareDoctor: DeclareCommand = (command, { stdout }) => {
  withExamples(withJson(command, "one object"), "tfxio doctor", "tfxio doctor --json").action(
    async ({ json }: { readonly json?: boolean }) => {
      const diagnosis = await diagnose();
      if (json === true) {
        await stdout.write(`${JSON.stringify(diagnosis)}\n`);
        return;
      }
      await stdout.write(tableText(factsTable(diagnosis), stdout));
      const head = ["backend", "usable", "detail"];
      const rows = diagnosis.backends.map(({ name, usable, detail }) => [
        name,
        usable ? "yes" : "no",
        detail,
      ]);
      if (rows.length > 0) await stdout.write(`\n${tableText({ head, rows }, stdout)}`);
      await stdout.write(
        `\n${diagnosis.advice.map((line) => `→ ${line}\n`).join("") || "Nothing to improve.\n"}`,
      );
    },
  );
};

/** Examines this machine. Loads TensorFlow.js and tries each of its backends. */
async function diagnose(): Promise<Diagnosis> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const kernels = kernelInfo();
  const backends = await attempts();
  const cores = availableParallelism();
  const best = backends.find(({ usable }) => usable)?.name;
  const advice = [
    major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])
      ? `Node must be version ${LEAST_NODE.join(".")} or newer, found ${process.versions.node}`
      : undefined,
    kernels.name === "typescript"
      ? `decoding is slow because it runs without WebAssembly: ${kernels.reason}`
      : undefined,
    backends.length === 0
      ? "tensors and training need TensorFlow.js: npm install @tensorflow/tfjs-core @tensorflow/tfjs-backend-wasm"
      : undefined,
    best === "cpu"
      ? "models run faster with a better backend: npm install @tensorflow/tfjs-backend-wasm"
      : undefined,
    best !== undefined && !best.startsWith("tfjs-node")
      ? "models train fastest on TensorFlow's own library: npm install @tensorflow/tfjs-node"
      : undefined,
    cores === 1 ? "this machine has one core, so worker threads do not help" : undefined,
  ];
  return {
    tfxio: versionOf(new URL("../../../package.json", import.meta.url)),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    arrow: installedVersion("apache-arrow"),
    kernels: { name: kernels.name, reason: kernels.reason },
    threads: { cores, sharedMemory: typeof SharedArrayBuffer !== "undefined" },
    backends,
    advice: advice.filter((line) => line !== undefined),
  };
}

/** Returns the table of versions and capabilities, without the backends. */
function factsTable({ tfxio, node, platform, arrow, kernels, threads }: Diagnosis): {
  head: string[];
  rows: string[][];
} {
  return {
    head: ["part", "found"],
    rows: [
      ["tfxio", tfxio],
      ["Node", `${node} on ${platform}`],
      ["apache-arrow", arrow ?? "not installed"],
      ["kernels", `${kernels.name}: ${kernels.reason}`],
      [
        "threads",
        `${counted(threads.cores, "core")}, ${threads.sharedMemory ? "shared memory" : "no shared memory"}`,
      ],
    ],
  };
}

/** Tries all backends. Returns an empty list if TensorFlow.js is not installed. */
async function attempts(): Promise<readonly BackendAttempt[]> {
  try {
    return (await explainBackends()).attempts;
  } catch (error) {
    if (isTfxioError(error, "unsupported")) return [];
    throw error;
  }
}

/**
 * Returns the version of an installed package, or null. Reads package.json from the package's folder, because a package need not
 * export that file.
 */
function installedVersion(name: string): string | null {
  try {
    const entry = import.meta.resolve(name);
    const folder = `/node_modules/${name}/`;
    return versionOf(new URL(`${entry.slice(0, entry.lastIndexOf(folder))}${folder}package.json`));
  } catch {
    return null;
  }
}

function versionOf(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
}
