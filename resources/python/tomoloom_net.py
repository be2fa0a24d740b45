"""Runs networks of Tomoloom (.safetensors, kind "network") in PyTorch: pip install torch, nothing else.

    import tomoloom_net
    net = tomoloom_net.load("bone.safetensors")          # a torch.nn.Module in evaluation mode
    scores = net(torch.tensor(slices)[None, None])       # [n, channel, (z,) y, x], in the grey values of the volume
    tomoloom_net.probabilities(net, scores)

Networks trained by Tomoloom see row 0 of a slice at the smallest y. Slices of TIFF files that Tomoloom writes begin with
the largest y: for them, and for networks trained elsewhere on such files, say where the rows of your pictures begin:

    scores = tomoloom_net.apply(net, torch.tensor(slices)[None, None], rows="highest_first")

The module's parameters have the names of the file (dots become nested modules), so that net.state_dict() can be trained,
saved and loaded again. `python tomoloom_net.py FILE` prints the layers. The layers are described in formats.md,
"Networks".
"""
import json
import struct
import sys

import torch
from torch import nn
from torch.nn import functional as F

TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
         "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}


def read_safetensors(path):
    """Metadata and tensors by name of a safetensors file."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > 100 << 20:
            raise ValueError(f"{path}: no safetensors file: its header is too long")
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        if not 0 <= first <= last <= len(data):
            raise ValueError(f"{path}: tensor {name} reaches beyond the end")
        flat = torch.frombuffer(bytearray(data[first:last]), dtype=TYPES[entry["dtype"]]) if last > first else torch.empty(0)
        tensors[name] = flat.reshape(entry["shape"])
    return metadata, tensors


def mirrored(x, dims, by):
    """With `by` more pixels on each side of the last axes, the edge repeated: index -1 is 0."""
    for axis in range(x.dim() - dims, x.dim()):
        n = x.shape[axis]
        i = torch.arange(-by, n + by, device=x.device) % (2 * n)
        x = x.index_select(axis, torch.where(i < n, i, 2 * n - 1 - i))
    return x


class Network(nn.Module):
    """The layers of a file, computed one after the other."""

    def __init__(self, graph, tensors):
        super().__init__()
        if graph.get("kind") != "network" or graph.get("version") != 1:
            raise ValueError("this model is not a network, or one of a newer version")
        self.graph, self.dims = graph, graph.get("dims", 2)
        fixed = {layer[key] for layer in graph["layers"] for key in ("mean", "variance") if key in layer}
        for name, tensor in tensors.items():
            self._keep(name, tensor, name in fixed)
        scaling = graph.get("scaling")
        shape = (1, -1) + (1,) * self.dims
        self.scaling = None if scaling is None else tuple(torch.tensor(scaling[k], dtype=torch.float64).reshape(shape)
                                                          for k in ("mean", "deviation"))
        self.used = self._used()

    def _keep(self, name, tensor, fixed):
        *path, last = name.split(".")
        owner = self
        for part in path:
            if part not in owner._modules:
                owner.add_module(part, nn.Module())
            owner = owner._modules[part]
        if fixed:
            owner.register_buffer(last, tensor)
        else:
            owner.register_parameter(last, nn.Parameter(tensor))

    def tensor(self, name):
        owner = self
        for part in name.split("."):
            owner = getattr(owner, part)
        return owner

    def _used(self):
        layers = self.graph["layers"]
        used = {layers[-1]["name"]}
        for layer in reversed(layers):
            if layer["name"] in used:
                used.update(layer.get("inputs", ()))
        return used

    def forward(self, x):
        maps = {}
        if self.scaling is not None:
            mean, deviation = (s.to(x) for s in self.scaling)
            x = (x - mean) / deviation
        for layer in self.graph["layers"]:
            if layer["name"] in self.used:
                inputs = [maps[name] for name in layer.get("inputs", ())]
                maps[layer["name"]] = self._layer(layer, inputs, x)
        return maps[self.graph["layers"][-1]["name"]]

    def _layer(self, layer, inputs, x):
        kind, d = layer["kind"], self.dims
        kernel, stride = layer.get("kernel", 1), layer.get("stride", 1)
        dilation, padding = layer.get("dilation", 1), layer.get("padding", 0)
        if kind == "input":
            return x
        if kind in ("convolution", "transposed convolution", "inner product"):
            joined = inputs[0] if len(inputs) == 1 else torch.cat(inputs, 1)
            weight, bias = self.tensor(layer["weight"]), None
            if "bias" in layer:
                first = layer.get("bias_offset", 0)
                bias = self.tensor(layer["bias"])[first:first + layer["channels"]]
            if kind == "inner product":
                return F.linear(joined.flatten(1), weight, bias).reshape((len(joined), -1) + (1,) * d)
            if kind == "transposed convolution":
                return (F.conv_transpose2d, F.conv_transpose3d)[d - 2](joined, weight, bias, stride)
            if layer.get("border") == "mirrored" and padding:
                joined, padding = mirrored(joined, d, padding), 0
            return (F.conv2d, F.conv3d)[d - 2](joined, weight, bias, stride, padding, dilation)
        if kind == "max pool":
            return (F.max_pool2d, F.max_pool3d)[d - 2](inputs[0], kernel, stride, padding, dilation)
        if kind == "average pool":
            return (F.avg_pool2d, F.avg_pool3d)[d - 2](inputs[0], kernel, stride)
        if kind == "batch norm":
            return F.batch_norm(inputs[0], self.tensor(layer["mean"]), self.tensor(layer["variance"]),
                                self.tensor(layer["weight"]), self.tensor(layer["bias"]), self.training,
                                eps=layer.get("epsilon", 1e-5))
        if kind == "relu":
            return F.relu(inputs[0])
        if kind == "concatenate":
            return torch.cat(inputs, 1)
        if kind == "add":
            return sum(inputs[1:], inputs[0])
        if kind == "crop":
            part, like = inputs
            for axis in range(2, part.dim()):
                part = part.narrow(axis, (part.shape[axis] - like.shape[axis]) // 2, like.shape[axis])
            return part
        if kind == "resize":
            size = inputs[1].shape[2:] if len(inputs) > 1 else [n * stride for n in inputs[0].shape[2:]]
            if layer.get("interpolation") == "linear":
                return F.interpolate(inputs[0], tuple(size), mode=("bilinear", "trilinear")[d - 2], align_corners=False)
            return F.interpolate(inputs[0], tuple(size), mode="nearest")
        if kind == "dropout":
            return F.dropout(inputs[0], 0.1, self.training)
        if kind == "softmax":
            return F.softmax(inputs[0], 1)
        raise ValueError(f"layer {layer['name']} is of a kind that this program does not have: {kind}")


def load(path):
    """The network of a file, in evaluation mode."""
    metadata, tensors = read_safetensors(path)
    if metadata.get("format") != "tomoloom-model":
        raise ValueError(f"{path}: no model that Tomoloom wrote")
    return Network(json.loads(metadata["description"]), tensors).eval()


def apply(network, pictures, rows="lowest_first"):
    """Scores of pictures [n, channel, (z,) y, x] for a network trained by Tomoloom, in the order of the pictures.

    rows: "highest_first" if row 0 of the pictures is the largest y, as in TIFF files; "lowest_first" if the smallest."""
    if rows == "lowest_first":
        return network(pictures)
    if rows != "highest_first":
        raise ValueError(f'rows is "{rows}", neither "lowest_first" nor "highest_first"')
    return network(pictures.flip(-2)).flip(-2)


def probabilities(network, scores):
    """Of the classes, over the channels; one channel gives two."""
    if network.graph["layers"][-1]["kind"] == "softmax":
        return scores
    if scores.shape[1] > 1:
        return torch.softmax(scores, 1)
    p = torch.sigmoid(scores)
    return torch.cat((1 - p, p), 1)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    net = load(sys.argv[1])
    print(net.graph.get("architecture", ""), sum(p.numel() for p in net.parameters()), "parameters")
    for one in net.graph["layers"]:
        print(" ", {k: v for k, v in one.items() if k not in ("weight", "bias", "mean", "variance")})
