import type { Repair } from "../repair.js";

/**
 * A job server that stages no dependencies answers the call `reverseArtifactRetrievalService` with gRPC trailers only. The SDK
 * waits for headers, which never arrive, so the submission hangs, for example on prism. This repair waits for the status of the
 * call instead.
 */
export const answerArtifactTrailers: Repair = {
  defect: "submission hangs on job servers that stage no dependencies",
  apply({ artifacts }) {
    const offer = artifacts.offerArtifacts;
    const repaired: typeof offer = (client, token, folder) => {
      const waiting = Object.create(client) as typeof client;
      waiting.reverseArtifactRetrievalService = (...options) => {
        const call = client.reverseArtifactRetrievalService(...options);
        const { requests, responses, status } = call;
        // oxlint-disable-next-line unicorn/no-thenable -- the SDK awaits the call itself
        return { requests, responses, then: status.then.bind(status) } as unknown as typeof call;
      };
      return offer(waiting, token, folder);
    };
    Object.assign(artifacts, { offerArtifacts: repaired });
  },
};
