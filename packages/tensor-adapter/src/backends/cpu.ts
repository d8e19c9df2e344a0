import { type Candidate, importBackend, setOrMiss, type Started } from "./candidate.js";

/** Plain JavaScript: slow, but works everywhere. */
export const cpuCandidate: Candidate = {
  name: "cpu",
  packageName: "@tensorflow/tfjs-backend-cpu",
  backendName: "cpu",
  start: async (context): Promise<Started> => {
    const module = await importBackend(context, "@tensorflow/tfjs-backend-cpu");
    await setOrMiss(context, "cpu");
    return { module, detail: `plain JavaScript, tfjs ${String(module["version_cpu"])}` };
  },
};
