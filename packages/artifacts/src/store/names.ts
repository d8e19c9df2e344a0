/**
 * ML Metadata's artifact states and their numbers. The numbers in this file come from `metadata_store.proto`, except those of
 * {@link TYPE_KINDS}, which come from `types.h`. The database columns store the numbers.
 */
export const ARTIFACT_STATES = {
  UNKNOWN: 0,
  PENDING: 1,
  LIVE: 2,
  MARKED_FOR_DELETION: 3,
  DELETED: 4,
  ABANDONED: 5,
  REFERENCE: 6,
} as const;
/** Execution states and their numbers. */
export const EXECUTION_STATES = {
  UNKNOWN: 0,
  NEW: 1,
  RUNNING: 2,
  COMPLETE: 3,
  FAILED: 4,
  CACHED: 5,
  CANCELED: 6,
} as const;
/** Event types and their numbers. */
export const EVENT_TYPES = {
  DECLARED_OUTPUT: 1,
  DECLARED_INPUT: 2,
  INPUT: 3,
  OUTPUT: 4,
  INTERNAL_INPUT: 5,
  INTERNAL_OUTPUT: 6,
  PENDING_OUTPUT: 7,
} as const;
/** Property types and their numbers. */
export const PROPERTY_TYPES = { INT: 1, DOUBLE: 2, STRING: 3, STRUCT: 4, PROTO: 5, BOOLEAN: 6 } as const;
/** Node kinds and their numbers, as stored in `Type.type_kind`. */
export const TYPE_KINDS = { execution: 0, artifact: 1, context: 2 } as const;

export type ArtifactState = keyof typeof ARTIFACT_STATES;
export type ExecutionState = keyof typeof EXECUTION_STATES;
export type EventType = keyof typeof EVENT_TYPES;
export type PropertyType = keyof typeof PROPERTY_TYPES;
/** The kind of node that a type describes: `"artifact"`, `"execution"` or `"context"`. */
export type NodeKind = keyof typeof TYPE_KINDS;

/** Returns the name of the enum value whose number a column holds; undefined if the enum has no such number. */
export function nameOf<Name extends string>(
  numbers: Readonly<Record<Name, number>>,
  value: unknown,
): Name | undefined {
  const number = Number(value);
  return (Object.keys(numbers) as Name[]).find((name) => numbers[name] === number);
}
