import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { BenchError } from "./measurement.js";

/** A child process that exchanges lines of JSON over stdin and stdout. */
export class LineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;
  #complaint = "";

  constructor([program = "", ...args]: readonly string[]) {
    this.#child = spawn(program, args, { stdio: "pipe" });
    // If the child cannot start, or ends, its stdout closes, and `receive` reports that.
    this.#child.on("error", (error) => {
      this.#complaint = error.message;
    });
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString()).slice(-2000);
    });
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /**
   * Resolves to the next line, parsed.
   * @throws {BenchError} when the process ends first; the message is the last line of its stderr.
   */
  async receive(): Promise<unknown> {
    const line = await this.#lines.next();
    if (line.done === true)
      throw new BenchError(this.#complaint.trim().split("\n").at(-1) || "the process ended");
    return JSON.parse(line.value) as unknown;
  }

  /** Sends `request` and resolves to its answer. Callers must not overlap requests. */
  async ask(request: object): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    return this.receive();
  }

  /** Ends the process. */
  close(): void {
    this.#reader.close();
    this.#child.kill();
  }
}
