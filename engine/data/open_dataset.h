// SPDX-License-Identifier: Apache-2.0
// Opens the data set of a workload, by its name in the zoo, from a user's folder. Nothing is downloaded.
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
    // The network's input shape per sample. Determines the size of photographs, the length of token sequences, and
    // whether text is given as ids [T] or one-hot [T, V]; verified if the data have a fixed shape (MNIST: 784 values).
    Shape featureShape;
    std::int64_t batch = 32;      // ptb: the rows of its layout
    std::int64_t words = 20'000;  // imdb, ptb: size of the vocabulary
    bool bigrams = false;         // imdb
    std::int64_t classCount = 0;  // record shards: number of classes
    std::uint64_t seed = 1;       // selects the validation part of sets without one
};

// "mnist", "cifar10", "imdb", "text", "ptb", "flowers", "imagenet".
[[nodiscard]] const std::vector<std::string>& datasetNames();

// InvalidArgument for an unknown name or an input shape that the data cannot have; otherwise the errors of the reader.
// The vocabulary depends on the text: build the network from the returned info if it differs.
[[nodiscard]] Result<DatasetPair> openDataset(const DatasetRequest& request);

// The paper's augmentation of the training images: shifts of 10 % and mirroring for "cifar10", otherwise none.
[[nodiscard]] Augmentation usualAugmentation(const std::string& dataset);

}  // namespace steelyard::data
