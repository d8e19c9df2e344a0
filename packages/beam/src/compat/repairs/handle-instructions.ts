import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

type SdkWorker = InstanceType<Sdk["worker"]["Worker"]>;
type Answer = Parameters<SdkWorker["respond"]>[0];

/**
 * Runners ask for descriptions of metrics by their short ids, and older runners register bundle descriptors. The SDK supports
 * neither request, so user counters stay empty on prism. It also prints every instruction. This repair replaces the method that
 * handles instructions.
 */
export const handleInstructions: Repair = {
  defect: "counters stay empty on runners that ask for metric descriptions, and every instruction is printed",
  apply({ worker: { Worker } }) {
    Worker.prototype.handleRequest = async function (message) {
      const { instructionId, request } = message;
      const answer = (response: Answer["response"], error = ""): Promise<boolean> =>
        this.respond({ instructionId, error, response });
      try {
        switch (request.oneofKind) {
          case "processBundle":
            return await this.process(message);
          case "processBundleProgress":
            return await this.respond(await this.progress(message));
          case "processBundleSplit":
            return await this.respond(await this.split(message));
          case "register":
            for (const descriptor of request.register.processBundleDescriptor)
              this.processBundleDescriptors.set(descriptor.id, descriptor);
            return await answer({ oneofKind: "register", register: {} });
          case "monitoringInfos":
            return await answer(describeMetrics(this, request.monitoringInfos.monitoringInfoId));
          default:
            return await answer(
              { oneofKind: undefined },
              `Unknown instruction: ${String(request.oneofKind)}`,
            );
        }
      } catch (error) {
        return answer(
          { oneofKind: undefined },
          error instanceof Error ? (error.stack ?? String(error)) : String(error),
        );
      }
    };
  },
};

/** Returns the descriptions of metrics by their short ids. Leaves out unknown ids. */
function describeMetrics({ metricsShortIdCache }: SdkWorker, ids: readonly string[]): Answer["response"] {
  const known = ids.flatMap((id) => {
    // Undefined for an id that this worker never sent. The SDK's types omit this case.
    const info = metricsShortIdCache.asMonitoringInfo(id) as
      | ReturnType<typeof metricsShortIdCache.asMonitoringInfo>
      | undefined;
    return info === undefined ? [] : [[id, info] as const];
  });
  return { oneofKind: "monitoringInfos", monitoringInfos: { monitoringInfo: Object.fromEntries(known) } };
}
