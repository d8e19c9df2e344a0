import { nodeOn } from "../../checkpoint/plan-node.js";
import { ArgumentError } from "@tfxio/wire";
import type { Block } from "../../blocks/block.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, TensorFlow } from "../../plan.js";
import { replaceElements } from "./map.js";
import { callForElement, isPromise, orDispose } from "./user-call.js";

/** Receives the state and an element. Returns or resolves to `[nextState, output]`. */
export type ScanFunction = (state: never, element: never) => unknown;

/**
 * Replaces every element with the output of `f`, which also updates a state. Every pass starts with `initialState`. The
 * caller still owns the tensors of `initialState`.
 */
export function scanPlan(upstream: Plan, initialState: unknown, f: ScanFunction): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, "scan"),
    moved: undefined,
    open: (pass) => new ScanStream(upstream, pass, initialState, f),
  };
}

class ScanStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #tf: TensorFlow | undefined;
  readonly #pass: Pass;
  readonly #f: ScanFunction;
  readonly #initialState: unknown;
  #state: unknown;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, initialState: unknown, f: ScanFunction) {
    this.#upstream = upstream.open(pass);
    this.#tf = upstream.tf;
    this.#pass = pass;
    this.#f = f;
    this.#initialState = initialState;
    this.#state = initialState;
  }

  async read(maxRows: number): Promise<Block | null> {
    const block = await this.#upstream.read(maxRows);
    return block === null ? null : replaceElements(block, this.#pass, (input) => this.#step(input));
  }

  async close(): Promise<void> {
    this.#replaceState(this.#initialState, []);
    await this.#upstream.close();
  }

  /**
   * Returns the output for `input`, or a `Failure`, or a promise of either. Consumes `input`. A failure leaves the state
   * unchanged.
   */
  #step(input: unknown): unknown {
    const elementIndex = this.#elementIndex++;
    const f = (element: never): unknown => this.#f(this.#state as never, element);
    const call = { operator: "scan", f, tf: this.#tf };
    const called = callForElement(call, input, elementIndex, this.#pass);
    return isPromise(called)
      ? orDispose(called, input).then((result) => this.#accept(result, input, elementIndex))
      : this.#accept(called, input, elementIndex);
  }

  /** If `result` is `[nextState, output]`, sets the state and returns the output. Otherwise returns a `Failure`. */
  #accept(result: unknown, input: unknown, elementIndex: number): unknown {
    if (result instanceof Failure) {
      if (result !== input) disposeElements([input]);
      return result;
    }
    if (!Array.isArray(result) || result.length !== 2) {
      // The result may contain tensors of the state, which is still in use.
      const inUse = new Set([...tensorsOf(this.#state), ...tensorsOf(this.#initialState)]);
      disposeElements([input, ...tensorsOf(result).filter((tensor) => !inUse.has(tensor))]);
      return new Failure(
        new ArgumentError(
          "invalid-argument",
          `scan: the function returned ${describe(result)} for element ${elementIndex}, but must return [state, output].`,
        ),
      );
    }
    const [state, output] = result as [unknown, unknown];
    const kept = new Set([...tensorsOf(state), ...tensorsOf(output)]);
    for (const tensor of tensorsOf(input)) if (!kept.has(tensor)) tensor.dispose();
    this.#replaceState(state, tensorsOf(output));
    return output;
  }

  /** Sets the state. Disposes the old state's tensors that are not in the initial state, the new state or the output. */
  #replaceState(state: unknown, handedOut: readonly unknown[]): void {
    const kept = new Set<unknown>([...tensorsOf(state), ...tensorsOf(this.#initialState), ...handedOut]);
    for (const tensor of tensorsOf(this.#state)) if (!kept.has(tensor)) tensor.dispose();
    this.#state = state;
  }
}

function describe(value: unknown): string {
  return Array.isArray(value)
    ? `an array of length ${value.length}`
    : value === null
      ? "null"
      : `a value of type ${typeof value}`;
}
