"""The Shepp-Logan head in closed form: sampled at pixel centres, means over pixels, and its line integrals."""
import numpy as np

# Value, semi-axes x and y, centre x and y, rotation in degrees (Toft's contrast).
ELLIPSES = [
    (1.0, 0.69, 0.92, 0.0, 0.0, 0.0), (-0.8, 0.6624, 0.874, 0.0, -0.0184, 0.0),
    (-0.2, 0.11, 0.31, 0.22, 0.0, -18.0), (-0.2, 0.16, 0.41, -0.22, 0.0, 18.0),
    (0.1, 0.21, 0.25, 0.0, 0.35, 0.0), (0.1, 0.046, 0.046, 0.0, 0.1, 0.0),
    (0.1, 0.046, 0.046, 0.0, -0.1, 0.0), (0.1, 0.046, 0.023, -0.08, -0.605, 0.0),
    (0.1, 0.023, 0.023, 0.0, -0.606, 0.0), (0.1, 0.023, 0.046, 0.06, -0.605, 0.0)]


def centres(count):
    return np.arange(count) - (count - 1) / 2


def slice_image(n, shift_x=0.0, shift_y=0.0):
    """[y, x], row 0 at the top (largest y), pixels of 1 mm, sampled that far [mm] from their centres."""
    x, y = centres(n)[None, :] + shift_x, -centres(n)[:, None] + shift_y
    image = np.zeros((n, n))
    for value, a, b, x0, y0, turn in ELLIPSES:
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        dx, dy = x - x0 * n / 2, y - y0 * n / 2
        image[((dx * c + dy * s) / (a * n / 2)) ** 2 + ((dy * c - dx * s) / (b * n / 2)) ** 2 <= 1] += value
    return image


def slice_means(n, samples=8):
    """As slice_image: means over pixels, of samples^2 points each."""
    inside = centres(samples) / samples
    return sum(slice_image(n, x, y) for x in inside for y in inside) / samples**2


def sinogram(n, angles, cols=None):
    """[view, col]: rays along (-sin t, cos t), detector along (cos t, sin t), pixels of 1 mm."""
    u, t = centres(cols or n)[None, :], np.asarray(angles)[:, None]
    out = np.zeros((t.size, u.size))
    for value, a, b, x0, y0, turn in ELLIPSES:
        a, b, phi = a * n / 2, b * n / 2, t - np.radians(turn)
        square = (a * np.cos(phi)) ** 2 + (b * np.sin(phi)) ** 2
        distance = u - (x0 * np.cos(t) + y0 * np.sin(t)) * n / 2
        out += value * 2 * a * b * np.sqrt(np.maximum(square - distance**2, 0)) / square
    return out


def rms(difference):
    return float(np.sqrt(np.mean(np.square(difference, dtype=np.float64))))


def inside_circle(image):
    n = image.shape[-1]
    return (centres(n)[None, :] ** 2 + centres(n)[:, None] ** 2) <= (0.48 * n) ** 2
