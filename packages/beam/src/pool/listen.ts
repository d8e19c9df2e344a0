import { SourceError } from "@tfxio/wire";
import type { GrpcServer, Sdk } from "../compat/sdk.js";

/**
 * Starts a gRPC server, and gives its `host:port` with the actual port.
 * @throws {SourceError} `io-failed` (`beam-runner`) if the address cannot be listened on.
 */
export async function listen(server: GrpcServer, { grpc }: Sdk, address: string): Promise<string> {
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(unusable(address, error));
    });
  });
  return address.replace(/:\d+$/, `:${port}`);
}

function unusable(uri: string, cause: Error): SourceError {
  return new SourceError("io-failed", `Nothing can listen on ${uri}: ${cause.message}.`, {
    uri,
    reason: "beam-runner",
    cause,
  });
}
