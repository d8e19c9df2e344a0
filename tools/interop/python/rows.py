"""Converts values to and from the JSON of src/example-rows.ts: floats as float32 bits, and bytes as base64."""

import base64
import struct


def float_bits(values):
    return [struct.unpack("<I", struct.pack("<f", value))[0] for value in values]


def bits_floats(bits):
    return [struct.unpack("<f", struct.pack("<I", each))[0] for each in bits]


def encode_bytes(values):
    return [base64.b64encode(value).decode() for value in values]


def decode_bytes(values):
    return [base64.b64decode(value) for value in values]
