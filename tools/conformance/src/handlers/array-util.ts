import {
  binaryByteSize,
  byteSize,
  countInvalidUtf8,
  elementLengths,
  fillNullLists,
  flattenNested,
  indexIn,
  innermostType,
  isListType,
  listCoordinates,
  listFromParentIndices,
  nullBytes,
  parentIndices,
  toSingletonLists,
} from "@tfxio/arrow-encoding";
import type { Data } from "apache-arrow";
import type { Handler, Json } from "../handler.js";
import { type ArrayJson, buildArray, expectedArray, plainArray } from "../values/arrow-array.js";
import { formatArrowType, parseArrowType, type TypeJson } from "../values/arrow-type.js";

const asIs = (type: TypeJson): TypeJson => type;

function arrayOf(input: Json, name = "array"): Data {
  return buildArray(input[name] as ArrayJson);
}

/** Creates the handler of an operation that returns an array. */
function givesArray(operation: (input: Json) => Data): Handler {
  return {
    actual: (input) => plainArray(operation(input), asIs),
    expected: (expect) => expectedArray(expect["array"] as ArrayJson, asIs),
  };
}

/** Creates the handler of an operation that returns a number or a boolean. */
function givesValue(operation: (input: Json) => unknown): Handler {
  return { actual: operation, expected: (expect) => expect["value"] };
}

const lengths = givesArray((input) => elementLengths(arrayOf(input)));

/**
 * Handlers of functions on arrays. Types must match exactly, so our functions must return lists with 64-bit offsets where tfx_bsl
 * does.
 */
export const arrayUtil: Readonly<Record<string, Handler>> = {
  CooFromListArray: {
    actual: (input) => {
      const { indices, denseShape } = listCoordinates(arrayOf(input));
      return { coo: [...indices], dense_shape: [...denseShape] };
    },
    expected: ({ coo, dense_shape }) => ({ coo, dense_shape }),
  },
  CountInvalidUTF8: givesValue((input) => countInvalidUtf8(arrayOf(input))),
  FillNullLists: givesArray((input) => fillNullLists(arrayOf(input), arrayOf(input, "fill_with"))),
  GetArrayNullBitmapAsByteArray: givesArray((input) => nullBytes(arrayOf(input))),
  GetBinaryArrayTotalByteSize: givesValue((input) => binaryByteSize(arrayOf(input))),
  GetByteSize: givesValue((input) => byteSize(arrayOf(input))),
  GetElementLengths: lengths,
  ListLengthsFromListArray: lengths,
  GetFlattenedArrayParentIndices: givesArray((input) => parentIndices(arrayOf(input))),
  IndexIn: givesArray((input) => indexIn(arrayOf(input, "values"), arrayOf(input, "value_set"))),
  MakeListArrayFromParentIndicesAndValues: givesArray((input) =>
    listFromParentIndices(
      Number(input["num_parents"]),
      arrayOf(input, "parent_indices"),
      arrayOf(input, "values"),
      { emptyListAsNull: input["empty_list_as_null"] as boolean | undefined, listType: "large" },
    ),
  ),
  ToSingletonListArray: givesArray((input) => toSingletonLists(arrayOf(input), "large")),
  flatten_nested: {
    actual: (input) => {
      const { values, rows } = flattenNested(arrayOf(input));
      return {
        array: plainArray(values, asIs),
        ...(input["return_parent_indices"] === true && { parent_indices: [...rows] }),
      };
    },
    expected: (expect) => ({
      ...expect,
      array: expectedArray(expect["array"] as ArrayJson, asIs),
    }),
  },
  get_innermost_nested_type: {
    actual: (input) => formatArrowType(innermostType(parseArrowType(input["type"] as TypeJson))),
    expected: (expect) => expect["type"],
  },
  is_list_like: givesValue((input) => isListType(parseArrowType(input["type"] as TypeJson))),
};
