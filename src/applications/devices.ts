import { parse } from 'bowser';

/** The kind of device that a browser runs on, as far as its User-Agent tells: a tablet counts as no mobile. */
export interface Device {
  readonly isMobile: boolean;
  readonly isTablet: boolean;
}

/** The device that a User-Agent tells of. One that nobody knows is neither. */
export function deviceOf(userAgent: string): Device {
  const { type } = parse(userAgent).platform;
  return { isMobile: type === 'mobile', isTablet: type === 'tablet' };
}
