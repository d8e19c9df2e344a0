import type { FixtureRow } from "@tfxio/format/testkit";

// Case `without_schema_simple` of tools/conformance/vectors/tfx-bsl/example_decoder.json, from tfx_bsl's own unit
// tests: null, empty and filled lists of the three kinds.

/** Serialized tf.Examples. */
export const exampleRecords: readonly Uint8Array[] = [
  "Ci8KDQoBeBIICgYKAWEKAWIKEQoBeRIMEgoKCAAAgD8AAABACgsKAXoSBhoECgIEBQ==",
  "ChwKBQoBdxIACgUKAXgSAAoFCgF5EgAKBQoBehIA",
  "CiQKDQoBdhIIEgYKBAAAgD8KBQoBeBIACgUKAXkSAAoFCgF6EgA=",
  "ChsKBwoBeBICCgAKBwoBeRICEgAKBwoBehICGgA=",
].map((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));

/** The rows that tfx_bsl reads from {@link exampleRecords}. */
export const exampleRows: readonly FixtureRow[] = [
  { x: ["a", "b"], y: [1, 2], z: [4n, 5n] },
  {},
  { v: [1] },
  { x: [], y: [], z: [] },
];
