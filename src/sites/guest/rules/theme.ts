import { BLACK, contrast, type Rgb, rgbOf, textOn, WHITE } from '../../../core/colours.ts';

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

function hex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
