import { explainBackends, loadBackend } from "@tfxio/tensor-adapter/backends";
import type { VectorCase } from "@tfxio-tools/conformance/vector-file";
import { checkDatasets } from "@tfxio-tools/interop/datasets";
import { checkErrors } from "@tfxio-tools/interop/errors-leave-nothing";
import { createReporter, type Finding } from "@tfxio-tools/interop/reporter";
import { checkTensorVectors } from "@tfxio-tools/interop/tensor-vectors";
import { checkKernels } from "@tfxio-tools/interop/webgpu/kernels";
import { checkLayouts } from "@tfxio-tools/interop/webgpu/layouts";

/** Checks tensors, errors, datasets, kernels and layouts on WebGPU, and resolves to the findings. Runs in a browser. */
export async function checkWebGpu(cases: readonly VectorCase[]): Promise<readonly Finding[]> {
  const { name, tf, attempts } = await loadBackend({ prefer: "webgpu" });
  if (name !== "webgpu") throw new TypeError(attempts[0]?.detail);
  const findings: Finding[] = [];
  const report = createReporter(
    (finding) => findings.push(finding),
    () => {},
  );
  await checkTensorVectors(tf, cases, report);
  await checkErrors(tf, report);
  await checkDatasets(tf, report);
  await checkKernels(tf, report);
  await checkLayouts(tf, report);
  return findings;
}

/** Resolves to the table of this browser's backends. The server must provide the wasm backend's files at `/wasm/`. */
export async function backendsTable(): Promise<string> {
  return String(await explainBackends({ wasmPaths: "/wasm/" }));
}
