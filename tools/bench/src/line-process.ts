import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { BenchError } from "./measurement.js";

/** A child process that exchanges lines of JSON over stdin and stdout. */
export class LineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;
  /** Resolves when the process has ended and all its output has been read. */
  readonly #closed: Promise<void>;
  /** Last 2000 characters of stderr, or the error that prevented the start. */
  #complaint = "";

  constructor([program = "", ...args]: readonly string[]) {
    this.#child = spawn(program, args, { stdio: "pipe" });
    this.#child.on("error", (error) => {
      this.#complaint = error.message;
    });
    this.#closed = new Promise((resolve) => this.#child.once("close", () => resolve()));
    // Errors of stdin can be ignored: if the child cannot start, or exits, its stdout closes too, so `receive` throws.
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString()).slice(-2000);
    });
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /**
   * Resolves to the parsed JSON of the next line.
   * @throws {BenchError} if the process cannot start, or closes stdout before it prints a line. The message is the error that
   *   prevented the start, or the last line of stderr.
   */
  async receive(): Promise<unknown> {
    const line = await this.#lines.next();
    if (line.done === true) {
      // Output and errors arrive independently, so the reason may not have been read yet.
      await this.#closed;
      throw new BenchError(
        this.#complaint.trim().split("\n").at(-1) || "the process exited without a message",
      );
    }
    return JSON.parse(line.value) as unknown;
  }

  /** Sends `request` and resolves to its answer. The caller must wait for an answer before the next request. */
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
