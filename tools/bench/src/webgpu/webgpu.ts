import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type HostDense, SparseTensor, type TensorOf } from "@tfxio/tensor-adapter";
import { type LoadedBackend, loadBackend } from "@tfxio/tensor-adapter/backends";
import { isTfxioError } from "@tfxio/wire";
import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import type { Bench, BenchOutput, Measurement } from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { formatNumber } from "../table.js";
import { kinds, type Layout, layoutInput, layouts } from "./layout.js";

/** The members of a GPUDevice that this bench reads. */
interface Device {
  readonly adapterInfo?: { readonly isFallbackAdapter?: boolean };
  readonly limits: { readonly maxStorageBufferBindingSize: number };
}

const subjects = [
  { name: "device", minDeviceBytes: 0 },
  { name: "host", minDeviceBytes: Number.POSITIVE_INFINITY },
] as const;

// On a software device, the largest sizes take minutes and show nothing beyond 16 MiB.
const MAX_BYTES_IN_SOFTWARE = 16 * 2 ** 20;
const GOAL = 2;

/** Compares laying out tensors on the device with laying them out on the host and uploading them. */
export const webgpuBench: Bench = {
  name: "webgpu",
  about:
    "padded rows and COO indices, on a WebGPU device and on the host; the size above which the device is faster",
  sets: layouts.map(({ name }) => name),
  subjects: subjects.map(({ name }) => name),
  run: async (options, output) => {
    if (
      chosen(subjects, options.subjects).length < subjects.length ||
      chosen(layouts, options.sets).length === 0
    ) {
      return [];
    }
    const loaded = await load(options.webgpuFolder, output);
    if (loaded === undefined) return [];
    try {
      const { device } = loaded.tf.backend() as unknown as { readonly device: Device };
      const isSoftware = device.adapterInfo?.isFallbackAdapter === true;
      const all = chosen(layouts, options.sets).filter(
        ({ numBytes }) => options.sets !== undefined || !isSoftware || numBytes <= MAX_BYTES_IN_SOFTWARE,
      );
      const measurements: Measurement[] = [];
      for (const layout of all) {
        if (layout.numBytes > device.limits.maxStorageBufferBindingSize) {
          output.note(
            "device",
            `cannot bind ${layout.name}; its limit is ${device.limits.maxStorageBufferBindingSize} bytes`,
          );
          continue;
        }
        measurements.push(...(await measure(layout, loaded, options.rounds, output)));
      }
      summarize(all, measurements, isSoftware, output);
      return measurements;
    } finally {
      loaded.release();
    }
  },
};

async function load(folder: string | undefined, output: BenchOutput): Promise<LoadedBackend | undefined> {
  const require = folder === undefined ? undefined : createRequire(path.join(folder, "index.js"));
  const importModule = require && ((name: string) => import(pathToFileURL(require.resolve(name)).href));
  const loaded = await loadBackend({ prefer: "webgpu", importModule }).catch((error: unknown) => {
    if (!isTfxioError(error, "unsupported")) throw error;
    output.note("device", `absent (${error.message})`);
  });
  if (loaded === undefined) return undefined;
  const attempt = loaded.attempts.find(({ name }) => name === "webgpu");
  output.note("device", attempt?.usable ? attempt.detail : `absent (${attempt?.detail})`);
  if (loaded.name === "webgpu") return loaded;
  loaded.release();
  return undefined;
}

async function measure(
  layout: Layout,
  { tf }: LoadedBackend,
  rounds: number,
  output: BenchOutput,
): Promise<readonly Measurement[]> {
  const { batch, adapter } = layoutInput(layout);
  const runs = subjects.map(({ minDeviceBytes }) => async (): Promise<number> => {
    const start = performance.now();
    const tensor = adapter.toTensors(batch, { tf, minDeviceBytes })["x"] as
      | TensorOf<HostDense>
      | SparseTensor;
    const parts = tensor instanceof SparseTensor ? [tensor.indices, tensor.values] : [tensor];
    // JavaScript cannot observe when data reaches the device. A tensor counts as ready when a kernel has returned its last value.
    const last = tf.tidy(() =>
      parts.map((part) => tf.slice(tf.reshape(part, [part.size]), [part.size - 1], [1])),
    );
    await Promise.all(last.map((each) => each.data()));
    const seconds = (performance.now() - start) / 1000;
    tf.dispose(last);
    tensor.dispose();
    return seconds;
  });
  await interleave(runs, 1, () => output.progress(`${layout.name}: warm-up`));
  const seconds = await interleave(runs, rounds, (round) =>
    output.progress(`  round ${round + 1} of ${rounds}`),
  );
  const work = { bench: "webgpu", set: layout.name, unit: "MB/s", amount: layout.numBytes / 1e6 };
  return reportRates(work, subjects, seconds, output);
}

/** Prints the size above which the device is faster, and its advantage at 256 MiB on a GPU. */
function summarize(
  measured: readonly Layout[],
  measurements: readonly Measurement[],
  isSoftware: boolean,
  output: BenchOutput,
): void {
  const ratioOf = ({ name }: Layout): number => {
    const rate = (subject: string): number =>
      measurements.find((row) => row.set === name && row.subject === subject)?.median ?? Number.NaN;
    return rate("device") / rate("host");
  };
  for (const kind of kinds) {
    const all = measured.filter((layout) => layout.kind === kind && !Number.isNaN(ratioOf(layout)));
    if (all.length === 0) continue;
    const lastLoss = all.findLastIndex((layout) => ratioOf(layout) < 1);
    const first = all[lastLoss + 1];
    output.print(
      first === undefined
        ? `${kind}: the device is not faster at the largest measured size; minDeviceBytes: Infinity`
        : `${kind}: the device is faster from ${first.name} on; minDeviceBytes: ${first.numBytes}`,
    );
    const largest = all.find(({ name }) => name === `${kind}_256MiB`);
    // The goal applies to GPUs only.
    if (largest === undefined || isSoftware) continue;
    const ratio = ratioOf(largest);
    output.print(
      `${kind}: ${formatNumber(ratio)}× at 256 MiB, wanted ${GOAL}×: ${ratio >= GOAL ? "met" : "missed"}`,
    );
  }
}
