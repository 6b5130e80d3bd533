# SPDX-License-Identifier: Apache-2.0
"""The networks of engine/model/zoo in PyTorch, with their optimisers, for compare_pytorch.py.

Each entry: builder of the module, builder of one batch (inputs, labels), builder of the optimiser. The parameter count is
compared with `steelyard-cli show`, so that both sides time the same network.
"""
import torch
import torch.nn.functional as F
from torch import nn


class Workload:
    """second_biases: PyTorch's LSTM has two bias vectors per gate where one is enough; how many more parameters.
    clip: largest norm of all gradients together."""

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

def rmsprop(rate=1e-3):
    return lambda parameters: torch.optim.RMSprop(parameters, lr=rate, alpha=0.9)


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


# Woolf 2017 ---------------------------------------------------------------------------------------------------------

def mnist_mlp():
    return nn.Sequential(
        nn.Linear(784, 512), nn.ReLU(), nn.Dropout(0.2), nn.Linear(512, 512), nn.ReLU(), nn.Dropout(0.2), nn.Linear(512, 10))


def mnist_cnn():
    return nn.Sequential(
        nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(),
        nn.Linear(9216, 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 10))


def cifar10_cnn():
    return nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 64, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25),
        nn.Flatten(), nn.Linear(2304, 512), nn.ReLU(), nn.Dropout(0.5), nn.Linear(512, 10))


class FastText(nn.Module):
    def __init__(self, vocabulary=1_200_000):
        super().__init__()
        self.table, self.out = nn.Embedding(vocabulary, 50), nn.Linear(50, 1)

    def forward(self, x):
        return self.out(self.table(x).mean(1))


class BiLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20_000, 128)
        self.lstm = nn.LSTM(128, 64, bidirectional=True, batch_first=True)
        self.drop, self.out = nn.Dropout(0.5), nn.Linear(128, 1)

    def forward(self, x):
        _, (hidden, _) = self.lstm(self.table(x))
        return self.out(self.drop(torch.cat([hidden[0], hidden[1]], 1)))


class TextLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.out = nn.LSTM(57, 128, batch_first=True), nn.Linear(128, 57)

    def forward(self, x):
        return self.out(self.lstm(x)[0][:, -1])


# dlbench ------------------------------------------------------------------------------------------------------------

def fcn(*sizes):
    def build():
        layers = []
        for fan_in, fan_out in zip(sizes[:-2], sizes[1:-1]):
            layers += [nn.Linear(fan_in, fan_out), nn.Sigmoid()]
        return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))
    return build


def alexnet_s():
    return nn.Sequential(
        nn.Conv2d(3, 96, 11, 4, 2), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Conv2d(96, 256, 5, padding=2), nn.ReLU(),
        nn.MaxPool2d(3, 2), nn.Conv2d(256, 384, 3, padding=1), nn.ReLU(), nn.Conv2d(384, 384, 3, padding=1), nn.ReLU(),
        nn.Conv2d(384, 256, 3, padding=1), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Flatten(), nn.Linear(9216, 4096), nn.ReLU(),
        nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 1000))


def alexnet_r():
    return nn.Sequential(
        nn.Conv2d(3, 32, 5, padding=2), nn.MaxPool2d(3, 2), nn.ReLU(), nn.Conv2d(32, 32, 5, padding=2), nn.ReLU(),
        nn.MaxPool2d(3, 2), nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.AvgPool2d(3, 2), nn.Flatten(), nn.Linear(576, 10))


class PtbLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10_000, 256)
        self.lstm = nn.LSTM(256, 256, 2, batch_first=True)
        self.out = nn.Linear(256, 10_000)

    def forward(self, x):
        return self.out(self.lstm(self.table(x))[0])


class CifarBlock(nn.Module):
    def __init__(self, channels_in, channels, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels_in, channels, 3, stride, 1), nn.BatchNorm2d(channels)
        self.conv2, self.bn2 = nn.Conv2d(channels, channels, 3, 1, 1), nn.BatchNorm2d(channels)
        self.stride, self.grow = stride, channels - channels_in

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        if self.grow:
            x = F.pad(x[:, :, ::self.stride, ::self.stride], (0, 0, 0, 0, self.grow // 2, self.grow // 2))
        return y + x


def resnet56():
    layers, channels = [nn.Conv2d(3, 16, 3, 1, 1), nn.BatchNorm2d(16), nn.ReLU()], 16
    for stage, width in enumerate((16, 32, 64)):
        for block in range(9):
            layers.append(CifarBlock(channels, width, 2 if stage and not block else 1))
            channels = width
    return nn.Sequential(*layers, nn.AvgPool2d(8), nn.Flatten(), nn.Linear(64, 10))


# ImageNet networks --------------------------------------------------------------------------------------------------

class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, channels_in, width, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels_in, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.shortcut = projection(channels_in, width, stride)

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(self, channels_in, width, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels_in, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width))
        self.shortcut = projection(channels_in, 4 * width, stride)

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


def projection(channels_in, channels, stride):
    if channels_in == channels and stride == 1:
        return nn.Identity()
    return nn.Sequential(nn.Conv2d(channels_in, channels, 1, stride, bias=False), nn.BatchNorm2d(channels))


def resnet(block, counts):
    def build():
        layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        channels = 64
        for stage, count in enumerate(counts):
            width = 64 << stage
            for i in range(count):
                layers.append(block(channels, width, 2 if stage and not i else 1))
                channels = width * block.expansion
        return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000))
    return build


def vgg(counts):
    def build():
        layers, channels = [], 3
        for width, count in zip((64, 128, 256, 512, 512), counts):
            for _ in range(count):
                layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU()]
                channels = width
            layers.append(nn.MaxPool2d(2))
        return nn.Sequential(
            *layers, nn.Flatten(), nn.Linear(25088, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU(),
            nn.Dropout(), nn.Linear(4096, 1000))
    return build


def alexnet():
    return nn.Sequential(
        nn.Conv2d(3, 64, 11, 4, 2), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Conv2d(64, 192, 5, padding=2), nn.ReLU(),
        nn.MaxPool2d(3, 2), nn.Conv2d(192, 384, 3, padding=1), nn.ReLU(), nn.Conv2d(384, 256, 3, padding=1), nn.ReLU(),
        nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Flatten(), nn.Dropout(),
        nn.Linear(9216, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 1000))


class InvertedResidual(nn.Module):
    def __init__(self, channels_in, channels, stride, expand):
        super().__init__()
        hidden = channels_in * expand
        layers = [] if expand == 1 else [nn.Conv2d(channels_in, hidden, 1, bias=False), nn.BatchNorm2d(hidden), nn.ReLU6()]
        layers += [nn.Conv2d(hidden, hidden, 3, stride, 1, groups=hidden, bias=False), nn.BatchNorm2d(hidden), nn.ReLU6(),
                   nn.Conv2d(hidden, channels, 1, bias=False), nn.BatchNorm2d(channels)]
        self.body, self.add = nn.Sequential(*layers), stride == 1 and channels_in == channels

    def forward(self, x):
        return x + self.body(x) if self.add else self.body(x)


def mobilenet_v2():
    layers, channels = [nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU6()], 32
    for expand, width, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(count):
            layers.append(InvertedResidual(channels, width, stride if not i else 1, expand))
            channels = width
    return nn.Sequential(
        *layers, nn.Conv2d(320, 1280, 1, bias=False), nn.BatchNorm2d(1280), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Dropout(0.2), nn.Linear(1280, 1000))


# Transformers -------------------------------------------------------------------------------------------------------

class Attention(nn.Module):
    def __init__(self, width, heads, causal):
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads, self.causal = heads, causal

    def forward(self, x):
        n, t, width = x.shape
        q, k, v = self.qkv(x).view(n, t, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=self.causal).transpose(1, 2).reshape(n, t, width))


class Block(nn.Module):
    """norm_first: ViT and GPT-2; otherwise BERT."""

    def __init__(self, width, heads, causal, norm_first, dropout, gelu, epsilon):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Attention(width, heads, causal), nn.LayerNorm(width, epsilon), nn.LayerNorm(width, epsilon)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(gelu), nn.Linear(4 * width, width))
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(self, x):
        if self.norm_first:
            x = x + self.drop(self.attention(self.norm1(x)))
            return x + self.drop(self.mlp(self.norm2(x)))
        x = self.norm1(x + self.drop(self.attention(x)))
        return self.norm2(x + self.drop(self.mlp(x)))


class Gpt2(nn.Module):
    def __init__(self, width=768, layers=12, heads=12, length=1024, vocabulary=50257):
        super().__init__()
        self.table, self.position = nn.Embedding(vocabulary, width), nn.Parameter(torch.randn(length, width) * 0.02)
        self.blocks = nn.Sequential(*[Block(width, heads, True, True, 0.1, "tanh", 1e-5) for _ in range(layers)])
        self.drop, self.norm = nn.Dropout(0.1), nn.LayerNorm(width)

    def forward(self, x):
        y = self.blocks(self.drop(self.table(x) + self.position[: x.shape[1]]))
        return F.linear(self.norm(y), self.table.weight)


class Gpt2Prefill(Gpt2):
    """Reads a text, answers with the next token only."""

    def forward(self, x):
        y = self.blocks(self.drop(self.table(x) + self.position[: x.shape[1]]))
        return F.linear(self.norm(y[:, -1]), self.table.weight)


class CachedAttention(nn.Module):
    """One token more, behind the keys and values of `cached` earlier ones, which lie where its own are written."""

    def __init__(self, attention, cached):
        super().__init__()
        self.qkv, self.out, self.heads, self.cached, self.cache = attention.qkv, attention.out, attention.heads, cached, None

    def forward(self, x):
        n, _, width = x.shape
        q, k, v = self.qkv(x).view(n, 1, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        if self.cache is None:
            self.cache = torch.randn(2, n, self.heads, self.cached + 1, width // self.heads, device=k.device, dtype=k.dtype)
        self.cache[0, :, :, self.cached], self.cache[1, :, :, self.cached] = k[:, :, 0], v[:, :, 0]
        return self.out(F.scaled_dot_product_attention(q, self.cache[0], self.cache[1]).transpose(1, 2).reshape(n, 1, width))


class Gpt2Decode(Gpt2):
    def __init__(self, cached=1023):
        super().__init__()
        self.cached = cached
        for block in self.blocks:
            block.attention = CachedAttention(block.attention, cached)

    def forward(self, x):
        y = self.blocks(self.table(x) + self.position[self.cached : self.cached + 1])
        return F.linear(self.norm(y[:, -1]), self.table.weight)


class Bert(nn.Module):
    """BERT-Base for classification in two classes."""

    def __init__(self, length, width=768, layers=12, heads=12, vocabulary=30522):
        super().__init__()
        self.table, self.types = nn.Embedding(vocabulary, width), nn.Parameter(torch.randn(2, width) * 0.02)
        self.position, self.length = nn.Parameter(torch.randn(512, width) * 0.02), length
        self.norm, self.drop = nn.LayerNorm(width, 1e-12), nn.Dropout(0.1)
        self.blocks = nn.Sequential(*[Block(width, heads, False, False, 0.1, "none", 1e-12) for _ in range(layers)])
        self.pooler, self.out = nn.Linear(width, width), nn.Linear(width, 2)

    def forward(self, x):
        y = self.table(x) + self.types[0] + self.position[: self.length]
        y = self.blocks(self.drop(self.norm(y)))
        return self.out(self.drop(torch.tanh(self.pooler(y[:, 0]))))


class Vit(nn.Module):
    def __init__(self, width=768, layers=12, heads=12):
        super().__init__()
        self.patches, self.token = nn.Conv2d(3, width, 16, 16), nn.Parameter(torch.zeros(1, 1, width))
        self.position = nn.Parameter(torch.randn(197, width) * 0.02)
        self.blocks = nn.Sequential(*[Block(width, heads, False, True, 0.0, "none", 1e-6) for _ in range(layers)])
        self.norm, self.out = nn.LayerNorm(width, 1e-6), nn.Linear(width, 1000)

    def forward(self, x):
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.token.expand(y.shape[0], -1, -1).to(y.dtype), y], 1) + self.position
        return self.out(self.norm(self.blocks(y))[:, 0])


WORKLOADS = {
    "mnist_mlp": Workload(mnist_mlp, vectors(784, 10), rmsprop()),
    "mnist_cnn": Workload(mnist_cnn, images(1, 28, 10), adadelta),
    "cifar10_cnn": Workload(cifar10_cnn, images(3, 32, 10), rmsprop(1e-4)),
    "imdb_fasttext": Workload(FastText, tokens(400, 1_200_000, 2), adam, binary),
    "imdb_bilstm": Workload(BiLstm, tokens(100, 20_000, 2), adam, binary, 2 * 4 * 64),
    "text_lstm": Workload(TextLstm, sequences(40, 57, 57), rmsprop(0.01), second_biases=4 * 128),
    "fcn_s": Workload(fcn(26752, 2048, 2048, 2048, 26752), vectors(26752, 26752), sgd(0.01)),
    "fcn_r": Workload(fcn(784, 2048, 4096, 1024, 10), vectors(784, 10), sgd(0.05, 0.9)),
    "alexnet_s": Workload(alexnet_s, images(3, 224, 1000), sgd(0.01)),
    "alexnet_r": Workload(alexnet_r, images(3, 32, 10), sgd(0.01, 0.9)),
    "resnet56": Workload(resnet56, images(3, 32, 10), sgd(0.01, 0.9, 1e-4)),
    "lstm_ptb": Workload(PtbLstm, tokens(32, 10_000, 10_000, True), sgd(0.1), per_token, 2 * 4 * 256, clip=5.0),
    "resnet18": Workload(resnet(BasicBlock, (2, 2, 2, 2)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet34": Workload(resnet(BasicBlock, (3, 4, 6, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet50": Workload(resnet(Bottleneck, (3, 4, 6, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet101": Workload(resnet(Bottleneck, (3, 4, 23, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "resnet152": Workload(resnet(Bottleneck, (3, 8, 36, 3)), images(3, 224, 1000), sgd(0.1, 0.9)),
    "alexnet": Workload(alexnet, images(3, 224, 1000), sgd(0.01, 0.9)),
    "vgg16": Workload(vgg((2, 2, 3, 3, 3)), images(3, 224, 1000), sgd(0.01, 0.9)),
    "vgg19": Workload(vgg((2, 2, 4, 4, 4)), images(3, 224, 1000), sgd(0.01, 0.9)),
    "mobilenet_v2": Workload(mobilenet_v2, images(3, 224, 1000), sgd(0.01, 0.9)),
    "vit_b16": Workload(Vit, images(3, 224, 1000), adam),
    "bert_base_128": Workload(lambda: Bert(128), tokens(128, 30522, 2), adam, clip=1.0),
    "gpt2_small_prefill": Workload(Gpt2Prefill, tokens(1024, 50257, 50257), adam, infer_only=True),
    "gpt2_small_decode": Workload(Gpt2Decode, tokens(1, 50257, 50257), adam, infer_only=True),
    "gpt2_small": Workload(Gpt2, tokens(1024, 50257, 50257, True), adam, per_token),
}
