# SPDX-License-Identifier: Apache-2.0
"""Writes reviews.npz and protocol*.npy as NumPy does: invented reviews in the form of Keras's imdb.npz.

Run with NumPy 1.26 in this folder (protocol4_numpy2.npy is protocol4.npy as NumPy 2 writes it); the readers' tests
hold the same numbers.
"""
import io
import pickle

import numpy as np


def objects(lists):
    array = np.empty(len(lists), dtype=object)
    for i, numbers in enumerate(lists):
        array[i] = numbers
    return array


def invent(count, seed):
    random = np.random.RandomState(seed)
    choice = [1, 2, 3, 14, 200, 255, 256, 300, 65535, 65536, 88585]
    return [[int(v) for v in random.choice(choice, size=random.randint(0, 12))] for _ in range(count)]


train, test = objects(invent(6, 1)), objects(invent(5, 2))
np.savez_compressed("reviews.npz", x_train=train, y_train=np.array([0, 1, 1, 0, 1, 0]),
                    x_test=test, y_test=np.array([1, 0, 0, 1, 1]))
for protocol in (2, 3, 4, 5):
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, np.lib.format.header_data_from_array_1_0(train))
    pickle.dump(train, buffer, protocol=protocol)
    with open(f"protocol{protocol}.npy", "wb") as file:
        file.write(buffer.getvalue())
