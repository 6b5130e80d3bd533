# SPDX-License-Identifier: Apache-2.0
"""PyTorch versions of the transformers in engine/model/zoo."""
import torch
import torch.nn.functional as F
from torch import nn


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
    """Reads a text and returns the next token only."""

    def forward(self, x):
        y = self.blocks(self.drop(self.table(x) + self.position[: x.shape[1]]))
        return F.linear(self.norm(y[:, -1]), self.table.weight)


class CachedAttention(nn.Module):
    """Decodes one token, given keys and values of `cached` earlier ones in the buffer that also takes its own."""

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
    """The encoder only."""

    def __init__(self, length, width=768, layers=12, heads=12, vocabulary=30522):
        super().__init__()
        self.table, self.types = nn.Embedding(vocabulary, width), nn.Parameter(torch.randn(2, width) * 0.02)
        self.position, self.length = nn.Parameter(torch.randn(512, width) * 0.02), length
        self.norm, self.drop = nn.LayerNorm(width, 1e-12), nn.Dropout(0.1)
        self.blocks = nn.Sequential(*[Block(width, heads, False, False, 0.1, "none", 1e-12) for _ in range(layers)])

    def encoded(self, x):
        y = self.table(x) + self.types[0] + self.position[: self.length]
        return self.blocks(self.drop(self.norm(y)))


class BertClassifier(Bert):
    """Classification in two classes."""

    def __init__(self, length, width=768, **size):
        super().__init__(length, width, **size)
        self.pooler, self.out = nn.Linear(width, width), nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.drop(torch.tanh(self.pooler(self.encoded(x)[:, 0]))))


class BertAnswerer(Bert):
    """Start and end of the answer."""

    def __init__(self, length, width=768, **size):
        super().__init__(length, width, **size)
        self.begin, self.end = nn.Linear(width, 1), nn.Linear(width, 1)

    def forward(self, x):
        y = self.encoded(x)
        return self.begin(y).squeeze(-1), self.end(y).squeeze(-1)


def begin_and_end(outputs, labels):
    return 0.5 * (F.cross_entropy(outputs[0], labels) + F.cross_entropy(outputs[1], labels))


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
