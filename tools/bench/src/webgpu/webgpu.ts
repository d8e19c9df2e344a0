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

// Maximum size on a software device, unless `--sets` names layouts. Larger sizes take minutes, and the ratio of the device's
// speed to the host's speed is the same as at 16 MiB.
const MAX_BYTES_IN_SOFTWARE = 16 * 2 ** 20;
// Goal: minimum ratio of the device's speed to the host's speed at 256 MiB.
const GOAL = 2;

/** Compares two ways to lay out tensors: on the device, and on the host followed by an upload. */
export const webgpuBench: Bench = {
  name: "webgpu",
  about:
    "lays out padded rows and COO indices on a WebGPU device and on the host, and finds the size from which the device is faster",
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
            `cannot bind the buffer of ${layout.name}: the device's limit is ${device.limits.maxStorageBufferBindingSize} bytes`,
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

/** Loads the WebGPU backend. If there is no WebGPU device, notes the reason and resolves to undefined. */
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
    // JavaScript cannot observe when data reaches the device. So the clock stops when the last element of each of `parts` has
    // been read back.
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

/** For each kind, prints the size at and above which the device is faster. On a GPU, also prints the speed ratio at 256 MiB. */
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
        ? `${kind}: the device is not faster at the largest measured size, so set minDeviceBytes to Infinity`
        : `${kind}: the device is faster from ${first.name} on, so set minDeviceBytes to ${first.numBytes}`,
    );
    const largest = all.find(({ name }) => name === `${kind}_256MiB`);
    // The goal is for GPUs, not for software devices.
    if (largest === undefined || isSoftware) continue;
    const ratio = ratioOf(largest);
    output.print(
      `${kind}: ${formatNumber(ratio)}× at 256 MiB (goal: at least ${GOAL}×): ${ratio >= GOAL ? "met" : "missed"}`,
    );
  }
}
