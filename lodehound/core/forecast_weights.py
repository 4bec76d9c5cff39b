"""The weights of forecasts: made by python -m bench.fit_forecast --write.

Linear quantile regression over 148 crawls: 51 tasks on 32 sites.
The facts are those of lodehound.core.forecasts; each has a weight in the lower end (5 %),
the middle and the upper end (95 %) of a forecast, in logarithms of finds.
"""

from __future__ import annotations

FEW = 5.0  # added to finds before their logarithm is taken
CONSTANT = "constant"

WEIGHTS: dict[str, dict[str, tuple[float, float, float]]] = {
    "left": {
        "left": (0.0104, 0.0708, 0.1083),
        "most": (-0.014, 0.0378, 0.2267),
        "waiting": (0.0189, 0.0118, -0.0384),
        "files": (0.913, 0.2564, 0.0017),
        "requests": (0.0311, -0.0919, -0.27),
        "lasting": (0.0304, 0.3755, 0.4031),
        "drought": (-0.1018, -0.2529, -0.3061),
        "dry share": (0.223, 0.424, 0.5339),
        "record": (0.0025, 0.0216, 0.1614),
        "rate 50": (0.0, 0.6483, 0.0),
        "rate 200": (-0.0191, -0.2748, 0.1101),
        "rate 1000": (0.0, -0.0586, 0.0),
        "constant": (0.0891, 3.314, 5.2952),
    },
    "100": {
        "left": (0.0208, 0.0034, -0.0404),
        "most": (-0.0218, -0.0002, 0.1071),
        "waiting": (0.0089, -0.0031, -0.0624),
        "files": (0.4318, 0.0658, 0.0597),
        "requests": (0.0358, -0.0763, -0.2119),
        "lasting": (0.0268, 0.0865, 0.1751),
        "drought": (-0.104, 0.0142, -0.141),
        "dry share": (0.2466, -0.0393, 0.2017),
        "record": (0.0008, -0.014, 0.0472),
        "rate 50": (0.0, 0.5941, 0.0),
        "rate 200": (-0.0129, -0.0497, 0.0696),
        "rate 1000": (0.0, -0.0082, 0.0),
        "constant": (0.9229, 4.2566, 4.5955),
    },
    "500": {
        "left": (0.0134, 0.0235, -0.041),
        "most": (-0.0296, 0.0249, 0.1545),
        "waiting": (0.0364, -0.0037, -0.0953),
        "files": (0.655, 0.0727, 0.0745),
        "requests": (0.0072, -0.0888, -0.4865),
        "lasting": (0.0824, 0.3001, 0.5425),
        "drought": (-0.1459, -0.1811, -0.2521),
        "dry share": (0.3275, 0.292, 0.6493),
        "record": (0.0038, 0.0068, 0.0041),
        "rate 50": (0.0, 0.6998, 0.0),
        "rate 200": (-0.0401, -0.2176, -0.0968),
        "rate 1000": (0.0, -0.0442, 0.0),
        "constant": (0.542, 4.2176, 5.6037),
    },
    "2000": {
        "left": (0.011, 0.0671, 0.0316),
        "most": (-0.0172, 0.0372, 0.1744),
        "waiting": (0.0232, 0.0112, -0.0917),
        "files": (0.8693, 0.1863, 0.1117),
        "requests": (0.024, -0.0961, -0.4207),
        "lasting": (0.0463, 0.3887, 0.5433),
        "drought": (-0.115, -0.2537, -0.2749),
        "dry share": (0.2507, 0.4286, 0.4778),
        "record": (0.002, 0.0175, 0.1076),
        "rate 50": (0.0, 0.6553, 0.0),
        "rate 200": (-0.0272, -0.2804, 0.0207),
        "rate 1000": (0.0, -0.0584, 0.0),
        "constant": (0.1644, 3.4391, 5.83),
    },
}
