import type { Sdk } from "../compat/sdk.js";
import { SourceError } from "@tfxio/wire";

/**
 * Asks a runner's provision service for the address (`host:port`) of the runner's control service. Runners that start workers as
 * processes may pass only the address of the provision service.
 * @throws {SourceError} `io-failed` (`beam-runner`) if the call fails, takes more than 60 seconds, or returns no address.
 * @see Beam's `beam_provision_api.proto`, "ProvisionInfo"
 */
export async function controlEndpointOf(sdk: Sdk, id: string, provisionEndpoint: string): Promise<string> {
  const { grpc, provisioning } = sdk;
  const client = new provisioning.ProvisionServiceClient(
    provisionEndpoint,
    grpc.ChannelCredentials.createInsecure() as never,
    {},
    {},
  );
  const metadata = new grpc.Metadata();
  metadata.add("worker_id", id);
  const deadline = Date.now() + 60_000;
  const url = await new Promise<string | undefined>((resolve, reject) => {
    client.getProvisionInfo({}, metadata as never, { deadline }, (error, response) => {
      if (error === null) resolve(response?.info?.controlEndpoint?.url);
      else reject(unprovisioned(provisionEndpoint, error.message, error));
    });
  }).finally(() => client.close());
  if (url === undefined || url === "") throw unprovisioned(provisionEndpoint, "its answer has no address");
  return url;
}

function unprovisioned(uri: string, problem: string, cause?: unknown): SourceError {
  return new SourceError(
    "io-failed",
    `Cannot get the address of the control service from the provision service ${uri}: ${problem}.`,
    {
      uri,
      reason: "beam-runner",
      cause,
    },
  );
}
