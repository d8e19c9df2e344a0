import { cacheFolder } from "@tfxio-tools/interop/cache-folder";
import { Unavailable } from "@tfxio-tools/interop/interop";
import { pythonWith } from "@tfxio-tools/interop/python";

/** The Python that every peer in Python runs in. */
export interface PeerPython {
  readonly program: string;
  /** Why tfx_bsl is absent, where that is known before its import fails. */
  readonly whyNoTfxBsl?: string;
}

/**
 * Finds the Python of the peers when first asked: the one that `TFXIO_BENCH_PYTHON` names, as it is; else the one that
 * `pnpm interop` has for tfx_bsl, which is installed if it is missing, and which has TensorFlow and pyarrow too; else
 * `python3`.
 */
export function createPeerPython(
  environment: NodeJS.ProcessEnv,
  note: (line: string) => void,
): () => Promise<PeerPython> {
  let found: Promise<PeerPython> | undefined;
  return () => (found ??= findPeerPython(environment, note));
}

async function findPeerPython(
  environment: NodeJS.ProcessEnv,
  note: (line: string) => void,
): Promise<PeerPython> {
  const named = environment.TFXIO_BENCH_PYTHON;
  if (named !== undefined) return { program: named };
  try {
    const context = { cacheFolder: cacheFolder(environment), python: undefined, report: { note } };
    return { program: await pythonWith("tfx_bsl", context) };
  } catch (error) {
    if (error instanceof Unavailable) return { program: "python3", whyNoTfxBsl: error.message };
    throw error;
  }
}
