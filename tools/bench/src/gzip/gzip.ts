import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import type { Bench, Measurement } from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { criteo } from "../sets/criteo.js";
import { generateSet } from "../sets/generate.js";
import { taxi } from "../sets/taxi.js";
import { wide } from "../sets/wide.js";
import { gzipFile } from "./gzip-file.js";
import { gzipSubjects } from "./gzip-subjects.js";

// Of these sets, criteo compresses well, taxi very well and wide poorly.
const sets = [criteo, taxi, wide];

/** Inflates gzip files, and also reads them as record batches. The rates are in inflated bytes. */
export const gzipBench: Bench = {
  name: "gzip",
  about: "inflates gzip TFRecord files, and reads them as record batches; MB/s of inflated bytes",
  sets: sets.map(({ name }) => name),
  subjects: gzipSubjects.map(({ name }) => name),
  run: async (options, output) => {
    const subjects = chosen(gzipSubjects, options.subjects);
    const measurements: Measurement[] = [];
    for (const set of chosen(sets, options.sets)) {
      output.progress(`${set.name}: generating and compressing`);
      const file = await generateSet(set, options.setBytes, options.cacheFolder);
      const path = await gzipFile(file);
      const contenders = subjects.map((subject) => async () => {
        const start = performance.now();
        await subject.read(path, set, file);
        return (performance.now() - start) / 1000;
      });
      await interleave(contenders, 1, () => output.progress("  warm-up"));
      const seconds = await interleave(contenders, options.rounds, (round) =>
        output.progress(`  round ${round + 1} of ${options.rounds}`),
      );
      const work = { bench: "gzip", set: set.name, unit: "MB/s", amount: file.numBytes / 1e6 };
      measurements.push(...reportRates(work, subjects, seconds, output));
    }
    return measurements;
  },
};
