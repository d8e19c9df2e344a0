import type { Environment } from "apache-beam/proto/beam_runner_api";
import type { Sdk } from "../compat/sdk.js";

/**
 * Modifies `used`: the environment of the TypeScript SDK's functions becomes the pool at `workerPool`. Other environments stay
 * unchanged.
 */
export function assignWorkerPool(
  { environments }: Sdk,
  used: Record<string, Environment>,
  workerPool: string,
): void {
  for (const [id, environment] of Object.entries(used)) {
    if (environment.urn === environments.TYPESCRIPT_DEFAULT_ENVIRONMENT_URN)
      used[id] = environments.asExternalEnvironment(environment, workerPool);
  }
}
