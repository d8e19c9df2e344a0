import type { Runner } from "apache-beam/runners/runner";
import type { JobServiceClient } from "apache-beam/proto/beam_job_api.client";
import { SourceError } from "@tfxio/wire";
import { aName, anObject, assertOptions, required } from "@tfxio/wire/checks";
import { installRepairs } from "../compat/install-repairs.js";
import type { Sdk } from "../compat/sdk.js";
import type { PipelineRunner } from "./pipeline-runner.js";
import { assignWorkerPool } from "./worker-environments.js";

/** Options of {@link portableRunner}. */
export interface PortableRunnerOptions {
  /** `host:port` of the job service. */
  readonly jobEndpoint: string;
  /** `host:port` of a worker pool, as seen from the runner's machines. See `startWorkerPool`. */
  readonly workerPool: string;
  /** Name of the job. Default: chosen by the job service. */
  readonly jobName?: string | undefined;
  /** Options of the runner, by their names in camel case, such as `parallelism`. Default: none. */
  readonly runnerOptions?: Readonly<Record<string, unknown>> | undefined;
}

const RULES = {
  jobEndpoint: required(aName),
  workerPool: required(aName),
  jobName: aName,
  runnerOptions: anObject,
};

/** Maximum time in milliseconds to read the messages of a job that has ended. Some runners never end the stream of messages. */
const MESSAGES_MS = 2000;

/**
 * Creates a runner that submits pipelines to the job service of another runner, such as Flink, prism or Beam for Python. The
 * functions of a pipeline run in one of our worker pools. The SDK's own portable runner can only use Docker images that no longer
 * exist, or workers in the driver's process.
 *
 * `run` throws {@link SourceError} `io-failed` (`beam-job`) for a job that does not end as DONE. The error message contains the
 * messages of the job.
 * @throws {ArgumentError} `invalid-argument` for invalid options.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) without the SDK.
 */
export function portableRunner(options: PortableRunnerOptions): PipelineRunner {
  assertOptions("portableRunner", options, RULES);
  const { jobEndpoint, workerPool, jobName, runnerOptions } = options;
  const sdk = installRepairs();
  class PoolRunner extends sdk.portableRunner.PortableRunner {
    override async runPipeline(pipeline: Pipeline): Promise<PipelineResult> {
      assignWorkerPool(sdk, pipeline.components?.environments ?? {}, workerPool);
      return this.runPipelineWithProto(pipeline, {});
    }

    override async run(pipeline: Parameters<Runner["run"]>[0]): Promise<PipelineResult> {
      const result = (await this.runAsync(pipeline)) as PipelineResult & { readonly jobId: string };
      const state = await result.waitUntilFinish();
      if (state === sdk.jobApi.JobState_Enum.DONE) return result;
      const messages = await messagesOf(await this.getClient(), result.jobId);
      const name = sdk.jobApi.JobState_Enum[state];
      throw new SourceError(
        "io-failed",
        `The job ended as ${name} instead of DONE: ${messages || "no message"}.`,
        {
          uri: jobEndpoint,
          reason: "beam-job",
        },
      );
    }
  }
  return new PoolRunner({ jobEndpoint, ...(jobName === undefined ? {} : { jobName }), ...runnerOptions });
}

type PortableRunner = InstanceType<Sdk["portableRunner"]["PortableRunner"]>;
type Pipeline = Parameters<PortableRunner["runPipeline"]>[0];
type PipelineResult = Awaited<ReturnType<Runner["run"]>>;

/** Returns the messages of the runner about a job that has ended, one per line. */
async function messagesOf(client: JobServiceClient, jobId: string): Promise<string> {
  const lines: string[] = [];
  const { responses } = client.getMessageStream({ jobId }, { timeout: MESSAGES_MS });
  try {
    for await (const { response } of responses) {
      if (response.oneofKind === "messageResponse") lines.push(response.messageResponse.messageText);
    }
  } catch (cause) {
    // The time is up, or the runner is gone. No further messages can arrive.
    lines.push(...(lines.length === 0 ? [`its messages cannot be read (${String(cause)})`] : []));
  }
  return lines.join("\n");
}
