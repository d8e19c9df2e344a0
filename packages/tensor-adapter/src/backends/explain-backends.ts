import type { BackendAttempt } from "./attempt.js";
import type { BackendRegistry } from "./candidate.js";
import { inTurn } from "./holds.js";
import { CONTEXT_RULES, candidates, contextOf, type LoadBackendOptions, tryBackend } from "./load-backend.js";
import { assertOptions } from "@tfxio/wire/checks";

/** Report on which backends work on this machine, and why the others do not. */
export interface BackendReport {
  /** One attempt per backend, in the default order of `loadBackend`. */
  readonly attempts: readonly BackendAttempt[];
  /** Returns the report as a table for a terminal: a header, then one line per backend, without a trailing line break. */
  toString(): string;
}

/**
 * Loads every backend to see whether it works, which may take seconds, and then restores the backend that was current. If none
 * was current, the fastest usable backend becomes current. A backend that is released after its attempt, such as WebGPU in Node,
 * is not chosen.
 * @throws {UnsupportedError} `unsupported` (`no-backend`) only if TensorFlow.js itself cannot be imported.
 */
export async function explainBackends(
  options: Omit<LoadBackendOptions<BackendRegistry>, "prefer"> = {},
): Promise<BackendReport> {
  assertOptions("explainBackends", options, CONTEXT_RULES);
  return inTurn(() => report(options));
}

async function report(options: LoadBackendOptions<BackendRegistry>): Promise<BackendReport> {
  const context = await contextOf(options);
  let current: string | undefined = context.tf.getBackend() || undefined;
  const attempts: BackendAttempt[] = [];
  for (const candidate of candidates) {
    const { attempt, started } = await tryBackend(candidate, context);
    attempts.push(attempt);
    started?.release?.();
    if (started !== undefined && started.release === undefined) current ??= candidate.backendName;
  }
  if (current !== undefined) await context.tf.setBackend(current);
  return { attempts, toString: () => table(attempts) };
}

function table(attempts: readonly BackendAttempt[]): string {
  const rows = attempts.map(({ name, usable, reason = "", detail }) => [
    name,
    usable ? "yes" : "no",
    reason,
    detail,
  ]);
  const all = [["backend", "usable", "reason", "detail"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
