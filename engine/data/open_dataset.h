// SPDX-License-Identifier: Apache-2.0
// The data set of a workload, by its name in the zoo, from a folder of the user. Nothing is downloaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/pipeline/augment.h"

namespace steelyard::data {

struct DatasetRequest {
    std::string dataset;  // one of datasetNames()
    std::filesystem::path folder;
    // The network's input of one sample. It chooses the size of photographs, the length of token sequences, and whether
    // text comes as ids [T] or one-hot [T, V]; it is checked where the data determine it (MNIST: 784 values).
    Shape featureShape;
    std::int64_t batch = 32;      // ptb: the rows of its layout
    std::int64_t words = 20'000;  // imdb, ptb: size of the vocabulary
    bool bigrams = false;         // imdb
    std::int64_t classCount = 0;  // record shards: the labels they may hold
    std::uint64_t seed = 1;       // chooses the validation part of sets that come in one piece
};

// "mnist", "cifar10", "imdb", "text", "ptb", "flowers", "imagenet".
[[nodiscard]] const std::vector<std::string>& datasetNames();

// InvalidArgument for an unknown name or an input that the data cannot have; otherwise the errors of the reader.
// The vocabulary of text depends on the text: build the network from the returned info where it differs.
[[nodiscard]] Result<DatasetPair> openDataset(const DatasetRequest& request);

// Augmentation of the training images in the paper: shifts of 10 % and mirroring for "cifar10", otherwise none.
[[nodiscard]] Augmentation usualAugmentation(const std::string& dataset);

}  // namespace steelyard::data
