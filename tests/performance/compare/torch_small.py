# SPDX-License-Identifier: Apache-2.0
"""PyTorch versions of the small networks in engine/model/zoo: M. Woolf's, dlbench's and ParaDnn's."""
import torch
import torch.nn.functional as F
from torch import nn

from torch_imagenet import KERAS_NORM, BasicBlock

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


class TextGenerator(nn.Module):
    """Trained with an auxiliary output, which is omitted at inference."""

    def __init__(self):
        super().__init__()
        self.table, self.lstm = nn.Embedding(57, 300), nn.LSTM(300, 128, batch_first=True)
        self.auxiliary = nn.Linear(128, 57)
        self.out = nn.Sequential(
            nn.Linear(128, 512, bias=False), nn.BatchNorm1d(512, **KERAS_NORM), nn.ReLU(),
            nn.Linear(512, 256, bias=False), nn.BatchNorm1d(256, **KERAS_NORM), nn.ReLU(), nn.Linear(256, 57))

    def forward(self, x):
        last = self.lstm(self.table(x))[0][:, -1]
        return (self.out(last), self.auxiliary(last)) if self.training else self.out(last)


def with_auxiliary(outputs, labels):
    return F.cross_entropy(outputs[0], labels) + 0.2 * F.cross_entropy(outputs[1], labels)


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


# ParaDnn ------------------------------------------------------------------------------------------------------------

def paradnn_fc():
    layers, features = [], 2000
    for _ in range(4):
        layers += [nn.Linear(features, 1024), nn.ReLU()]
        features = 1024
    return nn.Sequential(*layers, nn.Linear(1024, 200))


def paradnn_cnn():
    layers, channels = [nn.Conv2d(3, 16, 7, 2, 3, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 16
    for stage in range(4):
        layers.append(BasicBlock(channels, 16 << stage, 2 if stage else 1, project=True))
        channels = 16 << stage
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 500))


class ParadnnRnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.lstm = nn.Embedding(1024, 100), nn.LSTM(100, 100, 5, batch_first=True)
        self.out = nn.Linear(100, 1024)

    def forward(self, x):
        return self.out(self.lstm(self.table(x))[0])
