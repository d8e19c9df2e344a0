"""bsl_vectors.py CASES ANSWERS: runs cases of conformance vectors with tfx_bsl. Both files have one line of JSON per case.

A case has the members `group`, `name`, `op`, `input` and `expect`. The keys of the object `expect` are the names of the wanted
results. An answer is an expectation in the same notation, or {"error"} if tfx_bsl rejects the input. An error in this script's
own code ends the script.
"""

import json
import sys
import traceback

from bsl_array_ops import ARRAY_OPS, TABLE_OPS
from bsl_coder_ops import CSV_OPS, DECODER_OPS, ENCODER_OPS
from bsl_schema_ops import OPS as SCHEMA_OPS
from bsl_tensor_ops import ADAPTER_OPS, CONVERTER_OPS

GROUPS = {
    "array_util": ARRAY_OPS,
    "csv_decoder": CSV_OPS,
    "example_decoder": DECODER_OPS,
    "example_encoder": ENCODER_OPS,
    "sequence_example_decoder": DECODER_OPS,
    "table_util": TABLE_OPS,
    "tensor_adapter": ADAPTER_OPS,
    "tensor_representation_util": SCHEMA_OPS,
    "tensor_to_arrow": CONVERTER_OPS,
}
# Errors from these files are mistakes of this script, never rejections by tfx_bsl.
OURS = ("bsl_inputs.py", "bsl_answers.py")
MISTAKES = (AttributeError, KeyError, NameError)


def is_ours(error):
    frames = traceback.extract_tb(error.__traceback__)
    if any(frame.filename.endswith(OURS) for frame in frames):
        return True
    return isinstance(error, MISTAKES) and "bsl_" in frames[-1].filename


def answer(case):
    op = GROUPS[case["group"]][case["op"]]
    try:
        return op(case["input"], case["expect"])
    except Exception as error:
        if is_ours(error):
            raise RuntimeError(f"{case['group']}/{case['name']}: {type(error).__name__}: {error}") from error
        return {"error": f"{type(error).__name__}: {error}"}


with open(sys.argv[1]) as cases, open(sys.argv[2], "w") as out:
    for line in cases:
        out.write(json.dumps(answer(json.loads(line))) + "\n")
print("null")
