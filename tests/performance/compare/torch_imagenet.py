# SPDX-License-Identifier: Apache-2.0
"""PyTorch versions of the image networks in engine/model/zoo: ImageNet sizes and flowers."""
import torch
import torch.nn.functional as F
from torch import nn

KERAS_NORM = {"eps": 1e-3, "momentum": 0.01}


def batch_norm(channels, keras=False):
    return nn.BatchNorm2d(channels, **(KERAS_NORM if keras else {}))


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, channels_in, width, stride, project=False):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels_in, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.shortcut = projection(channels_in, width, stride, always=project)

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


class Bottleneck(nn.Module):
    """keras: convolutions with bias, the stride in the first one, Keras's batch normalisation."""

    expansion = 4

    def __init__(self, channels_in, width, stride, keras=False):
        super().__init__()
        first, second = (stride, 1) if keras else (1, stride)
        self.body = nn.Sequential(
            nn.Conv2d(channels_in, width, 1, first, bias=keras), batch_norm(width, keras), nn.ReLU(),
            nn.Conv2d(width, width, 3, second, 1, bias=keras), batch_norm(width, keras), nn.ReLU(),
            nn.Conv2d(width, 4 * width, 1, bias=keras), batch_norm(4 * width, keras))
        self.shortcut = projection(channels_in, 4 * width, stride, keras)

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


def projection(channels_in, channels, stride, keras=False, always=False):
    if channels_in == channels and stride == 1 and not always:
        return nn.Identity()
    return nn.Sequential(nn.Conv2d(channels_in, channels, 1, stride, bias=keras), batch_norm(channels, keras))


def resnet(block, counts, classes=1000, **style):
    keras = style.get("keras", False)

    def build():
        layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=keras), batch_norm(64, keras), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        channels = 64
        for stage, count in enumerate(counts):
            width = 64 << stage
            for i in range(count):
                layers.append(block(channels, width, 2 if stage and not i else 1, **style))
                channels = width * block.expansion
        return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))
    return build


def vgg_features(counts):
    layers, channels = [], 3
    for width, count in zip((64, 128, 256, 512, 512), counts):
        for _ in range(count):
            layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU()]
            channels = width
        layers.append(nn.MaxPool2d(2))
    return layers


def flowers_vgg16():
    return nn.Sequential(*vgg_features((2, 2, 3, 3, 3)), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 5))


def vgg(counts):
    def build():
        return nn.Sequential(
            *vgg_features(counts), nn.Flatten(), nn.Linear(25088, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU(),
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


def conv_norm(channels_in, channels, size, stride=1, padding=0, norm=KERAS_NORM):
    return [nn.Conv2d(channels_in, channels, size, stride, padding, bias=False), nn.BatchNorm2d(channels, **norm)]


# Inception ----------------------------------------------------------------------------------------------------------

class Columns(nn.Module):
    """Parallel branches on the same image, concatenated along the channels."""

    def __init__(self, *columns):
        super().__init__()
        self.columns = nn.ModuleList(columns)

    def forward(self, x):
        return torch.cat([column(x) for column in self.columns], 1)


def column(channels_in, *layers):
    """Specifications of convolutions: filters, size, and stride and padding if not 1 and 0."""
    made = []
    for filters, size, *rest in layers:
        stride, padding = rest + [1, 0][len(rest):]
        made += [*conv_norm(channels_in, filters, size, stride, padding, norm={"eps": 1e-3}), nn.ReLU()]
        channels_in = filters
    return nn.Sequential(*made)


def wide(filters, length):
    return filters, (1, length), 1, (0, length // 2)


def tall(filters, length):
    return filters, (length, 1), 1, (length // 2, 0)


def smoothed(channels, filters):
    return nn.Sequential(nn.AvgPool2d(3, 1, 1), column(channels, (filters, 1)))


def inception_fine(c, pooled):
    return Columns(column(c, (64, 1)), column(c, (48, 1), (64, 5, 1, 2)),
                   column(c, (64, 1), (96, 3, 1, 1), (96, 3, 1, 1)), smoothed(c, pooled))


def inception_middle(c, f):
    return Columns(column(c, (192, 1)), column(c, (f, 1), wide(f, 7), tall(192, 7)),
                   column(c, (f, 1), tall(f, 7), wide(f, 7), tall(f, 7), wide(192, 7)), smoothed(c, 192))


def inception_coarse(c):
    def split():
        return Columns(column(384, wide(384, 3)), column(384, tall(384, 3)))

    return Columns(column(c, (320, 1)), nn.Sequential(column(c, (384, 1)), split()),
                   nn.Sequential(column(c, (448, 1), (384, 3, 1, 1)), split()), smoothed(c, 192))


def inception_v3():
    layers = [column(3, (32, 3, 2), (32, 3), (64, 3, 1, 1)), nn.MaxPool2d(3, 2), column(64, (80, 1), (192, 3)),
              nn.MaxPool2d(3, 2)]
    layers += [inception_fine(192, 32), inception_fine(256, 64), inception_fine(288, 64)]
    layers.append(Columns(column(288, (384, 3, 2)), column(288, (64, 1), (96, 3, 1, 1), (96, 3, 2)), nn.MaxPool2d(3, 2)))
    layers += [inception_middle(768, f) for f in (128, 160, 160, 192)]
    layers.append(Columns(column(768, (192, 1), (320, 3, 2)),
                          column(768, (192, 1), wide(192, 7), tall(192, 7), (192, 3, 2)), nn.MaxPool2d(3, 2)))
    layers += [inception_coarse(1280), inception_coarse(2048)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.5), nn.Linear(2048, 1000))


# Xception -----------------------------------------------------------------------------------------------------------

def separable(channels_in, channels):
    return [nn.Conv2d(channels_in, channels_in, 3, 1, 1, groups=channels_in, bias=False), *conv_norm(channels_in, channels, 1)]


class SamePool(nn.Module):
    """3x3 with stride 2, padded like Keras's "same": only at the end for even sizes."""

    def forward(self, x):
        return F.max_pool2d(x, 3, 2, 1) if x.shape[-1] % 2 else F.max_pool2d(x, 3, 2, 0, ceil_mode=True)


class XceptionBlock(nn.Module):
    def __init__(self, body, shortcut):
        super().__init__()
        self.body, self.shortcut = nn.Sequential(*body), nn.Sequential(*shortcut)

    def forward(self, x):
        return self.body(x) + self.shortcut(x)


def downsampling(channels_in, first, channels, relu_first=True):
    body = [nn.ReLU()] if relu_first else []
    body += [*separable(channels_in, first), nn.ReLU(), *separable(first, channels), SamePool()]
    return XceptionBlock(body, conv_norm(channels_in, channels, 1, 2))


def xception(classes):
    def build():
        layers = [*conv_norm(3, 32, 3, 2), nn.ReLU(), *conv_norm(32, 64, 3), nn.ReLU()]
        layers += [downsampling(64, 128, 128, relu_first=False), downsampling(128, 256, 256), downsampling(256, 728, 728)]
        for _ in range(8):
            body = []
            for _ in range(3):
                body += [nn.ReLU(), *separable(728, 728)]
            layers.append(XceptionBlock(body, []))
        layers += [downsampling(728, 728, 1024), *separable(1024, 1536), nn.ReLU(), *separable(1536, 2048), nn.ReLU()]
        return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, classes))
    return build
