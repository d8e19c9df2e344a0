import type { Environment } from "apache-beam/proto/beam_runner_api";
import type { Sdk } from "../compat/sdk.js";

/**
 * Replaces the environment of this SDK's functions with the pool at `workerPool`, in place. Other environments stay unchanged.
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
