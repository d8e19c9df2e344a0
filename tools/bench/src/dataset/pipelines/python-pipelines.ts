import { LineProcess } from "../../line-process.js";
import { BenchError, type BenchOptions } from "../../measurement.js";
import { pythonCommand } from "../../python-command.js";
import { batchSize, bufferSize, type PipelineRun, type PipelineSubject } from "./pipeline-subject.js";

/** First message of the Python process: for each library, its version or the reason for its absence. */
interface Hello {
  readonly versions: Readonly<Record<string, { readonly version?: string; readonly absent?: string }>>;
}

/** Runs tf.data and grain on one thread of a shared Python process, which measures its own time. */
export class PythonPipelines {
  readonly #python: BenchOptions["python"];
  #process: LineProcess | undefined;
  #hello: Promise<Hello> | undefined;

  constructor(python: BenchOptions["python"]) {
    this.#python = python;
  }

  /** Returns a subject that runs `engine`, which is `tensorflow` or `grain`. Its `prepare` starts the process if necessary. */
  subject(engine: string, mostRows: number): PipelineSubject {
    return {
      name: engine,
      mostRows,
      pipelines: ["batch", "shuffle", "map", "tfrecord"],
      prepare: async () => {
        try {
          this.#hello ??= this.#start();
          const { version, absent } = (await this.#hello).versions[engine] ?? {};
          return version === undefined ? { absent: absent ?? `${engine} is unknown` } : { version };
        } catch (error) {
          if (error instanceof BenchError) return { absent: error.message };
          throw error;
        }
      },
      run: async (pipeline, input) =>
        (await this.#process?.ask({
          engine,
          pipeline,
          ...input,
          batchSize,
          bufferSize,
        })) as PipelineRun,
    };
  }

  /** Ends the process, if any. */
  close(): void {
    this.#process?.close();
  }

  async #start(): Promise<Hello> {
    const { program } = await this.#python("dataset");
    this.#process = new LineProcess(pythonCommand(program, "dataset_pipelines.py"));
    return (await this.#process.receive()) as Hello;
  }
}
