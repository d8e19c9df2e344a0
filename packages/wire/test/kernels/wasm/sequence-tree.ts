import type { Draw } from "./draw.js";
import {
  exampleTree,
  featureTree,
  type Kind,
  KINDS,
  kindOf,
  mapTrees,
  NAMES,
  steadyExample,
  steadyList,
  steadyMap,
  type ValueTree,
} from "./example-tree.js";
import { field, unknownField, type WireField } from "./wire-tree.js";

/** Returns the kind of a feature list's steps. It differs from the kind of the feature with the same name. */
export function stepKindOf(name: string): Kind {
  return kindOf(NAMES[NAMES.indexOf(name) + 1] ?? "");
}

/**
 * Returns a record as serializers write it or, with `isWild`, in any form that protobuf allows. A few names or values are
 * malformed.
 */
export function sequenceTree(draw: Draw, isWild: boolean): WireField[] {
  const context = draw.oneIn(3) ? [] : exampleTree(draw, isWild);
  const lists = draw.oneIn(8) ? [] : mapTrees(draw, isWild, 2, (name) => stepsTree(draw, isWild, name));
  const isReversed = isWild && draw.oneIn(3);
  const fields = isReversed ? [...lists, ...context] : [...context, ...lists];
  if (isWild && draw.oneIn(8)) fields.splice(draw.below(fields.length + 1), 0, unknownField(draw));
  return fields;
}

/** Returns a function that creates steps, most of one kind, and some without a kind. */
function stepsTree(draw: Draw, isWild: boolean, name: string): ValueTree {
  const kind = draw.oneIn(isWild ? 12 : 60) ? draw.pick(KINDS) : stepKindOf(name);
  const mixesKinds = isWild && draw.oneIn(12);
  return (isOther) => {
    const length = draw.oneIn(50) ? draw.below(200) : draw.pick([0, 1, 2, 3, 4, draw.below(12)]);
    const holes = draw.pick([0, 0, 2, 5]);
    const steps = Array.from({ length }, () => {
      if (holes > 0 && draw.oneIn(holes)) return field(1, []);
      const isMixed = (mixesKinds || isOther) && draw.oneIn(2);
      return field(1, featureTree(draw, isWild && draw.oneIn(3), isMixed ? draw.pick(KINDS) : kind));
    });
    if (isWild && draw.oneIn(8)) steps.splice(draw.below(steps.length + 1), 0, unknownField(draw));
    return steps;
  };
}

/** Returns a record in which few steps are missing, so that validity bitmaps begin late and grow. */
export function steadySequence(draw: Draw): WireField[] {
  const lists = steadyMap(draw, (name) =>
    Array.from({ length: draw.below(6) }, () =>
      field(1, draw.oneIn(100) ? [] : [steadyList(draw, stepKindOf(name))]),
    ),
  );
  return [...steadyExample(draw), field(2, lists)];
}
