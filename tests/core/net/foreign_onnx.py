"""Models in the shapes in which torch.onnx exports networks, with what onnxruntime computes of them.

Used by in_onnxruntime.cpp: foreign(name) writes NAME.onnx and saves input and output.
"""
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

RANDOM = np.random.default_rng(1)


class Model:
    def __init__(self, opset, size, channels=1):
        self.opset, self.size, self.channels = opset, size, channels
        self.nodes, self.tensors, self.count = [], [], 0

    def tensor(self, name, array):
        self.tensors.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, op, inputs, **attributes):
        self.count += 1
        name = f"/{op}_{self.count}"
        self.nodes.append(helper.make_node(op, inputs, [f"{name}_output_0"], name=name, **attributes))
        return f"{name}_output_0"

    def conv(self, name, x, channels, kernel=3, padding=1, bias=True, op="Conv", **attributes):
        shape = [channels[1], channels[0]] if op == "Conv" else list(channels)
        weight = RANDOM.standard_normal(shape + [kernel] * len(self.size)) / (kernel * channels[0] ** 0.5)
        inputs = [x, self.tensor(f"{name}.weight", weight.astype("f4"))]
        if bias:
            inputs.append(self.tensor(f"{name}.bias", (0.1 + 0.1 * RANDOM.standard_normal(channels[1])).astype("f4")))
        axes = len(self.size)
        attributes = {"dilations": [1] * axes, "group": 1, "kernel_shape": [kernel] * axes, "pads": [padding] * 2 * axes,
                      "strides": [1] * axes, **attributes}
        return self.node(op, inputs, **attributes)

    def relu_conv(self, *args, **attributes):
        return self.node("Relu", [self.conv(*args, **attributes)])

    def pool(self, x, op="MaxPool"):
        axes = len(self.size)
        return self.node(op, [x], ceil_mode=0, kernel_shape=[2] * axes, pads=[0] * 2 * axes, strides=[2] * axes)

    def up(self, name, x, channels):
        return self.conv(name, x, channels, kernel=2, padding=0, op="ConvTranspose", strides=[2] * len(self.size))

    def norm(self, name, x, channels):
        values = [np.ones(channels), np.zeros(channels), np.zeros(channels), np.ones(channels)]
        names = [f"{name}.{n}" for n in ("weight", "bias", "running_mean", "running_var")]
        values = [v + 0.3 * RANDOM.random(channels) for v in values]
        inputs = [x] + [self.tensor(n, v.astype("f4")) for n, v in zip(names, values)]
        return self.node("BatchNormalization", inputs, epsilon=1e-5, momentum=0.9, training_mode=0)

    def numbers(self, *values, kind="i8"):
        tensor = numpy_helper.from_array(np.array(values, kind))
        self.count += 1
        self.nodes.append(helper.make_node("Constant", [], [f"/Constant_{self.count}"], value=tensor))
        return f"/Constant_{self.count}"

    def finished(self, output, fixed=True, rank=None):
        rank = rank or len(self.size) + 2
        axes = self.size if fixed else ["height", "width"]
        value = helper.make_tensor_value_info("input.1", TensorProto.FLOAT, [1 if fixed else "batch", self.channels] + list(axes))
        out = helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", "classes"] + [f"{a} out" for a in range(rank - 2)])
        graph = helper.make_graph(self.nodes, "main_graph", [value], [out], self.tensors)
        model = helper.make_model(graph, producer_name="pytorch", opset_imports=[helper.make_opsetid("", self.opset)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        return model


def unet(fixed):
    """Crops as slices between numbers; or, of any size, begin and end computed from the shapes."""
    m = Model(17, (60, 44))
    a = m.relu_conv("a1", m.relu_conv("a0", "input.1", (1, 4), padding=0), (4, 4), padding=0)  # 56, 40
    b = m.relu_conv("b1", m.relu_conv("b0", m.pool(a), (4, 8), padding=0), (8, 8), padding=0)  # 24, 16
    up = m.up("up", b, (8, 4))  # 48, 32
    if fixed:
        a = m.node("Slice", [a, m.numbers(4), m.numbers(52), m.numbers(2), m.numbers(1)])
        a = m.node("Slice", [a, m.numbers(4), m.numbers(36), m.numbers(3), m.numbers(1)])
    else:
        size = [[m.node("Gather", [m.node("Shape", [x]), m.numbers(axis, kind="i8")], axis=0) for axis in (2, 3)] for x in (a, up)]
        for k, axis in enumerate((2, 3)):
            whole, part = size[0][k], size[1][k]
            begin = m.node("Div", [m.node("Sub", [whole, part]), m.numbers(2)])
            end = m.node("Add", [begin, part])
            a = m.node("Slice", [a, begin, end, m.numbers(axis), m.numbers(1)])
    x = m.relu_conv("c0", m.node("Concat", [a, up], axis=1), (8, 4), padding=0)
    return m.finished(m.conv("last", x, (4, 3), kernel=1, padding=0), fixed)


def unet_same(fixed, upsampling):
    """Borders of zeros and batch norm; enlarged by Resize with factors, and F.pad that adds nothing."""
    m = Model(14, (32, 48))
    a = m.node("Relu", [m.norm("bn0", m.conv("a", "input.1", (1, 4), bias=False), 4)])
    b = m.node("Relu", [m.norm("bn1", m.conv("b", m.pool(a), (4, 8), bias=False), 8)])
    if upsampling == "transposed":
        up = m.up("up", b, (8, 8))
    else:
        modes = {"nearest": dict(coordinate_transformation_mode="asymmetric", mode="nearest", nearest_mode="floor"),
                 "linear": dict(coordinate_transformation_mode="half_pixel", mode="linear", cubic_coeff_a=-0.75, nearest_mode="floor")}
        up = m.node("Resize", [b, "", m.tensor("scales", np.array([1, 1, 2, 2], "f4"))], **modes[upsampling])
    up = m.node("Pad", [up, m.numbers(*[0] * 8)], mode="constant")
    x = m.relu_conv("c", m.node("Concat", [a, up], axis=1), (12, 4))
    return m.finished(m.conv("last", x, (4, 2), kernel=1, padding=0), fixed)


def dense():
    """Every layer reads all before it, joined again and again; borders of the edge repeated; scaled input; softmax."""
    m = Model(17, (21, 30))
    x = m.node("Div", [m.node("Sub", ["input.1", m.tensor("mean", np.float32(0.3))]), m.numbers(2.5, kind="f4")])
    channels = 1
    for k in range(5):
        padded = m.node("Pad", [x, m.numbers(0, 0, 1, 1, 0, 0, 1, 1)], mode="edge")
        x = m.node("Concat", [x, m.relu_conv(f"l{k}", padded, (channels, 2), padding=0)], axis=1)
        channels += 2
    return m.finished(m.node("Softmax", [m.conv("last", x, (channels, 3), kernel=1, padding=0)], axis=1), False)


def residual():
    """Strides, sums, padding of a pooling, and linear enlargement to the size of the input."""
    m = Model(12, (41, 37))
    a = m.relu_conv("stem", "input.1", (1, 8), kernel=7, padding=3, strides=[2, 2])
    a = m.node("MaxPool", [a], kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
    for k in range(2):
        b = m.conv(f"b{k}", m.relu_conv(f"a{k}", a, (8, 8)), (8, 8), padding=2, dilations=[2, 2])
        a = m.node("Relu", [m.node("Add", [b, a])])
    x = m.conv("last", a, (8, 2), kernel=1, padding=0)
    size = m.node("Concat", [m.node("Slice", [m.node("Shape", [x]), m.numbers(0), m.numbers(2), m.numbers(0)]), m.numbers(41, 37)], axis=0)
    none = m.numbers(kind="f4")
    return m.finished(m.node("Resize", [x, none, none, size], mode="linear", coordinate_transformation_mode="pytorch_half_pixel"))


def volume():
    m = Model(17, (12, 10, 14), channels=2)
    a = m.relu_conv("a", "input.1", (2, 4))
    b = m.relu_conv("b", m.pool(a, "AveragePool"), (4, 4))
    x = m.node("Concat", [a, m.up("up", b, (4, 2))], axis=1)
    return m.finished(m.conv("last", x, (6, 2), kernel=1, padding=0))


def classifier():
    m = Model(11, (20, 20), channels=3)
    x = m.pool(m.relu_conv("a", "input.1", (3, 4), padding=0))
    x = m.node("Flatten", [x], axis=1)
    for name, into, out in (("f0", 4 * 81, 10), ("f1", 10, 4)):
        weight = m.tensor(f"{name}.weight", (RANDOM.standard_normal((out, into)) / 10).astype("f4"))
        x = m.node("Gemm", [x, weight, m.tensor(f"{name}.bias", np.ones(out, "f4"))], alpha=1.0, beta=1.0, transB=1)
        x = m.node("Relu", [x]) if name == "f0" else x
    return m.finished(x, rank=2)


def groups():
    """Filters in groups, and one for each channel."""
    m = Model(17, (14, 20))
    a = m.relu_conv("a", "input.1", (1, 6))
    weight = m.tensor("b.weight", (RANDOM.standard_normal((4, 3, 3, 3)) / 5).astype("f4"))
    b = m.node("Conv", [a, weight], group=2, kernel_shape=[3, 3], pads=[1] * 4)
    weight = m.tensor("c.weight", (RANDOM.standard_normal((4, 1, 3, 3)) / 3).astype("f4"))
    c = m.node("Conv", [b, weight, m.tensor("c.bias", np.ones(4, "f4"))], group=4, kernel_shape=[3, 3], dilations=[2, 2], pads=[2] * 4)
    weight = m.tensor("d.weight", (RANDOM.standard_normal((4, 3, 2, 2)) / 3).astype("f4"))
    return m.finished(m.node("ConvTranspose", [c, weight], group=2, kernel_shape=[2, 2], strides=[2, 2]), False)


def leaky():
    m = Model(17, (14, 20))
    a = m.node("LeakyRelu", [m.conv("a", "input.1", (1, 5))], alpha=0.2)
    b = m.node("LeakyRelu", [m.conv("b", a, (5, 5))])
    return m.finished(b, False)


def clipped():
    """ReLU6, as input and with limits that are not 0, and a lower limit alone."""
    m = Model(13, (14, 20))
    limits = [m.tensor(f"limit {v}", np.float32(v)) for v in (0, 6, -0.25, 0.5)]
    a = m.node("Clip", [m.conv("a", "input.1", (1, 4)), limits[0], limits[1]])
    b = m.node("Clip", [m.conv("b", a, (4, 4)), limits[2], limits[3]])
    return m.finished(m.node("Clip", [m.conv("c", b, (4, 2)), limits[2]]), False)


def enlarged():
    m = Model(17, (13, 18))
    a = m.relu_conv("a", "input.1", (1, 3))
    b = m.conv("b", a, (3, 4), kernel=4, padding=1, op="ConvTranspose", strides=[2, 2])
    return m.finished(m.conv("c", b, (4, 2), kernel=3, padding=1, op="ConvTranspose", strides=[2, 2], output_padding=[1, 1]), False)


def enlarged_in_space():
    m = Model(17, (5, 6, 7))
    a = m.relu_conv("a", "input.1", (1, 2))
    return m.finished(m.conv("b", a, (2, 3), kernel=4, padding=1, op="ConvTranspose", strides=[2] * 3))


def padded_means():
    m = Model(17, (15, 21))
    a = m.relu_conv("a", "input.1", (1, 3))
    return m.finished(m.node("AveragePool", [a], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4, count_include_pad=1), False)


def old(opset):
    """Numbers as attributes, and Upsample."""
    m = Model(opset, (16, 24))
    padded = m.node("Pad", ["input.1"], pads=[0, 0, 1, 1, 0, 0, 1, 1])
    a = m.node("Clip", [m.conv("a", padded, (1, 4), padding=0)], min=0.0)
    small = m.node("MaxPool", [a], kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2])
    b = m.relu_conv("b", small, (4, 6))
    factors = [1.0, 1.0, 2.0, 2.0]
    if opset < 9:
        up = m.node("Upsample", [b], mode="nearest", scales=factors)
    else:
        up = m.node("Upsample" if opset == 9 else "Resize", [b, m.tensor("factors", np.array(factors, "f4"))], mode="nearest")
    x = m.conv("c", m.node("Concat", [a, up], axis=1), (10, 2), kernel=1, padding=0)
    if opset < 10:
        x = m.node("Slice", [x], starts=[0], ends=[2 ** 31 - 1], axes=[2])
    return m.finished(x)


MODELS = {
    "U-Net of a fixed size": lambda: unet(True),
    "U-Net of any size": lambda: unet(False),
    "U-Net with batch norm": lambda: unet_same(False, "transposed"),
    "U-Net, nearest": lambda: unet_same(True, "nearest"),
    "U-Net, linear": lambda: unet_same(True, "linear"),
    "dense": dense,
    "residual": residual,
    "volume": volume,
    "classifier": classifier,
    "groups": groups,
    "leaky": leaky,
    "clipped": clipped,
    "enlarged by 4 2 1": enlarged,
    "enlarged in space": enlarged_in_space,
    "padded means": padded_means,
    "opset 7": lambda: old(7),
    "opset 9": lambda: old(9),
    "opset 10": lambda: old(10),
}


def foreign(name, file, save):
    model = MODELS[name]()
    onnx.save(model, file)
    size = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    if size[-1] == 0:  # any
        size = [1, size[1], 60, 44]
    x = RANDOM.standard_normal(size).astype("f4")
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    y = session.run(None, {"input.1": x})[0]
    save("x", x, "f4")
    save("y", y, "f4")
