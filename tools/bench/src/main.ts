import { writeFile } from "node:fs/promises";
import { isTfxioError } from "@tfxio/wire";
import { allBenches } from "./all-benches.js";
import { chosen } from "./chosen.js";
import { BenchError, type Measurement, type Output } from "./measurement.js";
import { parseCommandLine, usage } from "./options.js";

/**
 * Runs the benches that `args` name, or all, and resolves to the exit status: 0, 1 when a bench failed, 2 when the
 * command line is wrong.
 */
export async function main(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  try {
    const { benches: names, json, help, options } = parseCommandLine(args, environment);
    if (help) {
      output.print(usage);
      output.print(`\nNames: ${listOfBenches()}`);
      return 0;
    }
    const measurements: Measurement[] = [];
    for (const bench of chosen("NAME", allBenches, names.length > 0 ? names : undefined)) {
      measurements.push(...(await bench.run(options, output)));
    }
    if (json !== undefined) await writeFile(json, `${JSON.stringify(measurements, null, 1)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof BenchError) {
      output.progress(error.message);
      return 1;
    }
    if (isTfxioError(error, "invalid-argument")) {
      output.progress(error.message);
      return 2;
    }
    throw error;
  }
}

function listOfBenches(): string {
  return allBenches.map((bench) => bench.name).join(", ");
}
