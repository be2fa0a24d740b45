"""What the other programs do, each as a class: prepare once, then call it for one timed run."""
import time

import numpy as np


class Peer:
    """A name with version, times() of one run (wall clock, processor), and the image that it made."""
    name, result = "", None

    def times(self):
        self.result = None  # its memory may be used again
        wall, processor = time.perf_counter(), time.process_time()
        self.result = self.run()
        return np.array([time.perf_counter() - wall, time.process_time() - processor])


class Iradon(Peer):
    def __init__(self, sinogram, angles):
        import skimage
        from skimage.transform import iradon
        self.name, self._iradon = f"scikit-image {skimage.__version__} iradon", iradon
        self._sinogram, self._theta = np.ascontiguousarray(sinogram.T), np.degrees(angles)

    def run(self):
        return self._iradon(self._sinogram, theta=self._theta, filter_name="ramp", circle=True)


class Astra(Peer):
    """CPU algorithms with the linear projector, one slice a call: FP, BP or FBP."""

    def __init__(self, algorithm, n, angles, data, slices=1):
        import astra
        self.name, self._astra, self._slices = f"astra-toolbox {astra.__version__} CPU {algorithm}, linear", astra, slices
        grid = astra.create_vol_geom(n, n)
        scan = astra.create_proj_geom("parallel", 1.0, n, angles)
        forward = algorithm == "FP"
        self._volume = astra.data2d.create("-vol", grid, data if forward else 0)
        self._sinogram = astra.data2d.create("-sino", scan, 0 if forward else data)
        config = astra.astra_dict(algorithm)
        config["ProjectorId"] = astra.create_projector("linear", scan, grid)
        config["ProjectionDataId"] = self._sinogram
        config["VolumeDataId" if forward else "ReconstructionDataId"] = self._volume
        self._algorithm, self._forward = astra.algorithm.create(config), forward

    def run(self):
        for _ in range(self._slices):
            self._astra.algorithm.run(self._algorithm)
        return self._astra.data2d.get(self._sinogram if self._forward else self._volume)

    def reconstruct(self, sinogram):
        self._astra.data2d.store(self._sinogram, sinogram)
        return self.run()


class ScipyRamp(Peer):
    """Real FFT in float32 by several workers, in blocks of rows that suit its cache, into a new array as ours."""

    def __init__(self, rows, response, workers, block=1024):
        import scipy
        import scipy.fft
        self.name, self._fft = f"scipy {scipy.__version__} fft", scipy.fft
        self._rows, self._response, self._workers, self._block = rows, response.astype(np.float32), workers, block

    def run(self):
        length, cols = 2 * (self._response.size - 1), self._rows.shape[1]
        out = np.empty_like(self._rows)
        for first in range(0, len(self._rows), self._block):
            part = slice(first, first + self._block)
            spectrum = self._fft.rfft(self._rows[part], length, workers=self._workers)
            spectrum *= self._response
            out[part] = self._fft.irfft(spectrum, length, workers=self._workers)[:, :cols]
        return out


class RtkFdk(Peer):
    """itk-rtk on Shepp-Logan projections that it makes itself; they feed both programs."""

    def __init__(self, n, views, source_to_axis, axis_to_detector, scale):
        import itk
        from itk import RTK as rtk
        from importlib.metadata import version
        self.name, self._itk, self._rtk = f"itk-rtk {version('itk-rtk')} FDK", itk, rtk
        self._image, self._n = itk.Image[itk.F, 3], n
        self._geometry = rtk.ThreeDCircularProjectionGeometry.New()
        for view in range(views):
            self._geometry.AddProjection(source_to_axis, source_to_axis + axis_to_detector, view * 360.0 / views)
        pitch = (source_to_axis + axis_to_detector) / source_to_axis
        made = rtk.SheppLoganPhantomFilter[self._image, self._image].New()
        made.SetInput(self._constant([n, n, views], [pitch, pitch, 1.0], 0.0))
        made.SetGeometry(self._geometry)
        made.SetPhantomScale(scale)
        made.Update()
        self._made, self._scale = made, scale

    def _constant(self, size, spacing, last_origin=None):
        """A zero image around the origin; the third axis of projections counts views from 0."""
        source = self._rtk.ConstantImageSource[self._image].New()
        origin = [-(n - 1) / 2 * s for n, s in zip(size, spacing)]
        if last_origin is not None:
            origin[2] = last_origin
        source.SetOrigin(origin)
        source.SetSpacing(spacing)
        source.SetSize(size)
        source.Update()
        return source.GetOutput()

    def projections(self):
        """[view, row, col] with the top row first, as Tomoloom stores them."""
        return np.ascontiguousarray(self._itk.GetArrayFromImage(self._made.GetOutput())[:, ::-1, :])

    def truth(self):
        drawn = self._rtk.DrawSheppLoganFilter[self._image, self._image].New()
        drawn.SetInput(self._constant([self._n] * 3, [1.0] * 3))
        drawn.SetPhantomScale(self._scale)
        drawn.Update()
        return self._itk.GetArrayFromImage(drawn.GetOutput())

    def run(self):
        fdk = self._rtk.FDKConeBeamReconstructionFilter[self._image].New()
        fdk.SetInput(0, self._constant([self._n] * 3, [1.0] * 3))
        fdk.SetInput(1, self._made.GetOutput())
        fdk.SetGeometry(self._geometry)
        fdk.Update()
        return self._itk.GetArrayFromImage(fdk.GetOutput())

    @staticmethod
    def in_its_frame(volume):
        """Our [z, y, x] as RTK's [z, y, x]: its y is our z, its z our -y."""
        return volume[:, ::-1, :].transpose(1, 0, 2)


class FileToFile(Peer):
    """A script as many write it: rows of an HDF5 scan through h5py, flat-field and logarithm in NumPy, FBP of astra on the
    CPU slice by slice, and the volume written through h5py or tifffile. `slices` of them; the time is that of all."""

    def __init__(self, scan, n, angles, slices, output):
        import astra
        import h5py
        import tifffile
        self.name = f"h5py {h5py.__version__}, astra-toolbox {astra.__version__} CPU FBP, tifffile {tifffile.__version__}"
        self._h5py, self._tifffile, self._scan, self._slices, self._output = h5py, tifffile, scan, slices, output
        self._n, self._fbp = n, Astra("FBP", n, angles, np.zeros((len(angles), n), np.float32))

    def run(self):
        volume = np.empty((self._slices, self._n, self._n), np.float32)
        with self._h5py.File(self._scan) as f:
            flat = f["exchange/data_white"][:, :self._slices].mean(0, dtype=np.float32)
            dark = f["exchange/data_dark"][:, :self._slices].mean(0, dtype=np.float32)
            views = f["exchange/data"][:, :self._slices].astype(np.float32)
        absorption = -np.log((views - dark) / (flat - dark))
        for i in range(self._slices):
            volume[i] = self._fbp.reconstruct(absorption[:, i])
        if self._output.suffix == ".h5":
            with self._h5py.File(self._output, "w") as f:
                f["volume"] = volume
        else:
            self._tifffile.imwrite(self._output, volume)
        return volume
