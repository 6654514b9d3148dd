"""Reads the colours that pages name, and measures how far apart they look: CIELAB distance, black to white being 1.

A colour is (red, green, blue), 0 to 255. Style sheets write names, `#rgb`, `#rrggbb` and `rgb(…)`; anything else is
ignored, as in browsers. Attributes (`bgcolor`, `text`) are read by an older rule, which makes a colour of anything.
"""

import re
from functools import lru_cache
from math import dist

Colour = tuple[int, int, int]

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)

_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_RGB = re.compile(r"rgba?\(([^()]{1,100})\)")
_NUMBER = re.compile(r"([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(%?)")
_LONGEST = 128  # characters of a colour in an attribute: HTML, 2.3.6


@lru_cache(4096)
def css_colour(text: str) -> Colour | None:
    """Read a colour as style sheets write it; None if it is not a colour, or is `transparent`.

    >>> css_colour("Teal"), css_colour("#f80"), css_colour("rgb(100%, 50%, 0)"), css_colour("chucknorris")
    ((0, 128, 128), (255, 136, 0), (255, 128, 0), None)
    """
    text = text.strip().lower()
    if text in NAMES:
        return NAMES[text]
    if _HEX.fullmatch(text):
        digits = text[1:] if len(text) > 5 else "".join(digit * 2 for digit in text[1:])
        return None if digits[6:] == "00" else _from_hex(digits[:6])
    if found := _RGB.fullmatch(text):
        parts = [_channel(part) for part in re.split(r"[\s,/]+", found[1].strip())]
        if len(parts) == 4 and parts[3] == 0:
            return None  # invisible
        red, green, blue = [*parts, None, None, None][:3]
        if len(parts) in (3, 4) and red is not None and green is not None and blue is not None:
            return red, green, blue
    return None


def _channel(text: str) -> int | None:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    value = float(found[1]) * 255 / (100 if found[2] else 255)
    return max(0, min(255, int(value + 0.5)))


def _from_hex(digits: str) -> Colour:
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


@lru_cache(4096)
def attribute_colour(text: str) -> Colour | None:
    """Read a colour as attributes write it: nearly anything is one (HTML, "rules for parsing a legacy color value").

    >>> attribute_colour("ffffee"), attribute_colour("chucknorris"), attribute_colour("transparent")
    ((255, 255, 238), (192, 0, 0), None)
    """
    if not text:
        return None
    text = text.strip(" \t\n\f\r").lower()
    if text == "transparent":
        return None
    if text in NAMES:
        return NAMES[text]
    if len(text) == 4 and _HEX.fullmatch(text):
        return css_colour(text)
    text = "".join("00" if ord(char) > 0xFFFF else char for char in text[:_LONGEST])[:_LONGEST].removeprefix("#")
    text = re.sub(r"[^0-9a-f]", "0", text)
    text += "0" * (-len(text) % 3 if text else 3)
    length = len(text) // 3
    parts = [text[at : at + length][-8:] for at in (0, length, 2 * length)]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    red, green, blue = (int(part[:2], 16) for part in parts)
    return red, green, blue


@lru_cache(65536)
def lab(colour: Colour) -> tuple[float, float, float]:
    """CIELAB of an sRGB colour (IEC 61966-2-1, white point D65): L* 0 to 100, a* green to red, b* blue to yellow.

    >>> [round(value, 2) for value in lab((255, 0, 0))]
    [53.24, 80.09, 67.2]
    """
    red, green, blue = (_linear(channel / 255) for channel in colour)
    # The rows of the sRGB matrix, each divided by the white point's coordinate.
    x = _cube_root((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    y = _cube_root(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    z = _cube_root((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _cube_root(value: float) -> float:
    """CIE's f: a cube root that becomes a straight line near 0."""
    return float(value ** (1 / 3)) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29


@lru_cache(65536)
def distance(one: Colour, other: Colour) -> float:
    """How far apart two colours look: Euclidean distance in CIELAB, divided by that of black and white.

    >>> distance(BLACK, WHITE), distance(WHITE, WHITE), round(distance((0, 0, 255), WHITE), 2)
    (1.0, 0.0, 1.5)
    """
    return dist(lab(one), lab(other)) / _BLACK_TO_WHITE


_BLACK_TO_WHITE = dist(lab(BLACK), lab(WHITE))

# CSS Color 4, 6.1: each name with its digits.
_NAMES = """
    aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4
    black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0
    chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff
    darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9
    darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000
    darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
    darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969
    dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc
    ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080
    honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
    lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff
    lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
    lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
    lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
    mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
    mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
    mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
    olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
    paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
    powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
    saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0
    skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4
    tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff
    whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
"""
NAMES = {name: _from_hex(digits) for name, digits in re.findall(r"(\w+) (\w+)", _NAMES)}
