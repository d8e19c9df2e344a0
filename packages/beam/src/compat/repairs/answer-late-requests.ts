import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * A split or progress request may arrive after its bundle has ended. The SDK answers such a request with an error, and prism then
 * fails the job. This repair answers it with an empty response.
 */
export const answerLateRequests: Repair = {
  defect: "jobs fail if the runner asks a finished bundle to split or to report progress",
  apply({ worker: { Worker }, fnApi }) {
    const { prototype } = Worker;
    replaceMethod(
      prototype,
      "split",
      (split) =>
        async function (this: typeof prototype, message) {
          const { instructionId, request } = message;
          if (this.activeBundleProcessors.has(request.processBundleSplit.instructionId))
            return split.call(this, message);
          const processBundleSplit = fnApi.ProcessBundleSplitResponse.create({});
          return {
            instructionId,
            error: "",
            response: { oneofKind: "processBundleSplit", processBundleSplit },
          };
        },
    );
    replaceMethod(
      prototype,
      "progress",
      (progress) =>
        async function (this: typeof prototype, message) {
          const { instructionId, request } = message;
          if (this.activeBundleProcessors.has(request.processBundleProgress.instructionId))
            return progress.call(this, message);
          const processBundleProgress = fnApi.ProcessBundleProgressResponse.create({});
          return {
            instructionId,
            error: "",
            response: { oneofKind: "processBundleProgress", processBundleProgress },
          };
        },
    );
  },
};
