import { readFileSync } from "node:fs";
import { startJobService } from "@tfxio-tools/interop/beam/job-service";
import { portable, prism } from "@tfxio-tools/interop/beam/runners";
import { Unavailable } from "@tfxio-tools/interop/interop";
import { cacheFolder } from "@tfxio-tools/interop/cache-folder";
import type { BenchOutput } from "../measurement.js";

/** A Beam runner, ready to run pipelines. */
export interface BeamRunner {
  readonly name: string;
  /** `direct`, or the address of a job service. */
  readonly address: string;
  /** Processor time of the runner's own process so far, in ms; undefined if unknown. */
  readonly cpuMilliseconds: () => number | undefined;
  /** Ends the runner's process, if it has one. */
  readonly stop: () => Promise<void>;
}

/** The runner inside the driver's process. */
export const directRunner: BeamRunner = {
  name: "direct",
  address: "direct",
  cpuMilliseconds: () => undefined,
  stop: () => Promise.resolve(),
};

/** Runners with a separate job service, by subject name. */
export const portableRunners = { python: portable, prism } as const;

/** Starts one of {@link portableRunners}. If it is unavailable, notes the reason and resolves to undefined. */
export async function startRunner(
  name: keyof typeof portableRunners,
  folder: string,
  output: BenchOutput,
): Promise<BeamRunner | undefined> {
  try {
    const context = {
      cacheFolder: cacheFolder(process.env),
      environment: process.env,
      python: process.env["TFXIO_BENCH_BEAM_PYTHON"],
      report: { note: (line: string) => output.progress(line) },
    };
    const command = await portableRunners[name].prepare(context, folder);
    const { address, pid, stop } = await startJobService(command);
    return { name, address, cpuMilliseconds: () => cpuMillisecondsOf(pid), stop };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    output.note(name, `absent (${error.message})`);
    return undefined;
  }
}

/**
 * Returns the user and system time of all threads of a process in ms, with a resolution of 10 ms. Returns undefined on systems
 * other than Linux.
 */
function cpuMillisecondsOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[^)]*$)/);
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return ((user as number) + (system as number)) * 10;
}
