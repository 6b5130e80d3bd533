# SPDX-License-Identifier: Apache-2.0
"""The networks with published speeds, as lists of operations with sizes per sample.

Contains what the predictor needs: kind, FLOPs, elements read and written, parameters, output channels per group, reduction
length, sequential steps. Networks of the zoo are included: a test compares both descriptions.
"""
import math


class Network:
    """Operations in order; each method adds one and returns the shape of its result."""

    def __init__(self, family, optimizer_tensors=1):
        self.family = family
        self.in_place = True  # activations and additions run in place
        self.optimizer_tensors = optimizer_tensors
        self.operations = []

    def put(self, kind, flops=0, inputs=0, outputs=0, parameters=0, channels=0, reduction=0, steps=1, scores=0, scores_only=False, kept=True):
        self.operations.append((kind, flops, inputs, outputs, scores, parameters, channels, reduction, steps, scores_only, kept))

    def conv(self, shape, filters, kernel, stride=1, padding=None, groups=1, bias=False):
        c, h, w = shape
        kh, kw = (kernel, kernel) if isinstance(kernel, int) else kernel
        if padding is None:
            padding = (kh // 2, kw // 2)
        ph, pw = (padding, padding) if isinstance(padding, int) else padding
        oh, ow = (h + 2 * ph - kh) // stride + 1, (w + 2 * pw - kw) // stride + 1
        taps = c // groups * kh * kw
        if groups == c and groups > 1:
            kind = "depthwise"
        elif (kh, kw) == (1, 1):
            kind = "conv1x1"
        elif (kh, kw, stride, groups) == (3, 3, 1, 1):
            kind = "conv3x3"
        else:
            kind = "conv"
        out = filters * oh * ow
        self.put(kind, 2 * out * taps, c * h * w, out, filters * taps + (filters if bias else 0), filters // groups, taps)
        return filters, oh, ow

    def batch_norm(self, shape):
        size = math.prod(shape)
        self.put("batch_norm", 0, size, size, 2 * shape[0])
        return shape

    def relu(self, shape):
        size = math.prod(shape)
        self.put("activation", 0, size, size, kept=not self.in_place)
        return shape

    def conv_norm_relu(self, shape, filters, kernel, stride=1, padding=None, groups=1, relu=True):
        shape = self.batch_norm(self.conv(shape, filters, kernel, stride, padding, groups))
        return self.relu(shape) if relu else shape

    def conv_relu(self, shape, filters, kernel, stride=1, padding=None):
        return self.relu(self.conv(shape, filters, kernel, stride, padding, bias=True))

    def add(self, shape):
        size = math.prod(shape)
        self.put("add", 0, 2 * size, size, kept=not self.in_place)
        return shape

    def concat(self, shape):
        size = math.prod(shape)
        self.put("concat", 0, size, size)
        return shape

    def dropout(self, size):
        self.put("dropout", 0, size, size, kept=False)

    def pool(self, shape, kernel, stride, padding=0, ceil=False):
        rounded = math.ceil if ceil else math.floor
        c, h, w = shape
        out = (c, rounded((h + 2 * padding - kernel) / stride) + 1, rounded((w + 2 * padding - kernel) / stride) + 1)
        self.put("pool", 0, math.prod(shape), math.prod(out))
        return out

    def global_pool(self, shape):
        self.put("pool", 0, math.prod(shape), shape[0])
        return shape[0]

    def dense(self, inputs, outputs, rows=1, bias=True):
        self.put("matmul", 2 * inputs * outputs * rows, inputs * rows, outputs * rows, inputs * outputs + (outputs if bias else 0), outputs, inputs)
        return outputs

    def loss(self, size):
        self.put("loss", 0, size, size)
        return self

    def classifier(self, shape, classes=1000):
        self.dense(self.global_pool(shape), classes)
        return self.loss(classes)

    def squeeze_excite(self, shape, squeezed):
        c = shape[0]
        self.global_pool(shape)
        self.conv((c, 1, 1), squeezed, 1, bias=True)
        self.relu((squeezed,))
        self.conv((squeezed, 1, 1), c, 1, bias=True)
        self.relu((c,))
        size = math.prod(shape)
        self.put("scale", 0, size, size)

    def layer_norm(self, size, width):
        self.put("layer_norm", 0, size, size, 2 * width)

    def gelu(self, size):
        self.put("activation", 0, size, size)

    def attention(self, tokens, width, heads):
        size, scores, head = tokens * width, heads * tokens * tokens, width // heads
        flops = 2 * tokens * tokens * width
        self.put("batched_matmul", flops, 2 * size, scores, 0, tokens, head, scores=scores)
        self.put("activation", 0, scores, scores, scores_only=True, kept=False)
        self.put("softmax", 0, scores, scores, scores_only=True)
        self.put("dropout", 0, scores, scores, scores_only=True, kept=False)
        self.put("batched_matmul", flops, size + scores, size, 0, head, tokens, scores=scores)


def resnet_basic(layers, image):
    net = Network("resnet")
    shape = net.pool(net.conv_norm_relu((3, image, image), 64, 7, 2, 3), 3, 2, 1)
    for stage, count in enumerate(layers):
        width = 64 * 2**stage
        for block in range(count):
            stride = 2 if stage > 0 and block == 0 else 1
            before = shape
            shape = net.conv_norm_relu(shape, width, 3, stride)
            shape = net.conv_norm_relu(shape, width, 3, relu=False)
            if before[0] != width:
                net.conv_norm_relu(before, width, 1, stride, relu=False)
            net.relu(net.add(shape))
    return net.classifier(shape)


def resnet(layers, image, width=64, groups=1, deep_stem=False, average_shortcut=False, squeeze=False, pre_activation=False):
    net = Network("resnet")
    # With pre-activation the sum is read by the branch and by the shortcut: nothing may run in place.
    net.in_place = not pre_activation
    shape = (3, image, image)
    if deep_stem:
        shape = net.conv_norm_relu(net.conv_norm_relu(net.conv_norm_relu(shape, 32, 3, 2), 32, 3), 64, 3)
    else:
        shape = net.conv_norm_relu(shape, 64, 7, 2, 3)
    shape = net.pool(shape, 3, 2, 1)
    for stage, count in enumerate(layers):
        inner, outer = int(2**stage * width) * groups, 256 * 2**stage
        for block in range(count):
            stride = 2 if stage > 0 and block == 0 else 1
            before = shape
            shape = net.conv_norm_relu(shape, inner, 1)
            shape = net.conv_norm_relu(shape, inner, 3, stride, groups=groups)
            shape = net.conv_norm_relu(shape, outer, 1, relu=False)
            if squeeze:
                net.squeeze_excite(shape, outer // 16)
            if before[0] != outer:
                if average_shortcut and stride == 2:
                    before, stride = net.pool(before, 2, 2), 1
                net.conv_norm_relu(before, outer, 1, stride, relu=False)
            net.relu(net.add(shape))
    return net.classifier(shape)


def vgg(layers, norm=False):
    net = Network("vgg")
    shape = (3, 224, 224)
    for width, count in zip((64, 128, 256, 512, 512), layers):
        for _ in range(count):
            shape = net.conv(shape, width, 3, bias=True)
            if norm:
                net.batch_norm(shape)
            net.relu(shape)
        shape = net.pool(shape, 2, 2)
    inputs = math.prod(shape)
    for _ in range(2):
        inputs = net.dense(inputs, 4096)
        net.relu((4096,))
        net.dropout(4096)
    net.dense(inputs, 1000)
    return net.loss(1000)


def alexnet(image, padding):
    net = Network("alexnet")
    shape = net.pool(net.conv_relu((3, image, image), 64, 11, 4, padding), 3, 2)
    shape = net.pool(net.conv_relu(shape, 192, 5, 1, 2), 3, 2)
    shape = net.pool(net.conv_relu(net.conv_relu(net.conv_relu(shape, 384, 3), 256, 3), 256, 3), 3, 2)
    inputs = math.prod(shape)
    for _ in range(2):
        net.dropout(inputs)
        inputs = net.dense(inputs, 4096)
        net.relu((4096,))
    net.dense(inputs, 1000)
    return net.loss(1000)


def overfeat():
    net = Network("alexnet")
    shape = net.pool(net.conv_relu((3, 231, 231), 96, 11, 4, 0), 2, 2)
    shape = net.pool(net.conv_relu(shape, 256, 5, 1, 0), 2, 2)
    shape = net.pool(net.conv_relu(net.conv_relu(net.conv_relu(shape, 512, 3), 1024, 3), 1024, 3), 2, 2)
    inputs = math.prod(shape)
    for outputs in (3072, 4096):
        inputs = net.dense(inputs, outputs)
        net.relu((outputs,))
    net.dense(inputs, 1000)
    return net.loss(1000)


def inception_v1():
    net = Network("inception")
    shape = net.pool(net.conv_relu((3, 224, 224), 64, 7, 2, 3), 3, 2, 0, True)
    shape = net.pool(net.conv_relu(net.conv_relu(shape, 64, 1), 192, 3), 3, 2, 0, True)
    blocks = [(64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64), None, (192, 96, 208, 16, 48, 64), (160, 112, 224, 24, 64, 64),
              (128, 128, 256, 24, 64, 64), (112, 144, 288, 32, 64, 64), (256, 160, 320, 32, 128, 128), None,
              (256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128)]
    for block in blocks:
        if block is None:
            shape = net.pool(shape, 3, 2, 0, True)
            continue
        one, before3, three, before5, five, pooled = block
        net.conv_relu(shape, one, 1)
        net.conv_relu(net.conv_relu(shape, before3, 1), three, 3)
        net.conv_relu(net.conv_relu(shape, before5, 1), five, 5)
        net.conv_relu(net.pool(shape, 3, 1, 1), pooled, 1)
        shape = net.concat((one + three + five + pooled,) + shape[1:])
    return net.classifier(shape)


def inception_v3(image):
    net = Network("inception")

    def conv(shape, filters, kernel, stride=1, padding=0):
        return net.conv_norm_relu(shape, filters, kernel, stride, padding)

    def join(branches):
        return net.concat((sum(branch[0] for branch in branches),) + branches[0][1:])

    x = conv(conv(conv((3, image, image), 32, 3, 2), 32, 3), 64, 3, 1, 1)
    x = net.pool(conv(conv(net.pool(x, 3, 2), 80, 1), 192, 3), 3, 2)
    for pooled in (32, 64, 64):
        x = join([conv(x, 64, 1), conv(conv(x, 48, 1), 64, 5, 1, 2), conv(conv(conv(x, 64, 1), 96, 3, 1, 1), 96, 3, 1, 1),
                  conv(net.pool(x, 3, 1, 1), pooled, 1)])
    x = join([conv(x, 384, 3, 2), conv(conv(conv(x, 64, 1), 96, 3, 1, 1), 96, 3, 2), net.pool(x, 3, 2)])
    row, column = ((1, 7), 1, (0, 3)), ((7, 1), 1, (3, 0))
    for width in (128, 160, 160, 192):
        branches = [conv(x, 192, 1), conv(conv(conv(x, width, 1), width, *row), 192, *column)]
        long = conv(x, width, 1)
        for filters, kernel in ((width, column), (width, row), (width, column), (192, row)):
            long = conv(long, filters, *kernel)
        x = join(branches + [long, conv(net.pool(x, 3, 1, 1), 192, 1)])
    x = join([conv(conv(x, 192, 1), 320, 3, 2), conv(conv(conv(conv(x, 192, 1), 192, *row), 192, *column), 192, 3, 2), net.pool(x, 3, 2)])
    for _ in range(2):
        first = conv(x, 384, 1)
        second = conv(conv(x, 448, 1), 384, 3, 1, 1)
        split = [conv(base, 384, kernel, 1, padding) for base in (first, second) for kernel, padding in (((1, 3), (0, 1)), ((3, 1), (1, 0)))]
        x = join([conv(x, 320, 1)] + split + [conv(net.pool(x, 3, 1, 1), 192, 1)])
    return net.classifier(x)


def inverted_bottleneck(net, shape, filters, kernel, stride, expansion, squeezed=0):
    before, hidden = shape, shape[0] * expansion
    if expansion != 1:
        shape = net.conv_norm_relu(shape, hidden, 1)
    shape = net.conv_norm_relu(shape, hidden, kernel, stride, groups=hidden)
    if squeezed:
        net.squeeze_excite(shape, squeezed)
    shape = net.conv_norm_relu(shape, filters, 1, relu=False)
    if stride == 1 and before[0] == filters:
        net.add(shape)
    return shape


def mobilenet_v2(image):
    net = Network("mobile")
    shape = net.conv_norm_relu((3, image, image), 32, 3, 2)
    for expansion, filters, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(count):
            shape = inverted_bottleneck(net, shape, filters, 3, stride if block == 0 else 1, expansion)
    return net.classifier(net.conv_norm_relu(shape, 1280, 1))


def rounded_to_eight(value):
    result = max(8, int(value + 4) // 8 * 8)
    return result + 8 if result < 0.9 * value else result


def mnasnet(multiplier):
    net = Network("mobile")
    widths = [rounded_to_eight(width * multiplier) for width in (32, 16, 24, 40, 80, 96, 192, 320)]
    shape = net.conv_norm_relu((3, 224, 224), widths[0], 3, 2)
    shape = net.conv_norm_relu(shape, widths[0], 3, groups=widths[0])
    shape = net.conv_norm_relu(shape, widths[1], 1, relu=False)
    stages = ((3, 2, 3, 3), (5, 2, 3, 3), (5, 2, 6, 3), (3, 1, 6, 2), (5, 2, 6, 4), (3, 1, 6, 1))
    for filters, (kernel, stride, expansion, count) in zip(widths[2:], stages):
        for block in range(count):
            shape = inverted_bottleneck(net, shape, filters, kernel, stride if block == 0 else 1, expansion)
    return net.classifier(net.conv_norm_relu(shape, 1280, 1))


def efficientnet(size, image):
    width, depth = ((1, 1), (1, 1.1), (1.1, 1.2), (1.2, 1.4), (1.4, 1.8), (1.6, 2.2))[size]
    net = Network("efficientnet")
    shape = net.conv_norm_relu((3, image, image), rounded_to_eight(32 * width), 3, 2)
    stages = ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3))
    for expansion, filters, count, stride, kernel in stages:
        for block in range(math.ceil(count * depth)):
            shape = inverted_bottleneck(net, shape, rounded_to_eight(filters * width), kernel, stride if block == 0 else 1, expansion, max(1, shape[0] // 4))
    return net.classifier(net.conv_norm_relu(shape, rounded_to_eight(1280 * width), 1))


def shufflenet_v2(widths):
    net = Network("shufflenet")
    shape = net.pool(net.conv_norm_relu((3, 224, 224), 24, 3, 2), 3, 2, 1)
    for filters, count in zip(widths, (4, 8, 4)):
        half = filters // 2
        for block in range(count):
            stride = 2 if block == 0 else 1
            if stride == 2:
                net.conv_norm_relu(net.conv_norm_relu(shape, shape[0], 3, 2, groups=shape[0], relu=False), half, 1)
            branch = shape if stride == 2 else (half,) + shape[1:]
            branch = net.conv_norm_relu(net.conv_norm_relu(branch, half, 1), half, 3, stride, groups=half, relu=False)
            branch = net.conv_norm_relu(branch, half, 1)
            shape = net.concat(net.concat((filters,) + branch[1:]))  # concatenated, then shuffled
    return net.classifier(net.conv_norm_relu(shape, widths[3], 1))


def squeezenet(later):
    net = Network("squeezenet")

    def fire(shape, squeezed, expanded):
        inner = net.conv_relu(shape, squeezed, 1)
        net.conv_relu(inner, expanded, 1)
        net.conv_relu(inner, expanded, 3)
        return net.concat((2 * expanded,) + shape[1:])

    shape = net.conv_relu((3, 224, 224), 64 if later else 96, 3 if later else 7, 2, 0)
    pools = (0, 2, 4) if later else (0, 3, 7)  # positions among the eight fire modules
    for block, (squeezed, expanded) in enumerate(((16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256))):
        if block in pools:
            shape = net.pool(shape, 3, 2, 0, True)
        shape = fire(shape, squeezed, expanded)
    net.dropout(math.prod(shape))
    net.global_pool(net.conv_relu(shape, 1000, 1))
    return net.loss(1000)


def ssd300():
    """Detector on the first three stages of ResNet-50, the third with stride 1."""
    net = Network("ssd")
    shape = net.pool(net.conv_norm_relu((3, 300, 300), 64, 7, 2, 3), 3, 2, 1)
    for stage, count in enumerate((3, 4, 6)):
        inner = 64 * 2**stage
        for block in range(count):
            stride = 2 if stage == 1 and block == 0 else 1
            before = shape
            shape = net.conv_norm_relu(net.conv_norm_relu(shape, inner, 1), inner, 3, stride)
            shape = net.conv_norm_relu(shape, 4 * inner, 1, relu=False)
            if block == 0:
                net.conv_norm_relu(before, 4 * inner, 1, stride, relu=False)
            net.relu(net.add(shape))
    maps = [shape]
    for index, (outer, inner) in enumerate(((512, 256), (512, 256), (256, 128), (256, 128), (256, 128))):
        stride, padding = (2, 1) if index < 3 else (1, 0)
        shape = net.conv_norm_relu(net.conv_norm_relu(shape, inner, 1), outer, 3, stride, padding)
        maps.append(shape)
    boxes = 0
    for shape, anchors in zip(maps, (4, 6, 6, 6, 4, 4)):
        net.conv(shape, 4 * anchors, 3, bias=True)
        net.conv(shape, 81 * anchors, 3, bias=True)
        boxes += anchors * shape[1] * shape[2]
    return net.loss(85 * boxes)


def vit(width, depth, heads, patch, image):
    net = Network("vit", optimizer_tensors=2)
    side = image // patch
    tokens = side * side + 1
    size = tokens * width
    patches = width * side * side
    taps = 3 * patch * patch
    net.put("conv", 2 * patches * taps, 3 * image * image, patches, width * (taps + 1), width, taps)
    net.add((size,))
    for _ in range(depth):
        net.layer_norm(size, width)
        net.dense(width, 3 * width, tokens)
        net.attention(tokens, width, heads)
        net.dense(width, width, tokens)
        net.add((size,))
        net.layer_norm(size, width)
        net.dense(width, 4 * width, tokens)
        net.gelu(4 * size)
        net.dense(4 * width, width, tokens)
        net.add((size,))
    net.layer_norm(size, width)
    net.dense(width, 1000)
    return net.loss(1000)


def bert(width, depth, heads, tokens):
    net = Network("bert", optimizer_tensors=2)
    size = tokens * width
    net.put("embedding", 0, size, size, (30522 + 512 + 2) * width)
    net.layer_norm(size, width)
    net.dropout(size)
    for _ in range(depth):
        net.dense(width, 3 * width, tokens)
        net.attention(tokens, width, heads)
        net.dense(width, width, tokens)
        net.dropout(size)
        net.add((size,))
        net.layer_norm(size, width)
        net.dense(width, 4 * width, tokens)
        net.gelu(4 * size)
        net.dense(4 * width, width, tokens)
        net.dropout(size)
        net.add((size,))
        net.layer_norm(size, width)
    net.dense(width, 2, tokens)
    return net.loss(2 * tokens)


def gnmt(tokens=25, width=1024, vocabulary=32320):
    """Encoder of a bidirectional and three further LSTM layers, decoder of four with attention; 25 words each."""
    net = Network("gnmt", optimizer_tensors=2)
    size = tokens * width
    net.put("embedding", 0, size, size, vocabulary * width)
    for inputs in (1024, 1024, 2048, 1024, 1024, 1024, 2048, 2048, 2048):
        gates = 4 * width
        net.put("matmul", 2 * gates * inputs * tokens, inputs * tokens, gates * tokens, gates * inputs, gates, inputs)
        net.put("recurrent", 2 * gates * width * tokens, gates * tokens, 2 * size, gates * width, gates, width, tokens)
    for _ in range(8):
        net.dropout(size)
    for _ in range(4):
        net.add((size,))
    net.put("matmul", 4 * width * width * tokens, 2 * size, 2 * size, 2 * width * width, width, width)
    flops, scores = 2 * tokens * tokens * width, tokens * tokens
    net.put("batched_matmul", flops, 2 * size, scores, 0, tokens, width)
    net.put("softmax", 0, scores, scores)
    net.put("batched_matmul", flops, size + scores, size, 0, width, tokens)
    net.dense(width, vocabulary, tokens, bias=False)
    return net.loss(vocabulary * tokens)


def mlp(inputs, widths, outputs):
    net = Network("woolf")
    for width in widths:
        inputs = net.dense(inputs, width)
        net.relu((width,))
        net.dropout(width)
    net.dense(inputs, outputs)
    return net.loss(outputs)


def mnist_cnn():
    net = Network("woolf")
    shape = net.conv_relu(net.conv_relu((1, 28, 28), 32, 3, 1, 0), 64, 3, 1, 0)
    inputs = math.prod(net.pool(shape, 2, 2))
    net.dropout(inputs)
    net.dense(inputs, 128)
    net.relu((128,))
    net.dropout(128)
    net.dense(128, 10)
    return net.loss(10)


def cifar10_cnn():
    net = Network("woolf")
    shape = (3, 32, 32)
    for filters in (32, 64):
        shape = net.conv_relu(net.conv_relu(shape, filters, 3, 1, 1), filters, 3, 1, 0)
        shape = net.pool(shape, 2, 2)
        net.dropout(math.prod(shape))
    net.dense(math.prod(shape), 512)
    net.relu((512,))
    net.dropout(512)
    net.dense(512, 10)
    return net.loss(10)


def lstm(net, inputs, units, steps):
    gates = 4 * units
    net.put("matmul", 2 * gates * inputs * steps, inputs * steps, gates * steps, gates * (inputs + 1), gates, inputs)
    net.put("recurrent", 2 * gates * units * steps, gates * steps, 2 * units * steps, gates * units, gates, units, steps)


def imdb_fasttext():
    net = Network("woolf", optimizer_tensors=2)
    net.put("embedding", 0, 400 * 50, 400 * 50, 1_200_001 * 50)
    net.put("pool", 0, 400 * 50, 50)
    net.dense(50, 1)
    return net.loss(1)


def imdb_bilstm():
    net = Network("woolf", optimizer_tensors=2)
    net.put("embedding", 0, 100 * 128, 100 * 128, 20_000 * 128)
    for _ in range(2):
        lstm(net, 128, 64, 100)
    net.dropout(128)
    net.dense(128, 1)
    return net.loss(1)


def text_lstm():
    net = Network("woolf")
    lstm(net, 57, 128, 40)
    net.dense(128, 57)
    return net.loss(57)


RESNETS = {
    "resnet26": ((2, 2, 2, 2), {}), "resnet50": ((3, 4, 6, 3), {}), "resnet101": ((3, 4, 23, 3), {}), "resnet152": ((3, 8, 36, 3), {}),
    "resnet200": ((3, 24, 36, 3), {"pre_activation": True}), "resnext50_32x4d": ((3, 4, 6, 3), {"width": 4, "groups": 32}),
    "resnext101_32x4d": ((3, 4, 23, 3), {"width": 4, "groups": 32}), "resnext101_32x8d": ((3, 4, 23, 3), {"width": 8, "groups": 32}),
    "seresnext101_32x4d": ((3, 4, 23, 3), {"width": 4, "groups": 32, "squeeze": True}), "seresnet50": ((3, 4, 6, 3), {"squeeze": True}),
    "resnet50d": ((3, 4, 6, 3), {"deep_stem": True, "average_shortcut": True}), "wide_resnet50_2": ((3, 4, 6, 3), {"width": 128}),
    "wide_resnet101_2": ((3, 4, 23, 3), {"width": 128}),
    "resnetv2_50": ((3, 4, 6, 3), {}),  # the order of operations differs, but not their sizes
}
VGGS = {"vgg11": (1, 1, 2, 2, 2), "vgg13": (2, 2, 2, 2, 2), "vgg16": (2, 2, 3, 3, 3), "vgg19": (2, 2, 4, 4, 4)}
VITS = {"tiny": (192, 12, 3), "small": (384, 12, 6), "base": (768, 12, 12), "large": (1024, 24, 16), "huge": (1280, 32, 16)}
SHUFFLENETS = {"0_5": (48, 96, 192, 1024), "1_0": (116, 232, 464, 1024), "1_5": (176, 352, 704, 1024), "2_0": (244, 488, 976, 2048)}
SINGLE = {
    "overfeat": overfeat, "inception_v1": inception_v1, "ssd300": ssd300, "gnmt": gnmt, "bert_base_384": lambda: bert(768, 12, 12, 384),
    "bert_large_384": lambda: bert(1024, 24, 16, 384), "bert_large_128": lambda: bert(1024, 24, 16, 128),
    "mnist_mlp": lambda: mlp(784, (512, 512), 10), "mnist_cnn": mnist_cnn, "cifar10_cnn": cifar10_cnn, "imdb_fasttext": imdb_fasttext,
    "imdb_bilstm": imdb_bilstm, "text_lstm": text_lstm,
    "squeezenet1_0": lambda: squeezenet(False), "squeezenet1_1": lambda: squeezenet(True),
}
# Different names used by sources.
ALIASES = {
    "ResNet-18": "resnet18", "ResNet-34": "resnet34", "ResNet-50": "resnet50", "ResNet-101": "resnet101", "ResNet-152": "resnet152",
    "ResNet-200": "resnet200", "ResNet50": "resnet50", "resnet50v1.5": "resnet50", "resnext101-32x4d": "resnext101_32x4d",
    "se-resnext101-32x4d": "seresnext101_32x4d", "VGG-16": "vgg16", "VGG-19": "vgg19", "OxfordNet [Model-A]": "vgg11", "AlexNet": "alexnet",
    "Inception-V1": "inception_v1", "GoogleNet V1": "inception_v1", "Overfeat [fast]": "overfeat", "MobileNetV2": "mobilenet_v2",
    "mobilenetv2_100": "mobilenet_v2", "mnasnet_100": "mnasnet1_0", "BERTLarge": "bert_large_128", "bert_base_squad": "bert_base_384",
    "bert_large_squad": "bert_large_384", "imdb_bidirectional_lstm": "imdb_bilstm", "lstm_text_generation": "text_lstm", "ssd": "ssd300", "deit_base_patch16_224": "vit_base_patch16_224",
    "deit3_base_patch16_224": "vit_base_patch16_224",
}


def build(name, image):
    """The named network for square images of the given size; None if unknown."""
    if name in RESNETS:
        layers, options = RESNETS[name]
        return resnet(layers, image, **options)
    if name in ("resnet18", "resnet34"):
        return resnet_basic((2, 2, 2, 2) if name == "resnet18" else (3, 4, 6, 3), image)
    if name.removesuffix("_bn") in VGGS:
        return vgg(VGGS[name.removesuffix("_bn")], name.endswith("_bn"))
    if name.startswith("vit_"):
        _, size, patch, _ = name.split("_")
        return vit(*VITS[size], int(patch.removeprefix("patch")), image)
    if name.startswith("efficientnet_b"):
        return efficientnet(int(name[-1]), image)
    if name.startswith("mnasnet"):
        return mnasnet(float(name.removeprefix("mnasnet").replace("_", ".")))
    if name.startswith("shufflenet_v2_x"):
        return shufflenet_v2(SHUFFLENETS[name[-3:]])
    if name == "alexnet":
        return alexnet(image, 2 if image == 224 else 0)
    if name == "mobilenet_v2":
        return mobilenet_v2(image)
    if name == "inception_v3":
        return inception_v3(image)
    return SINGLE[name]() if name in SINGLE else None
