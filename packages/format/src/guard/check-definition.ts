import { ArgumentError } from "@tfxio/wire";
import {
  aFunction,
  aList,
  anObject,
  aString,
  describeValue,
  type InvalidArgument,
  invalidArgument,
  isObject,
  membersOf,
  oneOf,
  type OptionRules,
  required,
  type Rule,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { CONTRACT_VERSION, type Format, MIN_CONTRACT_VERSION } from "../format.js";
import type { FormatSpec } from "../format-spec.js";
import type { FormatReads } from "../read-request.js";

const reason = "format-definition";

const aFormatId = rule('a kebab-case name such as "my-format"', (id) => {
  return typeof id === "string" && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id);
});
const anExtension = required(
  rule('a lower-case extension that begins with a dot, such as ".csv"', (extension) => {
    return typeof extension === "string" && /^(\.[a-z0-9_-]+)+$/.test(extension);
  }),
);

const SPEC_RULES: OptionRules<FormatSpec<object>> = {
  id: required(aFormatId),
  contractVersion: null,
  extensions: required(aList),
  defaults: required(anObject),
  columnForm: oneOf("stored", "lists"),
  reads: anObject,
  module: aString,
  open: required(aFunction),
  sniff: aFunction,
  openStream: aFunction,
  createWriter: aFunction,
};

const READS_RULES: OptionRules<FormatReads> = {
  filter: oneOf("splits", "rows"),
  rawRecordColumn: oneOf(true),
  rowPositionColumn: oneOf(true),
  subdivide: oneOf(true),
  shuffle: oneOf(true),
  batchBytes: oneOf(true),
  randomAccess: oneOf("rows", "parts"),
  columnForm: oneOf(true),
};

const aFormat = rule("a Format, as returned by defineFormat", (value) => {
  const { id, extensions, open } = membersOf(value);
  return typeof id === "string" && Array.isArray(extensions) && typeof open === "function";
});

/**
 * Checks a format that may come from another install of this package.
 * @throws {ArgumentError} `invalid-argument` (`format-definition`) unless `format` is a Format. `invalid-argument`
 *   (`contract-version`) if it targets a version of the contract that this package does not accept.
 */
export function assertFormat(format: unknown): asserts format is Format {
  if (!aFormat.holds(format)) throw invalidArgument("format", aFormat.expected, format, { reason });
  const { id, contractVersion } = format as Format;
  assertContractVersion(id, contractVersion, "format");
}

/** Checks the members of a definition. @throws {ArgumentError} As {@link assertFormat}. The error names the member. */
export function assertDefinition(spec: FormatSpec<object>): void {
  if (!isObject(spec)) throw invalidArgument("spec", "an object that defines a format", spec, { reason });
  assertMember("id", spec.id, SPEC_RULES.id);
  const { id, contractVersion, extensions, reads } = spec;
  assertContractVersion(id, contractVersion, "contractVersion");
  for (const [name, needed] of Object.entries(SPEC_RULES)) {
    assertMember(name, spec[name as keyof FormatSpec<object>], needed, { owner: id });
  }
  assertExtensions(id, extensions);
  if (reads !== undefined) assertReads(id, reads);
}

/** Checks one member. A member that is undefined takes its default, so it is valid unless it is required. */
function assertMember(argument: string, value: unknown, needed: Rule | null, place: MemberPlace = {}): void {
  if (needed === null || (value === undefined && needed.isRequired !== true) || needed.holds(value)) return;
  throw invalidArgument(argument, needed.expected, value, { ...place, reason });
}

type MemberPlace = Pick<InvalidArgument, "owner" | "at">;

function assertContractVersion(id: string, version: unknown, argument: string): void {
  const isKnown = typeof version === "number" && Number.isInteger(version);
  if (isKnown && version >= MIN_CONTRACT_VERSION && version <= CONTRACT_VERSION) return;
  const accepted =
    MIN_CONTRACT_VERSION === CONTRACT_VERSION
      ? `version ${CONTRACT_VERSION}`
      : `a version from ${MIN_CONTRACT_VERSION} to ${CONTRACT_VERSION}`;
  throw new ArgumentError(
    "invalid-argument",
    `${id} must target ${accepted} of the format contract, found ${describeValue(version)}.`,
    { reason: "contract-version", argument },
  );
}

/** Checks that extensions are distinct and in lower case, and begin with a dot. */
function assertExtensions(id: string, extensions: readonly string[]): void {
  for (const [index, extension] of extensions.entries()) {
    assertMember("extensions", extension, anExtension, { owner: id, at: `[${index}]` });
  }
  if (new Set(extensions).size === extensions.length) return;
  throw unusableArgument("extensions", `must be unique, found ${extensions.join(", ")}`, {
    owner: id,
    reason,
  });
}

function assertReads(id: string, reads: FormatReads): void {
  for (const [name, value] of Object.entries(reads)) {
    if (!Object.hasOwn(READS_RULES, name)) {
      const known = Object.keys(READS_RULES).join(", ");
      throw unusableArgument("reads", `has an unknown member "${name}", but may only have ${known}`, {
        owner: id,
        reason,
      });
    }
    assertMember("reads", value, READS_RULES[name as keyof FormatReads], { owner: id, at: `.${name}` });
  }
  if (reads.randomAccess === "parts" && reads.subdivide === undefined) {
    const problem = 'must be true if reads.randomAccess is "parts"';
    throw unusableArgument("reads", problem, { owner: id, at: ".subdivide", reason });
  }
}
