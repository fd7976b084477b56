/** A colour's red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** The backgrounds that come nearest to an accent, in light and in dark: see base.css. */
const LIGHT_BACK: Rgb = [230, 238, 246];
const DARK_BACK: Rgb = [58, 36, 60];

/** What WCAG AA asks for between a text and its background. */
const LEAST_CONTRAST = 4.5;

/**
 * The style sheet of a property's colour, as six hex digits; null for anything else. The bar at the top and the buttons
 * have the colour as it is; links have it darkened or lightened until they can be read.
 */
export function themeOf(colour: string): string | null {
  if (!/^[0-9a-f]{6}$/i.test(colour)) return null;
  const brand = rgbOf(colour);
  const light = readable(brand, LIGHT_BACK, BLACK);
  const dark = readable(brand, DARK_BACK, WHITE);
  return [
    `:root { --brand: ${hex(brand)}; --button: ${hex(brand)}; --on-button: ${textOn(brand)}; --accent: ${hex(light)}; }`,
    `@media (prefers-color-scheme: dark) {`,
    `  :root { --accent: ${hex(dark)}; }`,
    `}`,
    '',
  ].join('\n');
}

/** The contrast of two colours after WCAG 2: from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour of a text that is read best on a colour: black or white. */
export function textOn(colour: Rgb): string {
  return contrast(colour, BLACK) > contrast(colour, WHITE) ? '#000000' : '#ffffff';
}

/** The red, green and blue of six hex digits. */
export function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** A colour, mixed with another one as far as it must be to stand out from a background. */
function readable(colour: Rgb, background: Rgb, towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share);
    if (contrast(mixed, background) >= LEAST_CONTRAST) return mixed;
  }
  return towards;
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(one[at] * (1 - share) + other[at] * share);
  return [part(0), part(1), part(2)];
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function hex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
