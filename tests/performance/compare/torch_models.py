# SPDX-License-Identifier: Apache-2.0
"""PyTorch versions of the networks in engine/model/zoo, with their optimisers, for compare_pytorch.py.

Each entry: builder of the module, builder of one batch (inputs, labels), builder of the optimiser. The parameter count is
compared with `steelyard-cli show`, so that both sides time the same network.
"""
import torch
import torch.nn.functional as F

from torch_imagenet import (BasicBlock, Bottleneck, alexnet, flowers_vgg16, inception_v3, mobilenet_v2, resnet, vgg,
                            xception)
from torch_small import (BiLstm, FastText, ParadnnRnn, PtbLstm, TextGenerator, TextLstm, alexnet_r, alexnet_s, cifar10_cnn,
                         fcn, mnist_cnn, mnist_mlp, paradnn_cnn, paradnn_fc, resnet56, with_auxiliary)
from torch_transformers import (BertAnswerer, BertClassifier, Gpt2, Gpt2Decode, Gpt2Prefill, Vit, begin_and_end)


class Workload:
    """second_biases: additional parameters, since PyTorch's LSTM has two bias vectors per gate. clip: maximum norm of all
    gradients together."""

    def __init__(self, model, batch, optimizer, loss=F.cross_entropy, second_biases=0, clip=None, infer_only=False):
        self.model, self.batch, self.optimizer, self.loss = model, batch, optimizer, loss
        self.second_biases, self.clip, self.infer_only = second_biases, clip, infer_only


# Batches ------------------------------------------------------------------------------------------------------------

def images(channels, size, classes):
    return lambda n: (torch.randn(n, channels, size, size), torch.randint(0, classes, (n,)))


def vectors(features, classes):
    return lambda n: (torch.randn(n, features), torch.randint(0, classes, (n,)))


def tokens(length, vocabulary, classes, per_token=False):
    return lambda n: (torch.randint(0, vocabulary, (n, length)), torch.randint(0, classes, (n, length) if per_token else (n,)))


def sequences(length, features, classes):
    return lambda n: (torch.randn(n, length, features), torch.randint(0, classes, (n,)))


# Optimisers and losses ----------------------------------------------------------------------------------------------

def rmsprop(rate=1e-3, epsilon=1e-8):
    return lambda parameters: torch.optim.RMSprop(parameters, lr=rate, alpha=0.9, eps=epsilon)


def adadelta(parameters):
    return torch.optim.Adadelta(parameters, lr=1.0, rho=0.95)


def sgd(rate, momentum=0.0, decay=0.0):
    return lambda parameters: torch.optim.SGD(parameters, lr=rate, momentum=momentum, weight_decay=decay)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=1e-3)


def binary(output, labels):
    return F.binary_cross_entropy_with_logits(output.squeeze(-1), labels.float())


def per_token(output, labels):
    return F.cross_entropy(output.flatten(0, 1), labels.flatten())


WORKLOADS = {
    "mnist_mlp": Workload(mnist_mlp, vectors(784, 10), rmsprop()),
    "mnist_cnn": Workload(mnist_cnn, images(1, 28, 10), adadelta),
    "cifar10_cnn": Workload(cifar10_cnn, images(3, 32, 10), rmsprop(1e-4)),
    "imdb_fasttext": Workload(FastText, tokens(400, 1_200_000, 2), adam, binary),
    "imdb_bilstm": Workload(BiLstm, tokens(100, 20_000, 2), adam, binary, 2 * 4 * 64),
    "text_lstm": Workload(TextLstm, sequences(40, 57, 57), rmsprop(0.01), second_biases=4 * 128),
    "text_generator": Workload(TextGenerator, tokens(40, 57, 57), adam, with_auxiliary, 4 * 128),
    "fcn_s": Workload(fcn(26752, 2048, 2048, 2048, 26752), vectors(26752, 26752), sgd(0.01)),
    "fcn_r": Workload(fcn(784, 2048, 4096, 1024, 10), vectors(784, 10), sgd(0.05, 0.9)),
    "alexnet_s": Workload(alexnet_s, images(3, 224, 1000), sgd(0.01)),
    "alexnet_r": Workload(alexnet_r, images(3, 32, 10), sgd(0.01, 0.9)),
    "resnet56": Workload(resnet56, images(3, 32, 10), sgd(0.01, 0.9, 1e-4)),
    "lstm_ptb": Workload(PtbLstm, tokens(32, 10_000, 10_000, True), sgd(0.1), per_token, 2 * 4 * 256, clip=5.0),
    "paradnn_fc": Workload(paradnn_fc, vectors(2000, 200), rmsprop(0.1, 1.0)),
    "paradnn_cnn": Workload(paradnn_cnn, images(3, 100, 500), rmsprop(0.1, 1.0)),
    "paradnn_rnn": Workload(ParadnnRnn, tokens(50, 1024, 1024, True), rmsprop(0.1, 1.0), per_token, 5 * 4 * 100),
    "flowers_vgg16": Workload(flowers_vgg16, images(3, 331, 5), adam),
    "flowers_resnet50": Workload(resnet(Bottleneck, (3, 4, 6, 3), 5, keras=True), images(3, 331, 5), adam),
    "flowers_xception": Workload(xception(5), images(3, 331, 5), adam),
    "resnet18": Workload(resnet(BasicBlock, (2, 2, 2, 2)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet34": Workload(resnet(BasicBlock, (3, 4, 6, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet50": Workload(resnet(Bottleneck, (3, 4, 6, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet101": Workload(resnet(Bottleneck, (3, 4, 23, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet152": Workload(resnet(Bottleneck, (3, 8, 36, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "alexnet": Workload(alexnet, images(3, 224, 1000), sgd(0.01, 0.9)),
    "vgg16": Workload(vgg((2, 2, 3, 3, 3)), images(3, 224, 1000), sgd(0.01, 0.9)),
    "vgg19": Workload(vgg((2, 2, 4, 4, 4)), images(3, 224, 1000), sgd(0.01, 0.9)),
    "inception_v3": Workload(inception_v3, images(3, 299, 1000), sgd(0.01, 0.9)),
    "xception": Workload(xception(1000), images(3, 299, 1000), sgd(0.01, 0.9)),
    "mobilenet_v2": Workload(mobilenet_v2, images(3, 224, 1000), sgd(0.01, 0.9)),
    "vit_b16": Workload(Vit, images(3, 224, 1000), adam),
    "bert_base_128": Workload(lambda: BertClassifier(128), tokens(128, 30522, 2), adam, clip=1.0),
    "bert_base_384": Workload(lambda: BertAnswerer(384), tokens(384, 30522, 384), adam, begin_and_end, clip=1.0),
    "bert_large_128": Workload(
        lambda: BertClassifier(128, 1024, layers=24, heads=16), tokens(128, 30522, 2), adam, clip=1.0),
    "bert_large_384": Workload(
        lambda: BertAnswerer(384, 1024, layers=24, heads=16), tokens(384, 30522, 384), adam, begin_and_end, clip=1.0),
    "gpt2_small_prefill": Workload(Gpt2Prefill, tokens(1024, 50257, 50257), adam, infer_only=True),
    "gpt2_small_decode": Workload(Gpt2Decode, tokens(1, 50257, 50257), adam, infer_only=True),
    "gpt2_small": Workload(Gpt2, tokens(1024, 50257, 50257, True), adam, per_token),
}
