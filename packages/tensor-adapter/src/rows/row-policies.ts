import { ArgumentError } from "@tfxio/wire";
import { invalidArgument, oneOf } from "@tfxio/wire/checks";

/** One policy for all tensors, or one per tensor name. Tensors that are not listed get the default. */
export type PerTensor<Policy> = Policy | Readonly<Record<string, Policy>>;

/** Treatment of an empty (non-null) list in a dense tensor: an error, or the default value for the whole row. */
export type OnEmpty = "error" | "default";
/** Treatment of a list with too few values for a dense tensor: an error, or padding at its end with the default value. */
export type OnShort = "error" | "pad";
/** Treatment of a list with too many values for a dense tensor: an error, or truncation at its end. */
export type OnLong = "error" | "truncate";

/**
 * Treatment of lists whose length does not match the shape of a dense tensor. By default such a list is an error. A single policy
 * applies to all dense tensors, but `onEmpty` and `onShort` skip tensors without a default value. A row of several dimensions is
 * padded or truncated along the first of them, so a list for shape `[n, 2]` must have an even number of values.
 */
export interface RowPolicies {
  /** Default `"error"`. With `onShort: "pad"` the default is `"default"`, because padding also covers empty lists. */
  readonly onEmpty?: PerTensor<OnEmpty> | undefined;
  /** Default `"error"`. */
  readonly onShort?: PerTensor<OnShort> | undefined;
  /** Default `"error"`. */
  readonly onLong?: PerTensor<OnLong> | undefined;
}

/** The policies of one tensor. */
export interface DensePolicies {
  readonly onEmpty: OnEmpty;
  readonly onShort: OnShort;
  readonly onLong: OnLong;
}

/** Valid policies of each option. */
const words: { readonly [Name in keyof RowPolicies]-?: readonly string[] } = {
  onEmpty: ["error", "default"],
  onShort: ["error", "pad"],
  onLong: ["error", "truncate"],
};

/**
 * Returns the policies of one dense tensor.
 * @param hasDefault false if the representation has no default value.
 * @throws {ArgumentError} `invalid-argument` (`policy-needs-default`) if there is no default value, but a policy that names the
 * tensor needs one.
 */
export function densePolicies(
  { onEmpty, onShort, onLong }: RowPolicies,
  tensorName: string,
  hasDefault: boolean,
): DensePolicies {
  const filling = <Policy extends string>(
    argument: string,
    policy: PerTensor<Policy> | undefined,
  ): Policy | undefined => {
    const word = policyFor(policy, tensorName);
    if (hasDefault || word === undefined || word === "error") return word;
    if (typeof policy !== "object") return undefined;
    throw new ArgumentError(
      "invalid-argument",
      `${argument} of tensor "${tensorName}" is "${word}", which needs a default value in the representation.`,
      { reason: "policy-needs-default", argument },
    );
  };
  const short = filling("onShort", onShort) ?? "error";
  return {
    onEmpty: filling("onEmpty", onEmpty) ?? (short === "pad" ? "default" : "error"),
    onShort: short,
    onLong: policyFor(onLong, tensorName) ?? "error",
  };
}

/**
 * Rejects unknown policies, and policies for tensors that are unknown or not dense.
 * @param kinds kinds of the tensors by name. Policies apply only to kind `"tensor"`.
 * @throws {ArgumentError} `invalid-argument`. For an unknown or non-dense tensor, the reason is `unknown-tensor` or
 * `policy-not-dense`.
 */
export function assertRowPolicies(policies: RowPolicies, kinds: ReadonlyMap<string, string>): void {
  for (const argument of Object.keys(words) as (keyof RowPolicies)[]) {
    const policy: PerTensor<string> | undefined = policies[argument];
    if (policy === undefined) continue;
    const isPerTensor = typeof policy === "object";
    const unknown = Object.values(isPerTensor ? policy : { "": policy }).find(
      (word) => !words[argument].includes(word),
    );
    if (unknown !== undefined) {
      throw invalidArgument(argument, oneOf(...words[argument]).expected, unknown);
    }
    for (const name of isPerTensor ? Object.keys(policy) : []) {
      const kind = kinds.get(name);
      if (kind === "tensor") continue;
      throw new ArgumentError(
        "invalid-argument",
        kind === undefined
          ? `${argument}: unknown tensor "${name}"; the adapter has ${[...kinds.keys()].join(", ") || "none"}.`
          : `${argument}: tensor "${name}" does not have a dense representation.`,
        { reason: kind === undefined ? "unknown-tensor" : "policy-not-dense", argument },
      );
    }
  }
}

/** Returns the policy of one tensor; undefined if none is given. */
export function policyFor<Policy extends string>(
  policy: PerTensor<Policy> | undefined,
  tensorName: string,
): Policy | undefined {
  if (typeof policy !== "object") return policy;
  return Object.hasOwn(policy, tensorName) ? policy[tensorName] : undefined;
}
