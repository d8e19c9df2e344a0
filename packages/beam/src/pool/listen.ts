import { SourceError } from "@tfxio/wire";
import type { GrpcServer, Sdk } from "../compat/sdk.js";

/**
 * Makes a gRPC server listen on `address`, without encryption. Returns its `host:port` with the actual port.
 * @throws {SourceError} `io-failed` (`beam-runner`) if the server cannot listen on the address.
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
  return new SourceError("io-failed", `Cannot listen on ${uri}: ${cause.message}.`, {
    uri,
    reason: "beam-runner",
    cause,
  });
}
