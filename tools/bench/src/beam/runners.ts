import { readFileSync } from "node:fs";
import { startJobService } from "@tfxio-tools/interop/beam/job-service";
import { Unavailable } from "@tfxio-tools/interop/interop";
import { pythonWith } from "@tfxio-tools/interop/python";
import { cacheFolder } from "@tfxio-tools/interop/cache-folder";
import type { BenchOutput } from "../measurement.js";

/** A runner that pipelines run on. */
export interface BeamRunner {
  readonly name: string;
  /** `direct`, or the address of a job service. */
  readonly address: string;
  /** Processor time that the runner's own process took so far, in ms; undefined where that is not known. */
  readonly cpuMilliseconds: () => number | undefined;
  readonly stop: () => Promise<void>;
}

/** The runner in the driver's own process. */
export const directRunner: BeamRunner = {
  name: "direct",
  address: "direct",
  cpuMilliseconds: () => undefined,
  stop: () => Promise.resolve(),
};

/** The portable runner of Beam for Python; undefined, with a note, where it cannot be had. */
export async function startPythonRunner(
  folder: string,
  output: BenchOutput,
): Promise<BeamRunner | undefined> {
  try {
    const python = await pythonWith("apache_beam", {
      cacheFolder: cacheFolder(process.env),
      python: process.env["TFXIO_BENCH_BEAM_PYTHON"],
      report: { note: (line) => output.progress(line) },
    });
    const { address, pid, stop } = await startJobService(python, folder);
    return { name: "python", address, cpuMilliseconds: () => cpuMillisecondsOf(pid), stop };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    output.note("python", `absent (${error.message})`);
    return undefined;
  }
}

/** On Linux, user and system time of all threads, in ticks of 10 ms. */
function cpuMillisecondsOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[^)]*$)/);
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return ((user as number) + (system as number)) * 10;
}
