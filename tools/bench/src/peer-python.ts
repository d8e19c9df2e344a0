import { cacheFolder } from "@tfxio-tools/interop/cache-folder";
import { Unavailable } from "@tfxio-tools/interop/interop";
import { pythonWith } from "@tfxio-tools/interop/python";

/** The Python that every peer in Python runs in. */
export interface PeerPython {
  readonly program: string;
  /** Why tfx_bsl is absent, if that is known before its import fails. */
  readonly whyNoTfxBsl?: string;
}

/**
 * The modules that a Python must have: tfx_bsl with TensorFlow and pyarrow, pyarrow, DuckDB and polars, tf.data and
 * grain, or struct2tensor.
 */
export type PeerModules = "tfx_bsl" | "tables" | "dataset" | "struct2tensor";

/** Finds the Python of some peers, by default of tfx_bsl and its like. */
export type FindPeerPython = (modules?: PeerModules) => Promise<PeerPython>;

/**
 * Finds the Python of the peers at the first call: the one that `TFXIO_BENCH_PYTHON` names, used unchanged; else
 * that of `pnpm interop`, into which missing peers are installed; else `python3`.
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
