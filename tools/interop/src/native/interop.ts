import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Interop, type InteropContext, Unavailable } from "../interop.js";
import { npmFolder } from "../npm-folder.js";
import { pythonWith, runPython } from "../python.js";
import { prefixed } from "../reporter.js";
import { runInChild } from "../run-in-child.js";
import { buildAddon, tensorflowLibrary } from "./addon.js";
import { ANSWERS_FILE } from "./saved-model-answers.js";

const version = "4.22.0";
/**
 * A version of Node whose `node:util` lacks functions that tfjs-node calls. The checks also run on that version if this Node
 * still has the functions.
 */
const laterNode = "24.9.0";

/**
 * Checks TFXIO on TensorFlow's C library, through both native packages of TensorFlow.js. Their addons are compiled here, because
 * the servers from which the packages download them may be unreachable.
 */
export const native: Interop = {
  name: "native",
  about:
    "runs the adapter's test vectors, and SavedModels alone and in queries, on TensorFlow's C library (tfjs-node, tfjs-node-gpu)",
  run: async (context) => {
    const { cacheFolder, dataFolder, environment, report } = context;
    const packages = ["tfjs-node", "tfjs-node-gpu"] as const;
    const { folder } = await npmFolder(cacheFolder, "npm-native", [
      ...packages.map((name) => `@tensorflow/${name}@${version}`),
      "node-api-headers@1.9.0",
    ]);
    const library = await tensorflowLibrary(cacheFolder, report.note);
    for (const name of packages) await buildAddon(folder, name, library, report.note);
    const script = path.join(import.meta.dirname, "child.js");
    const python = await pythonWith("tensorflow", context);
    const models = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    try {
      const answers = await runPython(python, "saved_models.py", [models]);
      await writeFile(path.join(models, ANSWERS_FILE), JSON.stringify(answers));
      for (const node of await nodes(context)) {
        for (const name of packages) {
          const where = prefixed(report, `${name}, Node ${node.version}: `);
          await runInChild(script, [folder, name, dataFolder, models], environment, where, node.program);
        }
      }
    } finally {
      await rm(models, { recursive: true, force: true });
    }
  },
};

interface Node {
  readonly version: string;
  readonly program: string;
}

/** Returns this Node. If its version is below 23, also returns {@link laterNode}, unless the download fails. */
async function nodes({ cacheFolder, report }: InteropContext): Promise<readonly Node[]> {
  const own = { version: process.versions.node, program: process.execPath };
  if (Number.parseInt(own.version, 10) >= 23) return [own];
  const name = `node-linux-${process.arch}`;
  try {
    const { folder } = await npmFolder(cacheFolder, `npm-node-${laterNode}`, [`${name}@${laterNode}`]);
    return [own, { version: laterNode, program: path.join(folder, "node_modules", name, "bin", "node") }];
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    report.skipped(`Node ${laterNode}`, error.message);
    return [own];
  }
}
