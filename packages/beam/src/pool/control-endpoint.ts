import type { Sdk } from "../compat/sdk.js";
import { SourceError } from "@tfxio/wire";

/**
 * The address of a runner's control service, `host:port`, as its provision service answers. Runners that start a worker as a
 * process may pass only the address of the provision service.
 * @throws {SourceError} `io-failed` (`beam-runner`) if the service does not answer, or names no control service.
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
  if (url === undefined || url === "") throw unprovisioned(provisionEndpoint, "it names no control service");
  return url;
}

function unprovisioned(uri: string, problem: string, cause?: unknown): SourceError {
  return new SourceError(
    "io-failed",
    `The provision service ${uri} does not give the address of a control service: ${problem}.`,
    {
      uri,
      reason: "beam-runner",
      cause,
    },
  );
}
