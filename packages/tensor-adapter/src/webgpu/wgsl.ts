// Values are copied as u32, so that every float32 keeps its bits, including denormals and NaN payloads. Each invocation writes
// one 32-bit word of output, or the indices of one value. Dispatches are two-dimensional, because one dimension is limited to
// 65535 groups.

/** Invocations per workgroup. WebGPU's default limit is 256, and 64 suits every vendor. */
export const WORKGROUP_SIZE = 64;

const header = `
@group(0) @binding(0) var<storage, read> params: array<u32>;
@group(0) @binding(1) var<storage, read> positions: array<i32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;
`;

const invocation = `
@compute @workgroup_size(${WORKGROUP_SIZE})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = id.y * groups.x * ${WORKGROUP_SIZE}u + id.x;
  if (at >= params[0]) { return; }
`;

/**
 * Kernel that pads ragged lists to a dense result. `params`: number of elements of the result, ragged rank, size of an innermost
 * value, fill, stride of the rows. Then, for each ragged dimension, its stride and the start of its row splits in `positions`.
 */
export const padCode: string = `${header}
@group(0) @binding(3) var<storage, read> values: array<u32>;
${invocation}
  let inner = params[2];
  var rest = at / inner;
  var position = rest / params[4];
  rest = rest % params[4];
  for (var level = 0u; level < params[1]; level++) {
    let stride = params[5u + 2u * level];
    let splits = params[6u + 2u * level];
    let begin = u32(positions[splits + position]);
    let end = u32(positions[splits + position + 1u]);
    let offset = rest / stride;
    rest = rest % stride;
    if (offset >= end - begin) {
      result[at] = params[3];
      return;
    }
    position = begin + offset;
  }
  result[at] = values[position * inner + at % inner];
}
`;

/**
 * Kernel that computes COO indices from row splits. `params`: number of elements, ragged rank, size and rank of an innermost
 * value. Then, for each ragged dimension, the start of its row splits in `positions` and its number of lists. Last, the inner
 * shape.
 */
export const indicesCode: string = `${header}${invocation}
  let levels = params[1];
  let innerRank = params[3];
  let first = at * (1u + levels + innerRank);
  var rest = at % params[2];
  for (var left = innerRank; left > 0u; left--) {
    let size = params[4u + 2u * levels + left - 1u];
    result[first + levels + left] = rest % size;
    rest = rest / size;
  }
  var position = i32(at / params[2]);
  for (var level = levels; level > 0u; level--) {
    let splits = params[2u + 2u * level];
    // Find the last list that begins at or before the position. Earlier lists with the same start are empty.
    var low = 0u;
    var high = params[3u + 2u * level];
    while (high - low > 1u) {
      let middle = (low + high) / 2u;
      if (positions[splits + middle] <= position) { low = middle; } else { high = middle; }
    }
    result[first + level] = u32(position - positions[splits + low]);
    position = i32(low);
  }
  result[first] = u32(position);
}
`;

/**
 * Kernel that takes elements at positions. `params`: number of words of the result, size of an element, fill. A negative
 * position yields the fill.
 */
export const takeCode: string = `${header}
@group(0) @binding(3) var<storage, read> values: array<u32>;
${invocation}
  let position = positions[at / params[1]];
  if (position < 0) {
    result[at] = params[2];
  } else {
    result[at] = values[u32(position) * params[1] + at % params[1]];
  }
}
`;
