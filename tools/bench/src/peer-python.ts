import { cacheFolder } from "@tfxio-tools/interop/cache-folder";
import { Unavailable } from "@tfxio-tools/interop/interop";
import { pythonWith } from "@tfxio-tools/interop/python";

/** The Python that peers run in. */
export interface PeerPython {
  /** Path or name of the interpreter. */
  readonly program: string;
  /** The reason why tfx_bsl cannot run, if its installation failed. Undefined does not mean that the import will succeed. */
  readonly whyNoTfxBsl?: string;
}

/**
 * A set of modules that peers need. `tfx_bsl` includes TensorFlow and pyarrow, and `struct2tensor` includes TensorFlow. `tables`
 * contains pyarrow, DuckDB and polars. `dataset` contains TensorFlow, grain and pyarrow.
 */
export type PeerModules = "tfx_bsl" | "tables" | "dataset" | "struct2tensor";

/** Finds a Python for the given modules, by default `tfx_bsl`. */
export type FindPeerPython = (modules?: PeerModules) => Promise<PeerPython>;

/**
 * Creates a function that finds the Python for a set of modules and remembers it. If `TFXIO_BENCH_PYTHON` is set, that Python is
 * used for all modules, and nothing is installed. Otherwise the modules are installed, if necessary, into the cache of
 * `pnpm interop`. If that fails, `python3` is used.
 */
export function createPeerPython(
  environment: NodeJS.ProcessEnv,
  note: (line: string) => void,
): FindPeerPython {
  const found = new Map<PeerModules, Promise<PeerPython>>();
  return (modules = "tfx_bsl") => {
    const known = found.get(modules) ?? findPeerPython(modules, environment, note);
    found.set(modules, known);
    return known;
  };
}

async function findPeerPython(
  modules: PeerModules,
  environment: NodeJS.ProcessEnv,
  note: (line: string) => void,
): Promise<PeerPython> {
  const named = environment.TFXIO_BENCH_PYTHON;
  if (named !== undefined) return { program: named };
  try {
    const context = { cacheFolder: cacheFolder(environment), python: undefined, report: { note } };
    return { program: await pythonWith(modules, context) };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { program: "python3", ...(modules === "tfx_bsl" && { whyNoTfxBsl: error.message }) };
  }
}
