// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/suite/suite_definitions.h"

#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {
namespace {

// About 80 s on two cores: one or two small cases per family.
std::vector<SuiteEntry> quick() {
    return {{"mnist_mlp"},
            {"mnist_cnn"},
            {"imdb_bilstm"},
            {"fcn_r", 256},
            {"alexnet_r", 128},
            {"lstm_ptb", 32},
            {"flowers_xception(size=96)", 4},
            {"mobilenet_v2", 4},
            {"bert_base_128(sequence=16)", 1, kNoSweep, false},
            {"gpt2_small_decode", 1, kNoSweep, false},
            {"paradnn_fc", 64},
            {"smollm2_135m(mode=decode,weights=q4_0,context=128)"},
            {"gemm"},
            {"memory_bandwidth"}};
}

// About ten minutes: the networks of the published studies, as published.
std::vector<SuiteEntry> standard() {
    return {{"mnist_mlp"},
            {"mnist_cnn"},
            {"cifar10_cnn"},
            {"imdb_fasttext"},
            {"imdb_bilstm"},
            {"text_lstm"},
            {"text_generator"},
            {"fcn_s"},
            {"fcn_r"},
            {"alexnet_s"},
            {"alexnet_r"},
            {"resnet50"},
            {"resnet56"},
            {"lstm_ptb"},
            {"flowers_xception"},
            {"flowers_vgg16"},
            {"flowers_resnet50"},
            {"bert_base_128"},
            {"gemm"},
            {"gemm(form=nt)"},
            {"gemm(form=tn)"},
            {"convolution"},
            {"memory_bandwidth"},
            {"launch_overhead"}};
}

// The suite full: workloads that are swept, or included with additional options. Each replaces the default entry.
std::vector<SuiteEntry> sweepsAndVariants() {
    return {{"mnist_mlp", 0, kBatches | kThreads | kIsas},
            {"mnist_cnn", 0, kBatches | kThreads | kIsas},
            {"cifar10_cnn", 0, kThreads | kIsas},
            {"imdb_bilstm", 0, kThreads | kIsas},
            {"text_lstm", 0, kThreads | kIsas},
            {"fcn_s", 0, kBatches | kThreads | kPrecisions},
            {"fcn_r", 0, kBatches | kThreads | kIsas | kPrecisions},
            {"alexnet_s", 0, kBatches | kThreads | kPrecisions},
            {"alexnet_r", 0, kBatches | kThreads},
            {"resnet50", 0, kBatches | kThreads | kPrecisions},
            {"resnet56", 0, kBatches | kThreads | kPrecisions},
            {"lstm_ptb", 0, kBatches | kThreads | kPrecisions},
            {"lstm_ptb(steps=64)"},
            {"flowers_xception", 0, kBatches},
            {"flowers_vgg16", 0, kBatches},
            {"flowers_resnet50", 0, kBatches},
            {"paradnn_fc", 0, kBatches | kPrecisions},
            {"paradnn_fc(layers=32,nodes=2048)"},
            {"paradnn_cnn", 0, kBatches},
            {"paradnn_cnn(block=bottleneck,filters=64,input=200)"},
            {"paradnn_rnn"},
            {"paradnn_rnn(cell=gru)"},
            {"vgg16", 0, kPrecisions},
            {"mobilenet_v2", 0, kPrecisions},
            {"vit_b16", 0, kPrecisions},
            {"bert_base_128", 0, kPrecisions},
            {"bert_base_384", 0, kPrecisions},
            {"gpt2_small", 0, kPrecisions},
            {"gpt2_small_prefill", 0, kPrecisions},
            {"gpt2_small_decode", 0, kBatches | kPrecisions},
            {"gemm(m=512,n=512,k=512)"},
            {"gemm(m=1024,n=1024,k=1024)"},
            {"gemm", 0, kThreads | kIsas | kKernels | kPrecisions},
            {"gemm(form=nt)", 0, kKernels | kPrecisions},
            {"gemm(form=tn)", 0, kKernels | kPrecisions},
            {"gemm(m=4096,n=4096,k=4096)"},
            {"gemm(m=8192,n=8192,k=8192)"},
            // A shape from the study, which found OpenBLAS three times slower.
            {"gemm(m=1024,k=26752)", 0, kKernels},
            {"gemm(form=nt,m=1024,k=26752)", 0, kKernels},
            {"gemm(form=tn,m=1024,k=26752)", 0, kKernels},
            {"convolution", 0, kThreads | kIsas | kPrecisions},
            {"convolution(size=14,channels=256,filters=256)"},
            {"convolution(size=28,channels=128,filters=512,radius=0)"},
            {"memory_bandwidth", 0, kThreads}};
}

// Every workload of the zoo, in order: with the entries above, otherwise once with its default batch.
std::vector<SuiteEntry> full() {
    const auto listed = sweepsAndVariants();
    std::vector<SuiteEntry> entries;
    for (const auto& workload : model::workloads()) {
        const auto before = entries.size();
        for (const auto& entry : listed)
            if (entry.workload.substr(0, entry.workload.find('(')) == workload.id) entries.push_back(entry);
        if (entries.size() == before) entries.push_back({workload.id});
    }
    return entries;
}

// The networks that the study distributed over devices, with its batch sizes.
std::vector<SuiteEntry> scaling() {
    return {{"fcn_r", 4096}, {"alexnet_r", 1024}, {"resnet56", 128}};
}

// Decoding in each common format, after a long context, prompts, and generation: about three minutes on two cores.
std::vector<SuiteEntry> language() {
    return {{"smollm2_135m(mode=decode,weights=q4_0,context=128)"},
            {"qwen3_0_6b(mode=decode,weights=q4_0,context=128)"},
            {"qwen3_0_6b(mode=prefill,weights=q4_0,prompt=512)"},
            {"llama_3_2_1b(mode=decode,weights=q4_0,context=128)"},
            {"llama_3_2_1b(mode=decode,weights=q4_k_m,context=128)"},
            {"llama_3_2_1b(mode=decode,weights=q8_0,context=128)"},
            {"llama_3_2_1b(mode=decode,weights=bf16,context=128)"},
            {"llama_3_2_1b(mode=decode,weights=q4_0,context=4096)"},
            {"llama_3_2_1b(mode=prefill,weights=q4_0,prompt=512)"},
            {"llama_3_2_1b(mode=prefill,weights=q8_0,prompt=512)"},
            {"llama_3_2_1b(mode=generate,weights=q4_0,prompt=128,tokens=64)"},
            {"memory_bandwidth"}};
}

}  // namespace

const std::vector<SuiteDefinition>& suiteDefinitions() {
    static const std::vector<SuiteDefinition> all{
        {"quick", "Quick: a small case of each family", 3, 115, quick()},
        {"standard", "Standard: the networks of the studies at their own batch", 10, 0, standard()},
        {"full", "Full: every network, with sweeps over batch, threads, precision and instruction set", 20, 0, full()},
        {"scaling", "Scaling: one network on several GPUs, and one on each", 10, 0, scaling()},
        {"language", "Language models: prompts and tokens in the usual formats", 10, 0, language()}};
    return all;
}

}  // namespace steelyard::bench
