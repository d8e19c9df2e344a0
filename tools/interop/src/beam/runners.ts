import { existsSync } from "node:fs";
import path from "node:path";
import type { InteropContext } from "../interop.js";
import { pythonWith } from "../python.js";
import { prepare } from "../run-command.js";
import type { JobServiceCommand } from "./job-service.js";

/** A Beam runner that is a separate job service. */
export interface BeamRunner {
  readonly name: string;
  /** True if the program of the job service is a Python interpreter with Beam. It can then also run Python pipelines. */
  readonly isPython: boolean;
  /** Installs the runner if necessary, and resolves to its command. @throws {Unavailable} if it cannot be installed. */
  readonly prepare: (context: RunnerContext, folder: string) => Promise<JobServiceCommand>;
}

/** The members of {@link InteropContext} that {@link BeamRunner.prepare} needs. */
export type RunnerContext = Pick<InteropContext, "cacheFolder" | "environment" | "python"> & {
  readonly report: Pick<InteropContext["report"], "note">;
};

const BEAM_VERSION = "2.77.0";

/** Beam's portable Python runner. */
export const portable: BeamRunner = {
  name: "Python's portable runner",
  isPython: true,
  prepare: async (context, folder) => ({
    program: await pythonWith("apache_beam", context),
    args: (port) => [
      "-m",
      "apache_beam.runners.portability.local_job_service_main",
      "-p",
      String(port),
      "--staging_dir",
      path.join(folder, "staging"),
    ],
  }),
};

/** Beam's Go runner prism, built from its Go module. The first build takes about four minutes. */
export const prism: BeamRunner = {
  name: "prism",
  isPython: false,
  prepare: async ({ cacheFolder, environment, report }) => {
    const binaries = path.join(cacheFolder, `prism-${BEAM_VERSION}`);
    const program = path.join(binaries, "prism");
    if (!existsSync(program)) {
      report.note(`building prism ${BEAM_VERSION} in ${binaries}`);
      const module = `github.com/apache/beam/sdks/v2/go/cmd/prism@v${BEAM_VERSION}`;
      await prepare("go", ["install", module], { env: { ...environment, GOBIN: binaries } });
    }
    return {
      program,
      args: (port) => ["-serve_http=false", "-log_level=warn", "-job_port", String(port)],
    };
  },
};

/** The runners that `pnpm interop beam` always uses. */
export const beamRunners: readonly BeamRunner[] = [portable, prism];
