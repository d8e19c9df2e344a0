import { type Rule, rule } from "@tfxio/wire/checks";
import { isPromise } from "../operators/elements/user-call.js";
import { type AnyReducer, Reducer } from "./reducer.js";

/** Type of the results of several reducers, under the names of the reducers. */
export type Results<Each> = {
  readonly [Name in keyof Each]: Each[Name] extends AnyReducer<infer Result> ? Result : never;
};

/** Combines several reducers into one, whose result is a dict of their results. A single pass over the dataset is then enough. */
export function together(reducers: Readonly<Record<string, AnyReducer>>): Reducer<never, State, State> {
  const entries = Object.entries(reducers);
  const each = (f: EachReducer): State | Promise<State> => {
    const values = entries.map(([name, reducer]) => f(name, reducer));
    const byName = (settled: readonly unknown[]): State =>
      Object.fromEntries(entries.map(([name], index) => [name, settled[index]]));
    return values.some(isPromise) ? Promise.all(values).then(byName) : byName(values);
  };
  return new Reducer<never, State, State>(
    (context) => each((_, reducer) => reducer.init(context)),
    (state, element) => each((name, reducer) => reducer.reduce(state[name] as never, element)),
    (state, context) => each((name, reducer) => reducer.finalize(state[name] as never, context)),
  );
}

type State = Record<string, unknown>;
type EachReducer = (name: string, reducer: AnyReducer) => unknown;

/** Accepts a dict of reducers. */
export const aDictOfReducers: Rule = rule("a dict of Reducers", (value) => {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every((reducer) => reducer instanceof Reducer);
});
